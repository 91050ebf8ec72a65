// The operations that the core sends to a store, and the replies. The core performs no operation itself: a store in
// memory replies at once, a simulated or remote one later. All times are the core's; a store's clock and expiries
// decide nothing.
import type { Budget } from "./budget.ts";
import type { Client } from "./client.ts";
import type { Algorithm } from "./algorithms.ts";
import type { Imitation } from "./imitation.ts";
import type { AllowanceChange, SmoothingRule } from "./smoothing.ts";
import type { AlgorithmTraits } from "./traits.ts";
import type { Micros } from "../../kit/units.ts";

/** A budget and how it is counted now: the effective algorithm and this gateway's share. */
export interface Level {
  readonly budget: Budget;
  readonly algorithm: Algorithm;
  readonly traits: AlgorithmTraits; // the traits of this algorithm
  readonly capacity: number; // floor(rate), or the share of one gateway (ALG-C4)
  readonly shownLimit: number; // the limit in headers, never a share (HDR-C2)
  readonly burst: number; // for token bucket and gcra; for a leaky bucket, 1 more than its queue
  readonly rule: SmoothingRule | null;
  readonly startsAtClock: boolean; // fixed window (ALG-C3)
  readonly fixedMark: boolean; // sentinel (ALG-C5)
  readonly place: "store" | "gateway";
  readonly imitation: Imitation | null; // of another product's limiter, in simulation
}

/**
 * `spend`: evaluate every level, then spend all of them; if a log refused, only write the attempt to it. `try`: as
 * `spend`, but if a key's budget refuses, the attempt is not written, because the request waits and tries again
 * (LIM-C9). `evaluate`: write nothing.
 */
export type Intent = "spend" | "try" | "evaluate";

/** The levels of a request, its client and time, whether to spend, and its cost. */
export interface LevelsInput {
  readonly levels: readonly Level[];
  readonly client: Client;
  readonly atUs: Micros;
  readonly intent: Intent;
  readonly units: number; // the cost, for each level (LIM-C19)
}

export interface Take extends LevelsInput {
  readonly op: "take";
  readonly bound?: BoundLevels; // the same levels, for a store in this process
}

/** The single commands of the non-transactional log (ALG-C6): other requests may act between two of them. */
export interface LogCommand extends SpendingOp<"prune" | "count" | "add" | "expire"> {
  readonly hasFallsToCome?: boolean; // of `expire`: the log must not expire, because its allowance still has to fall (SMO-C6)
}

/** An operation on one level, by a request of this cost. */
interface SpendingOp<Name extends string> {
  readonly op: Name;
  readonly level: Level;
  readonly client: Client;
  readonly atUs: Micros;
  readonly units: number;
}

export type StoreOp =
  | Take
  | SpendingOp<"give_back">
  | { readonly op: "reset"; readonly level: Level; readonly client: Client; readonly atUs: Micros } // MGT-C11
  | SpendingOp<"mark"> // the sentinel's write after a decision
  | SpendingOp<"allowance"> // changes the allowance by one step
  | {
      readonly op: "pipeline";
      readonly commands: readonly LogCommand[];
      readonly isTransaction?: boolean; // no other command runs between them (ALG-C7)
    };

/** The store's result for an operation. Callers with many operations use one object again, so fields are writable. */
export interface Reply {
  refusedBy: number; // index of the first level that refuses; -1: none
  waitUs: number; // the largest wait of all levels that refuse; 0: none refuses; infinity: no wait helps
  delayUs: number; // how long an admitted request waits for its turn at every level (ALG-C10)
  shown: number; // the level in the headers (HDR-C2); -1: none
  limit: number; // the limit of the shown level: the whole allowance if smoothed, else the capacity
  remaining: number;
  resetUs: number; // for an `allowance` operation: the time from which the record counts as absent (SMO-C6)
  allowance: number; // the whole allowance of the smoothed level; -1: none is smoothed
  quotaLeft: number; // -1: no quota
  quotaAtApiLeft: number; // as `quotaLeft`, for the quota of one API
  changes: readonly { readonly level: Level; readonly change: AllowanceChange }[];
  count: number; // of a `count` command
}

export const NO_CHANGES: Reply["changes"] = [];

export const emptyReply = (): Reply => ({
  refusedBy: -1,
  waitUs: 0,
  delayUs: 0,
  shown: -1,
  limit: -1,
  remaining: -1,
  resetUs: 0,
  allowance: -1,
  quotaLeft: -1,
  quotaAtApiLeft: -1,
  changes: NO_CHANGES,
  count: 0,
});

/** Whether a level is tighter than the shown one: it has less left, or as much and a later reset (HDR-C2). */
export const isTighter = (reply: Reply, remaining: number, resetUs: number): boolean =>
  reply.shown < 0 ||
  remaining < reply.remaining ||
  (remaining === reply.remaining && resetUs > reply.resetUs);

/**
 * The store did not reply: an error, or no reply within `store_timeout` (ALG-C8). `lost`: the part of the store with
 * this budget is known to be unreachable, so nothing was sent; other parts may still reply.
 */
export interface StoreFailure {
  readonly failed: "error" | "timeout" | "lost";
}

export type StoreResult = Reply | StoreFailure;

export const hasFailed = (answer: StoreResult): answer is StoreFailure => "failed" in answer;

/** Levels, each with its table: looked up once, then used by every request with these levels. */
export interface BoundLevels {
  readonly take: (
    client: Client,
    atUs: Micros,
    intent: Intent,
    reply: Reply,
    units: number,
  ) => Reply;
  readonly mark: (
    index: number,
    client: Client,
    atUs: Micros,
    reply: Reply,
    units: number,
  ) => Reply;
}

/** A store in this process, which replies at once. */
export interface LocalStore {
  readonly bind: (levels: readonly Level[]) => BoundLevels;
  readonly perform: (op: Exclude<StoreOp, { op: "pipeline" }> | LogCommand) => Reply;
}

/** A computation that yields store operations and never performs one. */
export type Steps<T> = Generator<StoreOp, T, StoreResult>;
