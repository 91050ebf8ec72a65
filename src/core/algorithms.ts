// The registry of algorithms, in the order in which they are listed everywhere.
import { traits as boundedLog } from "../algorithms/bounded-log/traits.ts";
import { traits as drl } from "../algorithms/drl/traits.ts";
import { traits as fixedWindow } from "../algorithms/fixed-window/traits.ts";
import { traits as gcra } from "../algorithms/gcra/traits.ts";
import { traits as leakyBucket } from "../algorithms/leaky-bucket/traits.ts";
import { traits as nonTransactional } from "../algorithms/non-transactional/traits.ts";
import { traits as sentinel } from "../algorithms/sentinel/traits.ts";
import { traits as slidingLog } from "../algorithms/sliding-log/traits.ts";
import { traits as slidingWindowCounter } from "../algorithms/sliding-window-counter/traits.ts";
import { traits as tokenBucket } from "../algorithms/token-bucket/traits.ts";
import type { AlgorithmTraits } from "./traits.ts";

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
} as const satisfies Readonly<Record<string, AlgorithmTraits>>;

export type Algorithm = keyof typeof REGISTRY;

export const TRAITS: Readonly<Record<Algorithm, AlgorithmTraits>> = REGISTRY;

/** Only these are smoothed (SMO-C5), and only these write what they refuse (ALG-3). */
export const isLogBased = (algorithm: Algorithm): boolean => TRAITS[algorithm].state === "log";

/** Whether the option `burst` changes what is admitted. Null: no algorithm, as in some profiles. */
export const readsBurst = (algorithm: Algorithm | null): boolean =>
  algorithm !== null && TRAITS[algorithm].options.includes("burst");

export const ALGORITHMS = Object.keys(REGISTRY) as unknown as readonly [Algorithm, ...Algorithm[]];

/** Those that admit or refuse every request at once, and delay none (ALG-C10). */
export const IMMEDIATE_ALGORITHMS = ALGORITHMS.filter((name) => !TRAITS[name].delays);
