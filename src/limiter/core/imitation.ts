// How limiters of other products count differently from Weir's algorithms (docs/reference/profiles.md). For simulation
// only: counters in memory have these rules, and the scripts for Redis do not.
import type { Micros } from "../../kit/units.ts";

/** Differences from Weir's algorithm; null in a field: no difference. */
export interface Imitation {
  readonly clockResolutionUs: Micros | null; // the clock moves in steps of this length
  readonly refused: RefusedRequests | null;
  readonly windowStart: WindowStart | null;
  readonly windowEnd: "counted" | null; // a request exactly one window ago is still counted
  readonly lastOfWindow: LastOfWindow | null;
  readonly tokens: Tokens | null;
  readonly weights: Weights | null; // how the earlier of two windows is weighted
  readonly savedTurns: number | null; // a queue that refuses nothing: how many turns a client saves up while idle
  readonly changedLimit: ChangedLimit | null;
  readonly lifetime: "whole_seconds" | null; // a bucket is stored for twice its time to fill, rounded down; 0: never
  readonly levels: "in_sequence" | null; // each limit is spent before the next one is evaluated
  readonly blockUs: Micros | "per" | null; // a refusal blocks the client for this time
  readonly keys: number | null; // the most budgets of a limit; one more replaces the least recently used budget
}

/**
 * `counted_by_all`: a refused request is counted by every limit that it meets, not only by the one that refused it.
 * `opens_window`: it is counted only if it is the first request of a window.
 */
export const REFUSED_REQUESTS = [
  "free",
  "counted",
  "counted_by_all",
  "extends",
  "opens_window",
] as const;
type RefusedRequests = (typeof REFUSED_REQUESTS)[number];

/**
 * `first_of_key`: windows follow each other without a gap, from the first request of the client on. `drifting`: as
 * that, but with a gap of less than a millisecond between windows.
 */
export const WINDOW_STARTS = ["first_request", "first_of_key", "hash_of_key", "drifting"] as const;
type WindowStart = (typeof WINDOW_STARTS)[number];

/** The request that reaches the rate is refused if each client has a budget, and admitted if all clients share one. */
export const LASTS_OF_WINDOW = ["refused_by_client_limits"] as const;
type LastOfWindow = (typeof LASTS_OF_WINDOW)[number];

/**
 * `floating`: computed in floating point, so that rounding may lose one request of the weight. `single_in_full`:
 * rounded down, but a single earlier request has its full weight while the present window is empty.
 */
export const WEIGHTS = ["rounded_down", "floating", "single_in_full"] as const;
type Weights = (typeof WEIGHTS)[number];

/**
 * `whole`: a refill adds whole tokens, and each admission discards the fraction. `on_credit`: a request is admitted if
 * the debt is 0, whatever its cost is. `within_window`: each window also admits at most the rate.
 */
export const TOKENS = ["whole", "on_credit", "within_window"] as const;
type Tokens = (typeof TOKENS)[number];

/**
 * What remains of a budget after its limit is changed: as many units as before, the same share of the limit, or the
 * complete limit, because each rate has its own budget. Null: the spent units stay spent.
 */
export const CHANGED_LIMITS = ["units_stay", "share_stays", "new_budget"] as const;
type ChangedLimit = (typeof CHANGED_LIMITS)[number];
