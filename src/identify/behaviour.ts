// What traffic from outside can distinguish: several algorithms decide every request alike, and are one behaviour.
import { micros, formatDuration } from "../core/units.ts";
import { PLAIN_LIMIT, type LimitConfiguration } from "./model.ts";

/**
 * The behaviours, each with the algorithms that show it. The classes follow from the rules of the algorithms, and not
 * from any result: a token bucket is gcra with a burst of its rate; DRL on one gateway is a fixed window; a bounded log
 * drops only attempts that decide nothing; the pipelined log and the sentinel write the same attempts as each other, and
 * admit too many only if store operations overlap.
 */
export const BEHAVIOURS = {
  window: {
    title: "a fixed window that begins with its first request",
    algorithms: ["fixed_window", "drl"],
    countsRefusals: false,
  },
  clock_window: {
    title: "a fixed window that begins with the clock",
    algorithms: ["fixed_window"],
    countsRefusals: false,
  },
  bucket: {
    title: "a bucket that refills steadily",
    algorithms: ["token_bucket", "gcra"],
    countsRefusals: false,
  },
  queue: {
    title: "a queue: requests wait for their turns",
    algorithms: ["leaky_bucket"],
    countsRefusals: false,
  },
  two_windows: {
    title: "a sliding window that weighs the window before",
    algorithms: ["sliding_window_counter"],
    countsRefusals: false,
  },
  log: {
    title: "a sliding log of every attempt",
    algorithms: ["sliding_log", "bounded_log"],
    countsRefusals: true,
  },
  loose_log: {
    title: "a sliding log of every attempt that admits too many requests at once",
    algorithms: ["non_transactional", "sentinel"],
    countsRefusals: true,
  },
  fixed_mark: {
    title: "a sentinel whose mark refuses for a whole window",
    algorithms: ["sentinel"],
    countsRefusals: true,
  },
} as const;

export type BehaviourName = keyof typeof BEHAVIOURS;

/**
 * A behaviour with its numbers. Of windows and logs: `capacity` requests per `spanUs`. Of a bucket and a queue:
 * `capacity` requests at once, and one more each `spanUs`.
 */
export interface LimitBehaviour {
  readonly name: BehaviourName;
  readonly capacity: number;
  readonly spanUs: number;
}

export const isPaced = ({ name }: Pick<LimitBehaviour, "name">): boolean =>
  name === "bucket" || name === "queue";

/** How long one admitted request takes to be available again, on average. */
export const intervalUsOf = (behaviour: LimitBehaviour): number =>
  isPaced(behaviour) ? behaviour.spanUs : behaviour.spanUs / behaviour.capacity;

/** After so long without requests everything is as at first. */
export const restUsOf = (behaviour: LimitBehaviour): number =>
  isPaced(behaviour)
    ? behaviour.spanUs * behaviour.capacity
    : behaviour.spanUs * (behaviour.name === "two_windows" ? 2 : 1);

/** The behaviour of a configuration on one gateway. */
export function behaviourOf({
  algorithm,
  rate,
  perUs,
  burst,
  queue,
  fixedWindowStart,
  sentinelMark,
}: LimitConfiguration): LimitBehaviour {
  const capacity = Math.floor(rate);
  const intervalUs = perUs / rate;
  const window = (name: BehaviourName): LimitBehaviour => ({ name, capacity, spanUs: perUs });
  const bucket = (atOnce: number): LimitBehaviour => ({
    name: "bucket",
    capacity: atOnce,
    spanUs: intervalUs,
  });
  switch (algorithm) {
    case "fixed_window":
      if (fixedWindowStart === "clock") return window("clock_window");
      return capacity === 1 ? bucket(1) : window("window");
    case "drl":
      return capacity === 1 ? bucket(1) : window("window");
    case "token_bucket":
      return bucket(capacity);
    case "gcra":
      return bucket(burst === "rate" ? capacity : Math.min(capacity, burst));
    case "leaky_bucket": {
      const places = queue === "rate" ? capacity : queue;
      return places === 0 ? bucket(1) : { ...bucket(1 + places), name: "queue" };
    }
    case "sliding_window_counter":
      return window("two_windows");
    case "sliding_log":
    case "bounded_log":
      return window("log");
    case "non_transactional":
      return window("loose_log");
    case "sentinel":
      return window(sentinelMark === "fixed" ? "fixed_mark" : "loose_log");
  }
}

/** A configuration that shows the behaviour. */
export function configurationOf({ name, capacity, spanUs }: LimitBehaviour): LimitConfiguration {
  const window = { ...PLAIN_LIMIT, rate: capacity, perUs: spanUs };
  switch (name) {
    case "window":
      return { ...window, algorithm: "fixed_window" };
    case "clock_window":
      return { ...window, algorithm: "fixed_window", fixedWindowStart: "clock" };
    case "bucket":
      return { ...window, algorithm: "token_bucket", perUs: Math.round(spanUs * capacity) };
    case "queue": {
      // With the rate of a second or more, so that an interval with a fraction of a microsecond stays exact.
      const rate = Math.max(1, Math.round(1_000_000 / spanUs));
      const perUs = Math.round(spanUs * rate);
      return { ...window, algorithm: "leaky_bucket", rate, perUs, queue: capacity - 1 };
    }
    case "two_windows":
      return { ...window, algorithm: "sliding_window_counter" };
    case "log":
    case "loose_log":
      return { ...window, algorithm: "sliding_log" };
    case "fixed_mark":
      return { ...window, algorithm: "sentinel", sentinelMark: "fixed" };
  }
}

/** Intervals that differ by less are one: a limit is a rate per window, and both are round. */
const SAME_SPAN = 0.002;

export const isSameBehaviour = (a: LimitBehaviour, b: LimitBehaviour): boolean =>
  a.name === b.name &&
  a.capacity === b.capacity &&
  Math.abs(a.spanUs - b.spanUs) <= SAME_SPAN * b.spanUs;

/** The algorithms of the behaviour. With one request at a time, a window from the first request is a bucket too. */
export const algorithmsOf = ({ name, capacity }: LimitBehaviour): readonly string[] =>
  name === "bucket" && capacity === 1
    ? ["token_bucket", "gcra", "fixed_window", "drl", "leaky_bucket without a queue"]
    : BEHAVIOURS[name].algorithms;

export const numbersText = (behaviour: LimitBehaviour): string => {
  const { name, capacity, spanUs } = behaviour;
  const span = formatDuration(micros(Math.round(spanUs)));
  if (name === "bucket") return `${capacity} at once, and one more every ${span}`;
  if (name === "queue") return `one every ${span}, and ${capacity - 1} that wait`;
  return `${capacity} per ${span}`;
};
