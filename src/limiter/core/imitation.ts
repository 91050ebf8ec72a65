// How limiters of others count differently from Weir's algorithms (docs/profiles.md). For simulation: the counters in
// memory have these rules, and the scripts of Redis do not.
import type { Micros } from "../../kit/units.ts";

/** Null in each field: as the algorithm counts. */
export interface Imitation {
  readonly clockResolutionUs: Micros | null; // the clock moves in steps of this length
  readonly refused: RefusedRequests | null;
  readonly windowStart: WindowStart | null;
  readonly windowEnd: "counted" | null; // a request of exactly that age still counts
  readonly lastOfWindow: LastOfWindow | null;
  readonly tokens: Tokens | null;
  readonly weights: Weights | null; // of the earlier of two windows
  readonly savedTurns: number | null; // of a queue that refuses nothing: how many turns idle time saves up
  readonly changedLimit: ChangedLimit | null;
  readonly lifetime: "whole_seconds" | null; // of a bucket: twice its time to fill; with none it is never stored
  readonly levels: "in_sequence" | null; // a limit counts before the next one is evaluated
  readonly blockUs: Micros | "per" | null; // from the first refusal on, all requests of the client are refused
  readonly keys: number | null; // budgets of a limit; beyond that the least recently used one is dropped
}

/**
 * `counted_by_all`: a refused request counts at all limits that it meets, not only where it is refused. `opens_window`: it
 * counts where it is the first of a window.
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
 * `first_of_key`: windows follow each other without a gap, from the first request of the client on. `drifting`: with a gap
 * of less than a millisecond.
 */
export const WINDOW_STARTS = ["first_request", "first_of_key", "hash_of_key", "drifting"] as const;
type WindowStart = (typeof WINDOW_STARTS)[number];

/** The request that reaches the limit is refused by a limit with a budget for each client, not by one for all clients. */
export const LASTS_OF_WINDOW = ["refused_by_client_limits"] as const;
type LastOfWindow = (typeof LASTS_OF_WINDOW)[number];

/**
 * `floating`: as floating point computes the part that is left, so that a whole weight may lose one. `single_in_full`:
 * rounded down, but a single request has its whole weight while the present window has none.
 */
export const WEIGHTS = ["rounded_down", "floating", "single_in_full"] as const;
type Weights = (typeof WEIGHTS)[number];

/**
 * `whole`: a refill adds whole tokens, and its fraction is lost at each admission. `on_credit`: a request is admitted if
 * nothing is owed, and the next one waits until it is paid. `within_window`: at most the rate in each window too.
 */
export const TOKENS = ["whole", "on_credit", "within_window"] as const;
type Tokens = (typeof TOKENS)[number];

/**
 * Left after a change: as many units as before, the same share of the limit, or everything, because each rate has
 * a budget of its own. Null: as much was spent as before.
 */
export const CHANGED_LIMITS = ["units_stay", "share_stays", "new_budget"] as const;
type ChangedLimit = (typeof CHANGED_LIMITS)[number];
