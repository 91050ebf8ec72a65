// What the flags of replays can choose by name, apart from the code that does it: every start of Weir reads the flags,
// and few replay a log.
import { SECOND } from "../../kit/units.ts";
import type { Behaviour } from "../../lab/scenario/types.ts";

/**
 * A sliding log that does not count refused requests, as in most other limiters. The gateway has no such algorithm
 * (ALG-3), so it decides in virtual time only, by options that imitate it.
 */
export const FREE_LOG = "free_log";

/**
 * `before`: a request is admitted if all of its units are left, and spends them then. `after`: it is admitted if a
 * whole unit is left, and spends its units when it ends, because only the response shows them.
 */
export const CHARGE_TIMES = ["before", "after"] as const;
export type ChargeTime = (typeof CHARGE_TIMES)[number];

/** What clients do with a refused request. */
export const RETRIES = {
  "retry-after": { kind: "honour_retry_after", maxAttempts: 10 },
  backoff: { kind: "backoff", baseUs: SECOND, factor: 2, jitter: 0.5, maxAttempts: 10 },
  atb: { kind: "atb", bucket: 40, perMinute: 40, step: 1.2, stepAbove: 1.2, maxAttempts: 10 },
  "give-up": { kind: "ignore" },
} as const satisfies Readonly<Record<string, Behaviour>>;

export type RetryName = keyof typeof RETRIES;
export const RETRY_NAMES = Object.keys(RETRIES) as readonly RetryName[];
