// What the core asks of a store, and what it hears back. It never performs an operation: memory answers
// at once, a simulated or a real store later. Times come from the asker; a store's own clock and its
// expiries never decide anything.
import type { Budget } from "./budget.ts";
import type { Client } from "./client.ts";
import type { Algorithm } from "./algorithms.ts";
import type { AllowanceChange, SmoothingRule } from "./smoothing.ts";
import type { AlgorithmTraits } from "./traits.ts";
import type { Micros } from "./units.ts";

/** A budget, and how it is counted as things stand: the algorithm in force and this gateway's share. */
export interface Level {
  readonly budget: Budget;
  readonly algorithm: Algorithm;
  readonly traits: AlgorithmTraits; // of this algorithm
  readonly capacity: number; // floor(rate), or the share of one gateway (ALG-C4)
  readonly shownLimit: number; // what clients are told of it: never a share (HDR-C2)
  readonly burst: number; // token bucket and gcra
  readonly rule: SmoothingRule | null;
  readonly startsAtClock: boolean; // fixed window (ALG-C3)
  readonly fixedMark: boolean; // sentinel (ALG-C5)
  readonly place: "store" | "gateway";
}

/**
 * How a question is meant. `spend`: judge every level, then spend all, or write the attempt to the log
 * that refused it. `try`: the same, but what a key's budget refuses is not written, because the request
 * waits and asks again (LIM-C9). `ask`: nothing is written at all.
 */
export type Intent = "spend" | "try" | "ask";

/** The levels of a request, for whom, when, and whether they are spent. */
export interface LevelsQuestion {
  readonly levels: readonly Level[];
  readonly client: Client;
  readonly atUs: Micros;
  readonly intent: Intent;
}

export interface Take extends LevelsQuestion {
  readonly op: "take";
  readonly bound?: BoundLevels; // the same levels, for a store in this process
}

/** The single commands of the non-transactional log (ALG-C6): other requests may fall between them. */
export interface LogCommand {
  readonly op: "prune" | "count" | "add" | "expire";
  readonly level: Level;
  readonly client: Client;
  readonly atUs: Micros;
  readonly hasFallsToCome?: boolean; // of an `expire`: falls of A are still to be made up from this log (SMO-C6)
}

export type StoreOp =
  | Take
  | {
      readonly op: "give_back";
      readonly level: Level;
      readonly client: Client;
      readonly atUs: Micros;
    }
  | { readonly op: "reset"; readonly level: Level; readonly client: Client; readonly atUs: Micros } // nothing was spent (MGT-C11)
  | { readonly op: "mark"; readonly level: Level; readonly client: Client; readonly atUs: Micros } // behind a sentinel's answer
  | {
      readonly op: "allowance";
      readonly level: Level;
      readonly client: Client;
      readonly atUs: Micros;
    } // one atomic step of A
  | {
      readonly op: "pipeline";
      readonly commands: readonly LogCommand[];
      readonly isTransaction?: boolean; // nobody falls between them (ALG-C7)
    };

/** What the store says of a question. Reused by whoever asks often, hence writable. */
export interface Reply {
  refusedBy: number; // index of the first level that refuses; -1: none
  waitUs: number; // the largest wait of all that refuse; 0: none does; infinity: waiting does not help
  shown: number; // the level that clients are told of (HDR-C2); -1: none
  limit: number; // of the level shown: floor(A) where smoothed, else the capacity
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
 * The store did not answer: an error, or nothing within `store_timeout` (ALG-C8). `lost`: the part of it that
 * holds this budget is known to be away, and was not asked; of the rest that says nothing.
 */
export interface StoreFailure {
  readonly failed: "error" | "timeout" | "lost";
}

export type Answer = Reply | StoreFailure;

export const hasFailed = (answer: Answer): answer is StoreFailure => "failed" in answer;

/** Levels with the rows that count them: looked up once, used by every request that meets them. */
export interface BoundLevels {
  readonly take: (client: Client, atUs: Micros, intent: Intent, reply: Reply) => Reply;
  readonly mark: (index: number, client: Client, atUs: Micros, reply: Reply) => Reply;
}

/** A store that answers at once, because it is in this process. */
export interface StoreAtHand {
  readonly bind: (levels: readonly Level[]) => BoundLevels;
  readonly perform: (op: Exclude<StoreOp, { op: "pipeline" }> | LogCommand) => Reply;
}

/** A computation that asks for store operations and never performs one. */
export type Steps<T> = Generator<StoreOp, T, Answer>;
