// What the specification states of each algorithm: its description, its budget, and the most that it may admit. This
// file imports no rule, because checks compare the limiter with it.
import type { AlgorithmSpec, LimitFacts } from "./algorithm-spec.ts";
import {
  budgetsDuring,
  clockWindowsDuring,
  paidBack,
  paidDuring,
  rateAlone,
  twoWindows,
  wholeRateOf,
} from "./bounds.ts";

const FIXED_WINDOW: AlgorithmSpec = {
  about:
    "Counts admitted requests in windows of `per`. A window begins with its first request, or with the clock (`fixed_window_start`).",
  countsAttempts: false,
  isBounded: false,
  delays: false,
  countedBy: "store",
  overshootsBy: null,
  counts: "window",
  reachWindows: 1,
  options: ["fixedWindowStart"],
  budget: wholeRateOf,
  mostInWindow: (limit) => {
    const budget = wholeRateOf(limit);
    return limit.fixedWindowStart === "clock"
      ? { most: 2 * budget, because: `2 x ${budget}`, origin: "stated" }
      : twoWindows(budget);
  },
  mostDuring: (limit, during) =>
    (limit.fixedWindowStart === "clock" ? clockWindowsDuring : budgetsDuring)(
      wholeRateOf(limit),
      limit,
      during,
    ),
};

const SLIDING_LOG: AlgorithmSpec = {
  about:
    "The default. Keeps the time of every attempt of the last `per`, refused ones too: a client that stays above its limit stays refused.",
  countsAttempts: true,
  isBounded: false,
  delays: false,
  countedBy: "store",
  overshootsBy: null,
  counts: "lookback",
  reachWindows: 1,
  options: [],
  budget: wholeRateOf,
  mostInWindow: rateAlone,
  mostDuring: (limit, during) => budgetsDuring(wholeRateOf(limit), limit, during),
};

const NON_TRANSACTIONAL: AlgorithmSpec = {
  ...SLIDING_LOG,
  about:
    "The sliding log as a pipeline of commands. Commands of other requests run in between, so that too many may be admitted.",
  overshootsBy: "commands",
};

const SENTINEL: AlgorithmSpec = {
  ...SLIDING_LOG,
  about:
    "A sliding log that is written after the response. A mark in the store refuses requests; those that arrive before the mark is set are admitted.",
  overshootsBy: "mark",
  reachWindows: 2, // a request counts for one window, and its mark for another
};

/** ALG-C4: each gateway's share is at least one, unless the limit admits nothing. */
const shareOf = (limit: LimitFacts): number =>
  wholeRateOf(limit) < 1 ? 0 : Math.max(1, Math.floor(limit.rate / limit.gateways));

const DRL: AlgorithmSpec = {
  about:
    "Each gateway counts its share of `rate` for itself, in windows that begin with a request; the store counts nothing.",
  countsAttempts: false,
  isBounded: false,
  delays: false,
  countedBy: "gateway",
  overshootsBy: null,
  counts: "window",
  reachWindows: 1,
  options: [],
  budget: shareOf,
  mostInWindow: (limit) => twoWindows(shareOf(limit)),
  mostDuring: (limit, during) => budgetsDuring(shareOf(limit), limit, during),
};

const TOKEN_BUCKET: AlgorithmSpec = {
  about: "Refills at `rate` per `per`, and holds `rate` at most. Refused requests cost nothing.",
  countsAttempts: false,
  isBounded: false,
  delays: false,
  countedBy: "store",
  overshootsBy: null,
  counts: "debt",
  reachWindows: Number.POSITIVE_INFINITY,
  options: [],
  budget: wholeRateOf,
  mostInWindow: (limit) => paidBack(limit, wholeRateOf(limit)),
  mostDuring: (limit, during) => paidDuring(wholeRateOf(limit), limit, during),
};

/** If the limit admits nothing, its burst is 0 too (LIM-C2). */
const burstOf = (limit: LimitFacts): number =>
  limit.burst === "rate" || wholeRateOf(limit) < 1 ? wholeRateOf(limit) : limit.burst;

const GCRA: AlgorithmSpec = {
  ...TOKEN_BUCKET,
  about:
    "Spaces requests: one every `per` / `rate`, and `burst` of them at once (1 unless it is set). Refused requests cost nothing.",
  options: ["burst"],
  budget: burstOf,
  mostInWindow: (limit) => paidBack(limit, burstOf(limit)),
  mostDuring: (limit, during) => paidDuring(burstOf(limit), limit, during),
};

const SLIDING_WINDOW_COUNTER: AlgorithmSpec = {
  about:
    "Two windows by the clock: admitted requests of the previous window are weighted by its overlap with the sliding window.",
  countsAttempts: false,
  isBounded: false,
  delays: false,
  countedBy: "store",
  overshootsBy: null,
  counts: "lookback",
  reachWindows: 2,
  options: [],
  budget: wholeRateOf,
  mostInWindow: (limit) => ({
    ...paidBack(limit, wholeRateOf(limit)),
    origin: "measured",
  }),
  // With n requests before an edge and m in the first part x of the next window, n (1 - x) + m never exceeds the rate.
  mostDuring: (limit, during) => paidDuring(limit.rate < 1 ? 0 : limit.rate, limit, during),
};

const BOUNDED_LOG: AlgorithmSpec = {
  ...SLIDING_LOG,
  about:
    "A sliding log that stores only the newest attempts, admitted or refused: as many as the `rate`.",
  isBounded: true,
};

/** How many requests a queue admits at once: one leaves, and the others wait for their turns. */
const placesOf = (limit: LimitFacts): number => {
  const whole = wholeRateOf(limit);
  return whole < 1 ? 0 : 1 + (limit.queue === "rate" ? whole : limit.queue);
};

const LEAKY_BUCKET: AlgorithmSpec = {
  ...TOKEN_BUCKET,
  about:
    "Lets one request leave every `per` / `rate`. An earlier request waits for its turn. If `queue` requests wait (default: as many as the rate), the next one is refused.",
  delays: true,
  options: ["queue"],
  budget: placesOf,
  // With decimals, the number of requests that leave in a window can be 1 more than the whole part of the rate.
  mostInWindow: (limit) => ({
    most: wholeRateOf(limit) < 1 ? 0 : Math.ceil(limit.rate),
    because: Number.isInteger(limit.rate) ? "the rate" : "the rate, rounded up",
    origin: Number.isInteger(limit.rate) ? "stated" : "derived",
  }),
  mostDuring: (limit, during) => paidDuring(placesOf(limit), limit, during),
};

const REGISTRY = {
  fixed_window: FIXED_WINDOW,
  sliding_log: SLIDING_LOG,
  non_transactional: NON_TRANSACTIONAL,
  sentinel: SENTINEL,
  drl: DRL,
  token_bucket: TOKEN_BUCKET,
  gcra: GCRA,
  sliding_window_counter: SLIDING_WINDOW_COUNTER,
  bounded_log: BOUNDED_LOG,
  leaky_bucket: LEAKY_BUCKET,
} as const satisfies Readonly<Record<string, AlgorithmSpec>>;

export type SpecifiedAlgorithm = keyof typeof REGISTRY;

/** LIM-C9: counts in windows that begin with a request; a quota that never renews has a single window. */
const QUOTA: AlgorithmSpec = {
  ...FIXED_WINDOW,
  about: "Counts admitted requests of a renewal period.",
  options: [],
  mostInWindow: (limit) =>
    Number.isFinite(limit.perUs) ? twoWindows(wholeRateOf(limit)) : rateAlone(limit),
  mostDuring: (limit, during) => budgetsDuring(wholeRateOf(limit), limit, during),
};

export const SPECS: Readonly<Record<SpecifiedAlgorithm | "quota", AlgorithmSpec>> = {
  ...REGISTRY,
  quota: QUOTA,
};

export const SPECIFIED = Object.keys(REGISTRY) as readonly SpecifiedAlgorithm[];

const BY_NAME: ReadonlyMap<string, AlgorithmSpec> = new Map(Object.entries(SPECS));

/** The algorithm with the name in a history or a report; undefined if the name is no algorithm. */
export const specCalled = (name: string): AlgorithmSpec | undefined => BY_NAME.get(name);
