// A batch: operations of one turn of the event loop that one script call performs.
import type { Level, StoreFailure, StoreOp, StoreResult } from "../core/store.ts";
import type { PackedLevel } from "./redis-level.ts";

export type Row = readonly number[];
export type ScriptedOp = Exclude<StoreOp, { op: "pipeline" }>;

export interface Batch {
  readonly ops: ScriptedOp[];
  readonly onReplies: ((answer: StoreResult) => void)[];
  mostInRow: number; // the most numbers that one row of its call may have
  timeoutUs: number;
}

/** A batch as the arguments of a script, and the function that splits the script's reply. */
export interface BatchCall {
  readonly pieces: number;
  readonly keys: string[];
  readonly rows: Row[];
  /** Calls back for each operation, in the order of the batch. */
  readonly reply: (bytes: Uint8Array, batch: Batch) => void;
  /** Releases everything that the call retains. */
  readonly clear: () => void;
}

export interface BatchContext {
  readonly prefix: string;
  readonly pack: (level: Level) => PackedLevel;
}

export const newBatch = (): Batch => ({
  ops: [],
  onReplies: [],
  mostInRow: 1,
  timeoutUs: Number.POSITIVE_INFINITY,
});

const LONGEST_OPERATION = 4; // numbers before the levels of an operation
const SLOT = 3; // numbers that each level has in the row of slots

export function addToBatch(
  batch: Batch,
  op: ScriptedOp,
  timeoutUs: number,
  onReply: (answer: StoreResult) => void,
): void {
  batch.ops.push(op);
  batch.onReplies.push(onReply);
  if (timeoutUs < batch.timeoutUs) batch.timeoutUs = timeoutUs;
  const levels = op.op === "take" ? op.levels.length : 1;
  batch.mostInRow += Math.max(LONGEST_OPERATION + levels, SLOT * levels);
}

const MOST_OPERATIONS = 1_000; // in one call: all other clients of the store wait while a script runs
/** The most numbers in a row. A script unpacks a row in one step, on a stack of 8,000: one more operation fits. */
const MOST_IN_ROW = 7_500;

/** The fewest operations that are worth a call before the turn ends; for fewer operations, waiting costs less. */
const FEW = 24;

/**
 * Whether a batch is sent before its turn ends. A call with half of all pending operations lets store and gateway work
 * at the same time: the store processes a call while the gateway builds the next one and reads the last reply.
 */
export const isFull = ({ ops, mostInRow }: Batch, waiting: number): boolean =>
  ops.length >= Math.min(MOST_OPERATIONS, Math.max(FEW, waiting / 2)) || mostInRow >= MOST_IN_ROW;

export function failAll({ onReplies }: Batch, failure: StoreFailure): void {
  for (const onReply of onReplies) onReply(failure);
}

/**
 * Empties a sent batch. V8 moves batches into its old generation, which it rarely collects. Without clearing, a batch
 * would retain its content until then, and copying that content took a third of the time.
 */
export function clearBatch({ ops, onReplies }: Batch, { keys, rows, clear }: BatchCall): void {
  clear();
  for (const list of [ops, onReplies, keys, rows]) list.length = 0;
}
