// The operations of one turn of the event loop, or a part of them, which one script call performs.
import type { Level, StoreFailure, StoreOp, StoreResult } from "../core/store.ts";
import type { PackedLevel } from "./redis-level.ts";

export type Row = readonly number[];
export type ScriptedOp = Exclude<StoreOp, { op: "pipeline" }>;

export interface Batch {
  readonly ops: ScriptedOp[];
  readonly onReplies: ((answer: StoreResult) => void)[];
  mostInRow: number; // numbers that a row of its call may have
  timeoutUs: number;
}

/** A batch as a script gets it, and how its reply is split up again. */
export interface BatchCall {
  readonly pieces: number;
  readonly keys: string[];
  readonly rows: Row[];
  /** Calls back for each operation, in their order. */
  readonly reply: (bytes: Uint8Array, batch: Batch) => void;
  /** Releases everything that it holds. */
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

const LONGEST_OPERATION = 4; // numbers of an operation before its levels
const SLOT = 3; // numbers of a level in the row of slots

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

const MOST_OPERATIONS = 1_000; // while a script runs, all other clients wait
/** A script unpacks a row at once, and its stack ends at 8,000 numbers; one operation more has to fit. */
const MOST_IN_ROW = 7_500;

/** A call with few operations costs each of them more than waiting for the end of the turn. */
const FEW = 24;

/**
 * Whether a batch is sent before its turn ends. With half of all pending operations in one call, the store works on one
 * call while the next is built and the reply before is read: all in one call, each side would wait for the other.
 */
export const isFull = ({ ops, mostInRow }: Batch, waiting: number): boolean =>
  ops.length >= Math.min(MOST_OPERATIONS, Math.max(FEW, waiting / 2)) || mostInRow >= MOST_IN_ROW;

export function failAll({ onReplies }: Batch, failure: StoreFailure): void {
  for (const onReply of onReplies) onReply(failure);
}

/**
 * V8 moves batches into its old generation, where it looks late for garbage: without this a batch would retain all its
 * content until then, and copying that took a third of the time.
 */
export function clearBatch({ ops, onReplies }: Batch, { keys, rows, clear }: BatchCall): void {
  clear();
  for (const list of [ops, onReplies, keys, rows]) list.length = 0;
}
