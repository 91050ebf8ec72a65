// The operations of one turn of the event loop, or a part of them, as one script call, and its reply split up again.
// Operations on one budget share a record, which is read and written once.
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
  readonly records: Map<string, number>; // keys, and their indexes from 1
  readonly logs: Map<string, number>;
  readonly slots: number[];
  readonly operations: number[];
  readonly ops: ScriptedOp[];
  readonly onReplies: ((answer: StoreResult) => void)[];
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
  slots: [0], // the number of records, set at the end
  operations: [],
  ops: [],
  onReplies: [],
  pieces: 0,
  timeoutUs: Number.POSITIVE_INFINITY,
});

/** The script's number of an operation; a take has three, by its intent. */
const CODES = {
  evaluate: 1,
  try: 2,
  spend: 3,
  give_back: 4,
  mark: 5,
  allowance: 6,
  reset: 7,
} as const;

export function addToBatch(
  batch: Batch,
  op: ScriptedOp,
  timeoutUs: number,
  onReply: (answer: StoreResult) => void,
): void {
  const { operations } = batch;
  batch.ops.push(op);
  batch.onReplies.push(onReply);
  if (timeoutUs < batch.timeoutUs) batch.timeoutUs = timeoutUs;
  const { client } = op;
  if (op.op !== "take") {
    batch.pieces |= MORE_THAN_SPENDING;
    const level = op.op === "reset" ? withSentinelMark(op.level) : op.level;
    const units = op.op === "reset" ? 1 : op.units;
    operations.push(CODES[op.op], op.atUs, units, 1, slotOf(batch, level, client));
    return;
  }
  if (op.intent === "evaluate") batch.pieces |= MORE_THAN_SPENDING;
  operations.push(CODES[op.intent], op.atUs, op.units, op.levels.length);
  for (const level of op.levels) operations.push(slotOf(batch, level, client));
}

/** A log that belonged to a sentinel before a reload has a mark, which is reset with the spent requests, and returns with the sentinel. */
const withSentinelMark = (level: Level): Level =>
  isLogBased(level.algorithm) && !level.traits.isBounded && !level.traits.isWrittenInBackground
    ? withAlgorithm(level, "sentinel")
    : level;

function slotOf(batch: Batch, level: Level, client: Client): number {
  const { levels, slots } = batch;
  let levelInBatch = levels.get(level);
  if (levelInBatch === undefined) {
    const packed = batch.pack(level);
    levels.set(level, (levelInBatch = { packed, place: levels.size + 1, slots: new Map() }));
    batch.pieces |= packed.form.pieces;
  }
  const { packed, place } = levelInBatch;
  const identity = packed.isForAll ? "" : budgetClient(level.budget, client).identity;
  let slot = levelInBatch.slots.get(identity);
  if (slot === undefined) {
    const stem = keyStem(batch.prefix, level, client);
    const { record, log, isReadAtOnce } = packed.form;
    const recordAt = record === null ? 0 : placeOf(batch.records, stem + record);
    slots.push(place, recordAt, log === null ? 0 : logPlaceOf(batch, stem + log, isReadAtOnce));
    levelInBatch.slots.set(identity, (slot = (slots.length - 1) / 3));
  }
  return slot;
}

const logPlaceOf = ({ records, logs }: Batch, key: string, isReadAtOnce: boolean): number =>
  isReadAtOnce ? -placeOf(records, key) : placeOf(logs, key);

function placeOf(keys: Map<string, number>, key: string): number {
  let place = keys.get(key);
  if (place === undefined) keys.set(key, (place = keys.size + 1));
  return place;
}

const MOST_OPERATIONS = 1_000; // while a script runs, all other clients wait
/** A script unpacks a row at once, and its stack ends at 8,000 numbers; one operation more has to fit. */
const MOST_IN_ROW = 7_500;

/** A call with few operations costs each of them more than waiting for the end of the turn. */
const FEW = 24;

/**
 * Whether a batch is sent before its turn ends. With half of all pending operations in one call, the store works on one
 * call while the next is built and the reply before is read: all in one call, each side would wait for the other.
 */
export const isFull = ({ ops, slots, operations }: Batch, waiting: number): boolean =>
  ops.length >= Math.min(MOST_OPERATIONS, Math.max(FEW, waiting / 2)) ||
  Math.max(slots.length, operations.length) >= MOST_IN_ROW;

export const keysIn = ({ records, logs }: Batch): string[] => [...records.keys(), ...logs.keys()];

/** As a script unpacks them: slots, operations, levels. */
export function rowsOf({ records, slots, operations, levels }: Batch): Row[] {
  slots[0] = records.size;
  const rows: Row[] = [slots, operations];
  for (const { packed } of levels.values()) rows.push(packed.numbers);
  return rows;
}

/** Most replies are short: admitted, without quota or allowance. */
const IS_SHORT = -2;
const SHORT = 4;
const LONG = 10; // numbers of one reply, before the changes of its allowance
const CHANGE = 4;

/** Calls back for each operation, in their order. */
export function replyToAll({ ops, onReplies }: Batch, bytes: Uint8Array): void {
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
      onReplies[i]!(reply);
      continue;
    }
    reply.refusedBy = number(at);
    if (reply.refusedBy < 0) reply.delayUs = number(at + 1);
    else reply.waitUs = number(at + 1);
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
    onReplies[i]!(reply);
  }
}

export function failAll({ onReplies }: Batch, failure: StoreFailure): void {
  for (const onReply of onReplies) onReply(failure);
}

/**
 * V8 moves batches into its old generation, where it looks late for garbage: without this a batch would retain all its
 * content until then, and copying that took a third of the time.
 */
export function clearBatch(batch: Batch, keys: string[], rows: Row[]): void {
  const { levels, records, logs, slots, operations, ops, onReplies } = batch;
  for (const levelInBatch of levels.values()) levelInBatch.slots.clear();
  for (const map of [levels, records, logs]) map.clear();
  for (const list of [slots, operations, ops, onReplies, keys, rows]) list.length = 0;
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
