// The questions of one turn of the event loop as one script call, and its answer split up again. Everybody who
// asks for one budget finds the same record there, and so it is read and written once.
import {
  emptyReply,
  type Answer,
  type Level,
  type Reply,
  type StoreFailure,
  type StoreOp,
} from "../core/store.ts";
import { micros } from "../core/units.ts";
import { MILLIONTHS } from "../core/smoothing.ts";
import { keyStem, type PackedLevel } from "./redis-level.ts";

export type ScriptedOp = Exclude<StoreOp, { op: "pipeline" }>;

export interface Batch {
  readonly levels: Map<PackedLevel, LevelInBatch>;
  readonly records: Map<string, number>; // keys, and their places from 1
  readonly logs: Map<string, number>;
  readonly slots: number[];
  readonly questions: number[];
  readonly ops: ScriptedOp[];
  readonly hears: ((answer: Answer) => void)[];
  pieces: number;
  timeoutUs: number;
}

interface LevelInBatch {
  readonly place: number;
  readonly slots: Map<string, number>; // by identity
}

export const newBatch = (): Batch => ({
  levels: new Map(),
  records: new Map(),
  logs: new Map(),
  slots: [],
  questions: [],
  ops: [],
  hears: [],
  pieces: 0,
  timeoutUs: Number.POSITIVE_INFINITY,
});

/** The numbers by which a script knows what is asked; a take has three, by its intent. */
const CODES = { ask: 1, try: 2, spend: 3, give_back: 4, mark: 5, allowance: 6 } as const;

export function addTo(
  batch: Batch,
  prefix: string,
  packed: readonly PackedLevel[],
  op: ScriptedOp,
): void {
  batch.ops.push(op);
  batch.questions.push(CODES[op.op === "take" ? op.intent : op.op], op.atUs, packed.length);
  for (const level of packed)
    batch.questions.push(slotOf(batch, prefix, level, op.client.identity));
}

function slotOf(batch: Batch, prefix: string, packed: PackedLevel, asking: string): number {
  const identity = packed.isForAll ? "" : asking;
  let known = batch.levels.get(packed);
  if (known === undefined) {
    known = { place: batch.levels.size + 1, slots: new Map() };
    batch.levels.set(packed, known);
    batch.pieces |= packed.form.pieces;
  }
  let slot = known.slots.get(identity);
  if (slot === undefined) {
    const stem = keyStem(prefix, packed.level, identity);
    const { record, log } = packed.form;
    const recordAt = record === null ? 0 : placeOf(batch.records, stem + record);
    const logAt = log === null ? 0 : placeOf(batch.logs, stem + log);
    batch.slots.push(known.place, recordAt, logAt);
    slot = batch.slots.length / 3;
    known.slots.set(identity, slot);
  }
  return slot;
}

function placeOf(keys: Map<string, number>, key: string): number {
  let place = keys.get(key);
  if (place === undefined) keys.set(key, (place = keys.size + 1));
  return place;
}

const RECORD = 9; // numbers of one answer, before what has moved
const CHANGE = 4;

/** Everybody hears the answer, in the order of the questions. */
export function answerAll({ ops, hears }: Batch, numbers: Float64Array): void {
  let at = 0;
  for (let i = 0; i < ops.length; i++) {
    const reply = emptyReply();
    reply.refusedBy = numbers[at]!;
    reply.waitUs = numbers[at + 1]!;
    reply.shown = numbers[at + 2]!;
    reply.limit = numbers[at + 3]!;
    reply.remaining = numbers[at + 4]!;
    reply.resetUs = numbers[at + 5]!;
    reply.allowance = numbers[at + 6]!;
    reply.quotaLeft = numbers[at + 7]!;
    const moved = numbers[at + 8]!;
    at += RECORD;
    if (moved > 0) reply.changes = changesAt(ops[i]!, numbers, at, moved);
    at += moved * CHANGE;
    hears[i]!(reply);
  }
}

export function failAll({ hears }: Batch, failure: StoreFailure): void {
  for (const hear of hears) hear(failure);
}

const levelsOf = (op: ScriptedOp): readonly Level[] => (op.op === "take" ? op.levels : [op.level]);

const changesAt = (
  op: ScriptedOp,
  numbers: Float64Array,
  from: number,
  moved: number,
): Reply["changes"] =>
  Array.from({ length: moved }, (_, i) => {
    const at = from + i * CHANGE;
    return {
      level: levelsOf(op)[numbers[at]!]!,
      change: {
        event: numbers[at + 1]! > 0 ? "RateLimitSmoothingUp" : "RateLimitSmoothingDown",
        atUs: micros(numbers[at + 2]!),
        allowance: numbers[at + 3]! / MILLIONTHS,
      },
    };
  });
