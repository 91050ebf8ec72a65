// The questions of one turn of the event loop, or a part of them, as one script call, and its answer split up
// again. Everybody who asks for one budget finds the same record there, and so it is read and written once.
import { isLogBased } from "../core/algorithms.ts";
import { budgetClient } from "../core/budget.ts";
import { withAlgorithm } from "../core/select.ts";
import type { Client } from "../core/client.ts";
import {
  emptyReply,
  type StoreResult,
  type Level,
  type Reply,
  type StoreFailure,
  type StoreOp,
} from "../core/store.ts";
import { micros } from "../core/units.ts";
import { MILLIONTHS } from "../core/limit.ts";
import { MORE_THAN_SPENDING } from "./lua/script.ts";
import { keyStem, type PackedLevel } from "./redis-level.ts";

export type Row = readonly number[];
export type ScriptedOp = Exclude<StoreOp, { op: "pipeline" }>;

export interface Batch {
  readonly prefix: string;
  readonly pack: (level: Level) => PackedLevel;
  readonly levels: Map<Level, LevelInBatch>;
  readonly records: Map<string, number>; // keys, and their places from 1
  readonly logs: Map<string, number>;
  readonly slots: number[];
  readonly questions: number[];
  readonly ops: ScriptedOp[];
  readonly hears: ((answer: StoreResult) => void)[];
  pieces: number;
  timeoutUs: number;
}

interface LevelInBatch {
  readonly packed: PackedLevel;
  readonly place: number;
  readonly slots: Map<string, number>; // by identity
}

export const newBatch = (prefix: string, pack: Batch["pack"]): Batch => ({
  prefix,
  pack,
  levels: new Map(),
  records: new Map(),
  logs: new Map(),
  slots: [0], // how many records there are, once all are known
  questions: [],
  ops: [],
  hears: [],
  pieces: 0,
  timeoutUs: Number.POSITIVE_INFINITY,
});

/** The numbers by which a script knows what is asked; a take has three, by its intent. */
const CODES = {
  evaluate: 1,
  try: 2,
  spend: 3,
  give_back: 4,
  mark: 5,
  allowance: 6,
  reset: 7,
} as const;

export function addTo(
  batch: Batch,
  op: ScriptedOp,
  timeoutUs: number,
  hear: (answer: StoreResult) => void,
): void {
  const { questions } = batch;
  batch.ops.push(op);
  batch.hears.push(hear);
  if (timeoutUs < batch.timeoutUs) batch.timeoutUs = timeoutUs;
  const { client } = op;
  if (op.op !== "take") {
    batch.pieces |= MORE_THAN_SPENDING;
    const level = op.op === "reset" ? asEverywhere(op.level) : op.level;
    questions.push(CODES[op.op], op.atUs, 1, slotOf(batch, level, client));
    return;
  }
  if (op.intent === "evaluate") batch.pieces |= MORE_THAN_SPENDING;
  questions.push(CODES[op.intent], op.atUs, op.levels.length);
  for (const level of op.levels) questions.push(slotOf(batch, level, client));
}

/** A log that was the sentinel's before a reload has a mark, which goes with what was spent and comes back with the sentinel. */
const asEverywhere = (level: Level): Level =>
  isLogBased(level.algorithm) && !level.traits.isBounded && !level.traits.isWrittenInBackground
    ? withAlgorithm(level, "sentinel")
    : level;

function slotOf(batch: Batch, level: Level, asking: Client): number {
  const { levels, slots } = batch;
  let known = levels.get(level);
  if (known === undefined) {
    const packed = batch.pack(level);
    levels.set(level, (known = { packed, place: levels.size + 1, slots: new Map() }));
    batch.pieces |= packed.form.pieces;
  }
  const { packed, place } = known;
  const identity = packed.isForAll ? "" : budgetClient(level.budget, asking).identity;
  let slot = known.slots.get(identity);
  if (slot === undefined) {
    const stem = keyStem(batch.prefix, level, asking);
    const { record, log, isReadAtOnce } = packed.form;
    const recordAt = record === null ? 0 : placeOf(batch.records, stem + record);
    slots.push(place, recordAt, log === null ? 0 : logOf(batch, stem + log, isReadAtOnce));
    known.slots.set(identity, (slot = (slots.length - 1) / 3));
  }
  return slot;
}

const logOf = ({ records, logs }: Batch, key: string, isReadAtOnce: boolean): number =>
  isReadAtOnce ? -placeOf(records, key) : placeOf(logs, key);

function placeOf(keys: Map<string, number>, key: string): number {
  let place = keys.get(key);
  if (place === undefined) keys.set(key, (place = keys.size + 1));
  return place;
}

const MOST_QUESTIONS = 1_000; // a script keeps everybody else waiting
/** A script unpacks a row at once, and its stack ends at 8,000 numbers; one question more has to fit. */
const MOST_IN_ROW = 7_500;

/** A call of few costs each of them more than waiting for the end of the turn. */
const FEW = 24;

/**
 * Whether a batch goes out before its turn ends. With half of all that waits for an answer in one call, the store
 * works on one while the next is asked and the one before is heard: all in one, each side would wait for the other.
 */
export const isEnough = ({ ops, slots, questions }: Batch, waiting: number): boolean =>
  ops.length >= Math.min(MOST_QUESTIONS, Math.max(FEW, waiting / 2)) ||
  Math.max(slots.length, questions.length) >= MOST_IN_ROW;

export const keysIn = ({ records, logs }: Batch): string[] => [...records.keys(), ...logs.keys()];

/** As a script unpacks them: slots, questions, levels. */
export function rowsOf({ records, slots, questions, levels }: Batch): Row[] {
  slots[0] = records.size;
  const rows: Row[] = [slots, questions];
  for (const { packed } of levels.values()) rows.push(packed.numbers);
  return rows;
}

/** Most answers are short: admitted, and no quota or allowance has a say. */
const IS_SHORT = -2;
const SHORT = 4;
const LONG = 10; // numbers of one answer, before what has moved
const CHANGE = 4;

/** Everybody hears the answer, in the order of the questions. */
export function answerAll({ ops, hears }: Batch, bytes: Uint8Array): void {
  const numbers = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const number = (place: number): number => numbers.getFloat64(place * 8, true);
  let at = 0;
  for (let i = 0; i < ops.length; i++) {
    const reply = emptyReply();
    if (number(at) === IS_SHORT) {
      reply.shown = number(at + 1);
      reply.limit = levelsOf(ops[i]!)[reply.shown]!.capacity;
      reply.remaining = number(at + 2);
      reply.resetUs = number(at + 3);
      at += SHORT;
      hears[i]!(reply);
      continue;
    }
    reply.refusedBy = number(at);
    reply.waitUs = number(at + 1);
    reply.shown = number(at + 2);
    reply.limit = number(at + 3);
    reply.remaining = number(at + 4);
    reply.resetUs = number(at + 5);
    reply.allowance = number(at + 6);
    reply.quotaLeft = number(at + 7);
    reply.quotaAtApiLeft = number(at + 8);
    const moved = number(at + 9);
    at += LONG;
    if (moved > 0) reply.changes = changesAt(ops[i]!, number, at, moved);
    at += moved * CHANGE;
    hears[i]!(reply);
  }
}

export function failAll({ hears }: Batch, failure: StoreFailure): void {
  for (const hear of hears) hear(failure);
}

/**
 * Engines learn that batches live for long, and put them where they look late for what is free: until then a batch
 * would keep all that it holds, and carrying that about took a third of the time.
 */
export function forget(batch: Batch, keys: string[], rows: Row[]): void {
  const { levels, records, logs, slots, questions, ops, hears } = batch;
  for (const known of levels.values()) known.slots.clear();
  for (const map of [levels, records, logs]) map.clear();
  for (const list of [slots, questions, ops, hears, keys, rows]) list.length = 0;
}

const levelsOf = (op: ScriptedOp): readonly Level[] => (op.op === "take" ? op.levels : [op.level]);

const changesAt = (
  op: ScriptedOp,
  number: (place: number) => number,
  from: number,
  moved: number,
): Reply["changes"] =>
  Array.from({ length: moved }, (_, i) => {
    const at = from + i * CHANGE;
    return {
      level: levelsOf(op)[number(at)]!,
      change: {
        event: number(at + 1) > 0 ? "RateLimitSmoothingUp" : "RateLimitSmoothingDown",
        atUs: micros(number(at + 2)),
        allowance: number(at + 3) / MILLIONTHS,
      },
    };
  });
