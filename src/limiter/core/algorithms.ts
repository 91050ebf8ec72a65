// The traits of each algorithm, which the limiter, its stores and the readers of configurations use. All lists of
// algorithms have this order.
import type { AlgorithmTraits } from "./traits.ts";

const PLAIN = {
  place: "store",
  sentAsCommands: "never",
  isWrittenInBackground: false,
  isBounded: false,
  delays: false,
  lookbackWindows: 1,
  options: [],
} as const;

const REGISTRY = {
  // Fixed window (ALG-8, ALG-C3): a count with a window, which starts with a request or by the clock.
  fixed_window: { ...PLAIN, state: "counter", options: ["fixedWindowStart"] },
  // Sliding log (ALG-3, ALG-C2): every attempt of the last window, one script per decision.
  sliding_log: { ...PLAIN, state: "log", sentAsCommands: "in_transactions" },
  // Non-transactional log (ALG-7, ALG-C6): a sliding log as single commands; other requests act between them.
  non_transactional: { ...PLAIN, state: "log", sentAsCommands: "always" },
  // Sentinel (ALG-C5): a mark in the store decides, and the log is written after the decision.
  sentinel: { ...PLAIN, state: "log", isWrittenInBackground: true, options: ["sentinelMark"] },
  // DRL (ALG-C4): each gateway counts its share in a fixed window of its own; the store gets no operation.
  drl: { ...PLAIN, state: "counter", place: "gateway" },
  // Token bucket (ALG-C9): a debt that is paid off at the rate, and a burst of a whole window.
  token_bucket: { ...PLAIN, state: "debt" },
  // GCRA (ALG-C9): the debt of the token bucket with a configured burst, which spaces requests.
  gcra: { ...PLAIN, state: "debt", options: ["burst"] },
  // Sliding window counter (ALG-C9): two windows by the clock, the older one weighted by its overlap.
  sliding_window_counter: { ...PLAIN, state: "two_windows", lookbackWindows: 2 },
  // Bounded log (ALG-C9): a sliding log that drops attempts which can no longer decide anything.
  bounded_log: { ...PLAIN, state: "log", isBounded: true },
  // Leaky bucket (ALG-C10): requests leave at even intervals, and those that arrive earlier wait in a queue.
  leaky_bucket: { ...PLAIN, state: "queue", delays: true, options: ["queue"] },
} as const satisfies Readonly<Record<string, AlgorithmTraits>>;

export type Algorithm = keyof typeof REGISTRY;

export const TRAITS: Readonly<Record<Algorithm, AlgorithmTraits>> = REGISTRY;

/** Only logs are smoothed (SMO-C5), and only logs write refused requests (ALG-3). */
export const isLogBased = (algorithm: Algorithm): boolean => TRAITS[algorithm].state === "log";

/** Whether the option `burst` changes what is admitted. Null: no algorithm, as in some profiles. */
export const readsBurst = (algorithm: Algorithm | null): boolean =>
  algorithm !== null && TRAITS[algorithm].options.includes("burst");

export const ALGORITHMS = Object.keys(REGISTRY) as unknown as readonly [Algorithm, ...Algorithm[]];

/** Algorithms that decide every request at once and delay none (ALG-C10). */
export const IMMEDIATE_ALGORITHMS = ALGORITHMS.filter((name) => !TRAITS[name].delays);
