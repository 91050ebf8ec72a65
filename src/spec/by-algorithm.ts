// The registry of what the specification states, by algorithm.
import { spec as boundedLog } from "../algorithms/bounded-log/spec.ts";
import { spec as drl } from "../algorithms/drl/spec.ts";
import { spec as fixedWindow } from "../algorithms/fixed-window/spec.ts";
import { spec as gcra } from "../algorithms/gcra/spec.ts";
import { spec as leakyBucket } from "../algorithms/leaky-bucket/spec.ts";
import { spec as nonTransactional } from "../algorithms/non-transactional/spec.ts";
import { spec as sentinel } from "../algorithms/sentinel/spec.ts";
import { spec as slidingLog } from "../algorithms/sliding-log/spec.ts";
import { spec as slidingWindowCounter } from "../algorithms/sliding-window-counter/spec.ts";
import { spec as tokenBucket } from "../algorithms/token-bucket/spec.ts";
import type { AlgorithmSpec } from "./algorithm-spec.ts";
import { budgetsDuring, rateAlone, twoWindows, wholeRateOf } from "./bounds.ts";

const REGISTRY = {
  fixed_window: fixedWindow,
  sliding_log: slidingLog,
  non_transactional: nonTransactional,
  sentinel,
  drl,
  token_bucket: tokenBucket,
  gcra,
  sliding_window_counter: slidingWindowCounter,
  bounded_log: boundedLog,
  leaky_bucket: leakyBucket,
} as const satisfies Readonly<Record<string, AlgorithmSpec>>;

export type SpecifiedAlgorithm = keyof typeof REGISTRY;

/** LIM-C9: a count in windows that begin with a request; one that never renews has a single window. */
const QUOTA: AlgorithmSpec = {
  ...fixedWindow,
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

/** By the name that a history or a report has; unset for a name that is no algorithm. */
export const specCalled = (name: string): AlgorithmSpec | undefined => BY_NAME.get(name);
