// The package's entry `weir/core`: the limiter with the memory store, without Node and without any package.
import { ALGORITHMS, type Algorithm } from "../limiter/core/algorithms.ts";
import { passingClient } from "../limiter/core/client.ts";
import type { Scope } from "../limiter/core/budget.ts";
import { MOST_COST } from "../limiter/core/cost.ts";
import { newDecision } from "../limiter/core/decision.ts";
import { hasAtMostSixDecimals } from "../limiter/core/limit.ts";
import { decideNow, limiter, LOCAL_STORE_TRAITS, prepare } from "../limiter/core/limiter.ts";
import type { Resolved } from "../limiter/core/resolve/resolved.ts";
import { resolver } from "../limiter/core/resolve/resolver.ts";
import type { Intent } from "../limiter/core/store.ts";
import { micros } from "../kit/units.ts";
import { localStore, memoryStore } from "../limiter/store/memory.ts";
import { DEFAULT_OPTIONS } from "../limiter/world/options.ts";

export type { Algorithm };

export interface RateLimit {
  /** Requests per window: 0 admits none; else at least 1, with at most six decimals. A window admits the whole part. */
  readonly rate: number;
  /** The window, in whole microseconds. */
  readonly perUs: number;
}

export interface RateLimiterOptions {
  readonly algorithm: Algorithm;
  /** The limit of each client. */
  readonly perClient?: RateLimit;
  /** The limit of all clients together. */
  readonly shared?: RateLimit;
  /** Only gcra: the most requests that a limit admits at one instant. The default is 1; "rate": the limit's rate. */
  readonly burst?: number | "rate";
  /** Only leaky_bucket: the most requests that wait at the same time. The default is "rate", the rate of the limit. */
  readonly queue?: number | "rate";
  /** Only fixed_window: a window starts with the first request (default), or at a multiple of its length. */
  readonly fixedWindowStart?: "first_request" | "clock";
}

export interface RateDecision {
  readonly admitted: boolean;
  /** The limit that refused; null: the request is admitted. */
  readonly refusedBy: "perClient" | "shared" | null;
  /** Only leaky_bucket: microseconds that an admitted request has to wait for its turn. 0: it may continue at once. */
  readonly delayUs: number;
  /** Microseconds until a retry can be admitted. 0: admitted; infinity: no wait helps. */
  readonly retryAfterUs: number;
  /** The limit with the fewest units left: its rate, the units left, and microseconds until all are available. */
  readonly limit: number;
  readonly remaining: number;
  readonly resetUs: number;
}

export interface RateLimiter {
  /**
   * Decides one request of a client. Every limit is evaluated before any is spent. `nowUs`: microseconds since 1970.
   * `cost`: the units that the request spends of each limit, 1 to 1000; the default is 1.
   */
  readonly decide: (client: string, nowUs: number, cost?: number) => RateDecision;
  /** The same decision, as a dry run: nothing is spent. */
  readonly evaluate: (client: string, nowUs: number, cost?: number) => RateDecision;
}

/**
 * A limiter whose counters are in the memory of this process. A client's counter is dropped after it has expired. Throws
 * a RangeError for an invalid option.
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { algorithm, perClient, shared, burst = 1, queue = "rate" } = options;
  const { fixedWindowStart = "first_request" } = options;
  requireOneOf("algorithm", algorithm, ALGORITHMS);
  requireOneOf("fixedWindowStart", fixedWindowStart, ["first_request", "clock"]);
  if (perClient === undefined && shared === undefined)
    throw new RangeError("a limiter needs a limit: perClient, shared or both");
  if (burst !== "rate" && !(Number.isInteger(burst) && burst >= 1))
    throw new RangeError(`burst is an integer of at least 1, or "rate", not ${burst}`);
  if (queue !== "rate" && !(Number.isInteger(queue) && queue >= 0))
    throw new RangeError(`queue is an integer of at least 0, or "rate", not ${queue}`);
  const configuration = {
    apis: new Map(),
    policies: new Map(),
    keys: new Map(),
    options: { ...DEFAULT_OPTIONS, algorithm, burst, queue, fixedWindowStart },
    shadow: null,
  };
  const resolved: Resolved = {
    id: 0,
    api: shared === undefined ? null : budgetOf("shared", "api", shared),
    key: perClient === undefined ? null : budgetOf("perClient", "key", perClient),
    quota: null,
    quotaAtApi: null,
  };
  const store = localStore(memoryStore(), memoryStore());
  const own = limiter(resolver(configuration), store, LOCAL_STORE_TRAITS, null);
  // Shared by all requests, because one object per request would become garbage.
  const passing = passingClient();
  const into = newDecision();
  const decide = (name: string, nowUs: number, units: number, intent: Intent): RateDecision => {
    if (!Number.isSafeInteger(nowUs) || nowUs < 0)
      throw new RangeError(`nowUs is a number of whole microseconds, not ${nowUs}`);
    if (!Number.isInteger(units) || units < 1 || units > MOST_COST)
      throw new RangeError(`cost is an integer from 1 to ${MOST_COST}, not ${units}`);
    const atUs = micros(nowUs);
    passing.identity = name;
    const prepared = prepare(own, resolved, atUs);
    const decision = decideNow(own, prepared, passing, atUs, intent, units, into);
    const { refused, level, delayUs, retryAfterUs, limit, remaining, resetUs } = decision;
    const refusedBy = refused === null || level === null ? null : nameOf(level.budget.scope);
    return {
      admitted: refused === null,
      refusedBy,
      delayUs,
      retryAfterUs,
      limit,
      remaining,
      resetUs,
    };
  };
  return {
    decide: (name, nowUs, cost = 1) => decide(name, nowUs, cost, "spend"),
    evaluate: (name, nowUs, cost = 1) => decide(name, nowUs, cost, "evaluate"),
  };
}

const nameOf = (scope: Scope): "perClient" | "shared" => (scope === "api" ? "shared" : "perClient");

function budgetOf(space: string, scope: "api" | "key", { rate, perUs }: RateLimit) {
  if (rate !== 0 && !(rate >= 1 && hasAtMostSixDecimals(rate)))
    throw new RangeError(
      `${space}.rate is 0, or at least 1 with at most six decimals, not ${rate}`,
    );
  if (!Number.isSafeInteger(perUs) || perUs < 1)
    throw new RangeError(`${space}.perUs is a number of whole microseconds, not ${perUs}`);
  return { space, scope, limit: { rate, perUs: micros(perUs), smoothing: null }, because: [] };
}

function requireOneOf(name: string, value: string, known: readonly string[]): void {
  if (!known.includes(value))
    throw new RangeError(`${name} is one of ${known.join(", ")}, not "${value}"`);
}
