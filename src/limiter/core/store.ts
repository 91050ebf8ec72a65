// The operations that the core sends to a store, and the replies. The core never performs an operation: memory replies
// at once, a simulated or a remote store later. Times come from the core; a store's clock and its expiries never decide
// anything.
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
  readonly traits: AlgorithmTraits; // of this algorithm
  readonly capacity: number; // floor(rate), or the share of one gateway (ALG-C4)
  readonly shownLimit: number; // in headers: never a share (HDR-C2)
  readonly burst: number; // token bucket and gcra; of a leaky bucket 1 more than its queue
  readonly rule: SmoothingRule | null;
  readonly startsAtClock: boolean; // fixed window (ALG-C3)
  readonly fixedMark: boolean; // sentinel (ALG-C5)
  readonly place: "store" | "gateway";
  readonly imitation: Imitation | null; // of a limiter of others, in simulation
}

/**
 * `spend`: evaluate every level, then spend all, or write the attempt to the log that refused it. `try`: the same, but an
 * attempt that a key's budget refuses is not written, because the request waits and tries again (LIM-C9). `evaluate`:
 * nothing is written.
 */
export type Intent = "spend" | "try" | "evaluate";

/** The levels of a request, its client and time, whether to spend, and its cost. */
export interface LevelsInput {
  readonly levels: readonly Level[];
  readonly client: Client;
  readonly atUs: Micros;
  readonly intent: Intent;
  readonly units: number; // of each level (LIM-C19)
}

export interface Take extends LevelsInput {
  readonly op: "take";
  readonly bound?: BoundLevels; // the same levels, for a store in this process
}

/** The single commands of the non-transactional log (ALG-C6): other requests may act between them. */
export interface LogCommand extends SpendingOp<"prune" | "count" | "add" | "expire"> {
  readonly hasFallsToCome?: boolean; // of an `expire`: pending falls of A need this log (SMO-C6)
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
  | { readonly op: "reset"; readonly level: Level; readonly client: Client; readonly atUs: Micros } // nothing was spent (MGT-C11)
  | SpendingOp<"mark"> // after a sentinel's decision
  | SpendingOp<"allowance"> // one atomic step of A
  | {
      readonly op: "pipeline";
      readonly commands: readonly LogCommand[];
      readonly isTransaction?: boolean; // no other command runs between them (ALG-C7)
    };

/** The store's result for an operation. Frequent callers reuse one, hence writable. */
export interface Reply {
  refusedBy: number; // index of the first level that refuses; -1: none
  waitUs: number; // the largest wait of all levels that refuse; 0: none refuses; infinity: waiting does not help
  delayUs: number; // of an admitted request: how long until its turn at every level (ALG-C10)
  shown: number; // the level in the headers (HDR-C2); -1: none
  limit: number; // of that level: floor(A) where smoothed, else the capacity
  remaining: number;
  resetUs: number; // of an `allowance` operation: from when on the record counts as absent (SMO-C6)
  allowance: number; // floor(A) of the smoothed level; -1: none is smoothed
  quotaLeft: number; // -1: no quota
  quotaAtApiLeft: number; // the same of the quota of one API
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

/** HDR-C2: fewest remaining, then latest reset. */
export const isTighter = (reply: Reply, remaining: number, resetUs: number): boolean =>
  reply.shown < 0 ||
  remaining < reply.remaining ||
  (remaining === reply.remaining && resetUs > reply.resetUs);

/**
 * The store did not reply: an error, or no reply within `store_timeout` (ALG-C8). `lost`: the part that has this budget
 * is known to be unreachable, so nothing was sent; the other parts may still reply.
 */
export interface StoreFailure {
  readonly failed: "error" | "timeout" | "lost";
}

export type StoreResult = Reply | StoreFailure;

export const hasFailed = (answer: StoreResult): answer is StoreFailure => "failed" in answer;

/** Levels with the rows that count them: found once, used by every request that meets these levels. */
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
