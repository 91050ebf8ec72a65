// What a search for limits found.
import type { Micros } from "../../kit/units.ts";
import type { ReplayLimit } from "../replay/candidates.ts";
import type { ConfidenceInterval } from "../../kit/stats/bootstrap.ts";
import type { WindowAdvice } from "./advice.ts";
import type { NeededBurst } from "./burst.ts";
import type { EdgeClient } from "./edge.ts";
import type { CurvePoint } from "./knee.ts";
import type { DecidedClients, Refusals } from "./refusals.ts";
import type { MissedPart, RefusalTarget, RefusalTotals } from "./search.ts";

/** An algorithm or a profile, without a limit. */
export type RecommendedRule = Pick<ReplayLimit, "by" | "options">;

/** Clients that are left out of a search, and the limits that they would raise, which stay as they are without them. */
export interface OmittedClients {
  readonly clients: ReadonlySet<number>;
  readonly limits: readonly FixedLimit[];
}

export interface FixedLimit {
  readonly rule: RecommendedRule;
  readonly perUs: Micros;
  readonly rate: number;
}

/** The search for the smallest rate of one rule and window. */
export interface RateSearch {
  readonly rule: RecommendedRule;
  readonly perUs: Micros;
  /** Null: no rate meets the target. */
  readonly found: FoundRate | null;
  /** Requests that the highest rate refuses, if no rate meets the target. */
  readonly refusedAtMost: number;
  readonly points: readonly CurvePoint[];
  readonly knee: CurvePoint | null;
}

export interface FoundRate {
  readonly limit: ReplayLimit;
  /** The smallest rate for each of the two parts of the target alone. */
  readonly forRequests: number;
  readonly forClients: number;
  readonly refusals: Refusals;
  readonly below: MissedPart | null; // what one less misses
  readonly starved: readonly number[]; // the clients for which alone the rate is not one lower
  readonly interval: ConfidenceInterval | null; // null: there is one client
  readonly edge: readonly EdgeClient[];
  /** Rates under each placement within seconds, first the recommended one. Null: no rate meets the target. */
  readonly placements: readonly { readonly name: string; readonly rate: number | null }[];
  /** The most requests of a client in any window that the limit admits; null: unknown for a profile. */
  readonly mostInWindow: number | null;
}

export interface Recommendation {
  readonly target: RefusalTarget;
  readonly totals: RefusalTotals;
  readonly decided: DecidedClients; // with times under the first placement
  readonly all: Int32Array; // the numbers of all clients
  readonly badTotal: number;
  readonly badClients: number; // clients with a bad request
  readonly requestsOf: Int32Array; // requests of each client, bad ones included
  readonly leftOut: readonly { readonly client: number; readonly refused: number }[];
  readonly searches: readonly RateSearch[];
  readonly tooLong: readonly Micros[]; // windows longer than the log shows, which have no advice
  readonly advice: readonly WindowAdvice[]; // for each other window with a rate that meets the target
  /** What the limits of all windows refuse together; null: there are fewer than two, or the search was interrupted. */
  readonly together: LimitsTogether | null;
  /** The limits to ship, as places in `advice`: as many as keep the promise together, the shortest windows first. */
  readonly ship: readonly number[];
  /** What they refuse together; null: they are all of `advice`, or fewer than two windows have one. */
  readonly shipped: LimitsTogether | null;
  /** The burst of all clients that are no outliers. Null: it was not searched, or none meets the target. */
  readonly burst: NeededBurst | null;
  /** Null: no candidate meets the target. */
  readonly choice: FoundRate | null;
  /** Null: the search is complete. */
  readonly cut: CutSearch | null;
}

/** The requests that several limits refuse together, of those that the target is about. */
export interface LimitsTogether {
  readonly refused: number;
  readonly refusedClients: number;
  /** Of clients that are outliers of no window: how many there are, and what is refused of them. */
  readonly totals: RefusalTotals;
  readonly refusedOfOthers: number;
  readonly refusedOtherClients: number;
  readonly badRefused: number; // of requests that the target is not about
  readonly badRefusedClients: number;
  readonly mostAlone: number; // requests of these clients, by the one limit that refuses most of them
  readonly isMet: boolean; // whether the others get what the target promises
}

/** How far an interrupted search got. Candidates that were not searched are not in the result. */
export interface CutSearch {
  readonly searched: number;
  readonly of: number; // number of candidates
  /** Whether all rates under the other placements were found. Otherwise the result has none of them. */
  readonly isPlaced: boolean;
  /** Whether the outliers of each window were searched. */
  readonly isAdvised: boolean;
}
