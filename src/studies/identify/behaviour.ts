// The behaviours that outside traffic can distinguish. Algorithms that decide every request alike are one behaviour.
import { SECOND } from "../../kit/units.ts";

interface BehaviourClass {
  readonly title: string;
  /** Weir's algorithms with this behaviour. If `gateway` has an imitation, the title states the difference. */
  readonly algorithms: readonly string[];
  /** Options of Weir's gateway with this behaviour, as a world has them. */
  readonly gateway: string;
  readonly counts: "refusals too" | "admitted requests alone" | null; // null: refusals make no difference
  readonly windows: "with the first request" | "with the clock" | "at times of their own" | null; // null: none
  readonly clock: "whole seconds" | "less than a second" | null; // steps of the clock; null: traffic cannot show them
  /** The limit regains one request at a time: `capacity` is the burst, and `spanUs` the time for one more request. */
  readonly isPaced?: true;
}

const WINDOW = "algorithm: fixed_window";
const BUCKET = "algorithm: token_bucket";
const TWO_WINDOWS = "algorithm: sliding_window_counter";
const LOG = "algorithm: sliding_log";
const FINE = "less than a second";
const FIRST = "with the first request";
const CLOCK = "with the clock";
const FREE = "admitted requests alone";

/**
 * The classes follow from the rules of the algorithms, not from results. A token bucket is gcra with a burst of its
 * rate. DRL on one gateway is a fixed window. A bounded log drops only attempts that decide nothing. The pipelined log
 * and the sentinel write the same attempts, and admit too many only if store operations overlap. A fixed window refuses
 * until its end whether or not it counts refusals, so traffic cannot show which.
 */
export const BEHAVIOURS = {
  window: {
    title: "a fixed window that begins with its first request",
    algorithms: ["fixed_window", "drl"],
    gateway: WINDOW,
    counts: null,
    windows: FIRST,
    clock: FINE,
  },
  clock_window: {
    title: "a fixed window that begins with the clock",
    algorithms: ["fixed_window"],
    gateway: `${WINDOW}, fixed_window_start: clock`,
    counts: null,
    windows: CLOCK,
    clock: null,
  },
  key_window: {
    title: "fixed windows that follow each other since the first request of a client",
    algorithms: ["fixed_window"],
    gateway: `${WINDOW}, imitate: { window_start: first_of_key }`,
    counts: null,
    windows: "at times of their own",
    clock: FINE,
  },
  shifted_window: {
    title: "fixed windows that follow each other, and begin at times of their own",
    algorithms: ["fixed_window"],
    gateway: `${WINDOW}, fixed_window_start: clock`,
    counts: null,
    windows: "at times of their own",
    clock: null,
  },
  extended_window: {
    title: "a fixed window that each refused request begins anew",
    algorithms: ["fixed_window"],
    gateway: `${WINDOW}, imitate: { refused: extends }`,
    counts: "refusals too",
    windows: FIRST,
    clock: FINE,
  },
  stepped_window: {
    title: "a fixed window that begins with the whole second of its first request",
    algorithms: ["fixed_window"],
    gateway: `${WINDOW}, imitate: { clock_resolution: 1s }`,
    counts: null,
    windows: FIRST,
    clock: "whole seconds",
  },
  bucket: {
    title: "a token bucket that refills steadily",
    algorithms: ["token_bucket", "gcra"],
    gateway: BUCKET,
    counts: FREE,
    windows: null,
    clock: FINE,
    isPaced: true,
  },
  whole_bucket: {
    title: "a token bucket of whole tokens, of which each admission loses a fraction",
    algorithms: ["token_bucket", "gcra"],
    gateway: `${BUCKET}, imitate: { tokens: whole }`,
    counts: FREE,
    windows: null,
    clock: FINE,
    isPaced: true,
  },
  stepped_bucket: {
    title: "a token bucket that refills by whole seconds",
    algorithms: ["token_bucket", "gcra"],
    gateway: `${BUCKET}, imitate: { clock_resolution: 1s }`,
    counts: FREE,
    windows: null,
    clock: "whole seconds",
    isPaced: true,
  },
  stepped_whole_bucket: {
    title:
      "a token bucket of whole tokens by whole seconds, of which each admission loses a fraction",
    algorithms: ["token_bucket", "gcra"],
    gateway: `${BUCKET}, imitate: { clock_resolution: 1s, tokens: whole }`,
    counts: FREE,
    windows: null,
    clock: "whole seconds",
    isPaced: true,
  },
  credit_bucket: {
    title: "a pace at which each request pays for the one before, with a second saved up",
    algorithms: ["token_bucket", "gcra"],
    gateway: `${BUCKET}, imitate: { tokens: on_credit }`,
    counts: FREE,
    windows: null,
    clock: FINE,
    isPaced: true,
  },
  window_bucket: {
    title: "a token bucket that refills steadily, and at most its size in a window too",
    algorithms: ["token_bucket", "gcra"],
    gateway: `${BUCKET}, imitate: { tokens: within_window }`,
    counts: FREE,
    windows: FIRST,
    clock: FINE,
  },
  queue: {
    title: "a queue: requests wait for their turns",
    algorithms: ["leaky_bucket"],
    gateway: "algorithm: leaky_bucket",
    counts: FREE,
    windows: null,
    clock: FINE,
    isPaced: true,
  },
  two_windows: {
    title: "a sliding window that weighs the window before",
    algorithms: ["sliding_window_counter"],
    gateway: TWO_WINDOWS,
    counts: FREE,
    windows: CLOCK,
    clock: FINE,
  },
  rounded_windows: {
    title: "a sliding window that weighs the window before in whole requests",
    algorithms: ["sliding_window_counter"],
    gateway: `${TWO_WINDOWS}, imitate: { weights: rounded_down }`,
    counts: FREE,
    windows: CLOCK,
    clock: FINE,
  },
  request_windows: {
    title: "a sliding window since a first request, which weighs the window before",
    algorithms: ["sliding_window_counter"],
    gateway: `${TWO_WINDOWS}, imitate: { window_start: first_request, weights: single_in_full }`,
    counts: FREE,
    windows: FIRST,
    clock: FINE,
  },
  counted_windows: {
    title: "a sliding window since a first request, which weighs every attempt before",
    algorithms: ["sliding_window_counter"],
    gateway: `${TWO_WINDOWS}, imitate: { refused: counted, window_start: first_request, weights: single_in_full }`,
    counts: "refusals too",
    windows: FIRST,
    clock: FINE,
  },
  log: {
    title: "a sliding log of every attempt",
    algorithms: ["sliding_log", "bounded_log"],
    gateway: LOG,
    counts: "refusals too",
    windows: null,
    clock: FINE,
  },
  free_log: {
    title: "a sliding log of admitted requests",
    algorithms: ["sliding_log"],
    gateway: `${LOG}, imitate: { refused: free }`,
    counts: FREE,
    windows: null,
    clock: FINE,
  },
  blocked_log: {
    title: "a sliding log, and a block for a window from the first refusal on",
    algorithms: ["sliding_log"],
    gateway: `${LOG}, imitate: { refused: free, block: per }`,
    counts: "refusals too",
    windows: null,
    clock: FINE,
  },
  loose_log: {
    title: "a sliding log of every attempt that admits too many requests at once",
    algorithms: ["non_transactional", "sentinel"],
    gateway: LOG,
    counts: "refusals too",
    windows: null,
    clock: FINE,
  },
  fixed_mark: {
    title: "a sentinel whose mark refuses for a whole window",
    algorithms: ["sentinel"],
    gateway: "algorithm: sentinel, sentinel_mark: fixed",
    counts: "refusals too",
    windows: null,
    clock: FINE,
  },
} as const satisfies Readonly<Record<string, BehaviourClass>>;

export type BehaviourName = keyof typeof BEHAVIOURS;

/**
 * A behaviour with its numbers. A window or log has `capacity` requests per `spanUs`. A paced behaviour has `capacity`
 * requests at once, and one more each `spanUs`.
 */
export interface LimitBehaviour {
  readonly name: BehaviourName;
  readonly capacity: number;
  readonly spanUs: number;
  /** Bounds of the measured span; without them `spanUs` is a single round number. */
  readonly rangeUs?: readonly [fromUs: number, toUs: number];
  /** Bounds of the count, if the limit regains requests faster than times can be measured. */
  readonly countRange?: readonly [least: number, most: number];
  /** A second limit of the same kind, which applies together with the first. */
  readonly second?: LimitNumbers;
  /** A refusal starts a pause: all requests are refused for this long. */
  readonly pauseUs?: number;
}

export interface LimitNumbers {
  readonly capacity: number;
  readonly spanUs: number;
  readonly rangeUs?: readonly [fromUs: number, toUs: number];
}

/** Whether a behaviour has two limits, or a limit and a pause, as no algorithm of Weir has. */
export const isComposed = ({ second, pauseUs }: LimitBehaviour): boolean =>
  second !== undefined || pauseUs !== undefined;

export const classOf = ({ name }: Pick<LimitBehaviour, "name">): BehaviourClass => BEHAVIOURS[name];

export const isPaced = (behaviour: Pick<LimitBehaviour, "name">): boolean =>
  classOf(behaviour).isPaced === true;

const TWO: ReadonlySet<BehaviourName> = new Set([
  "two_windows",
  "rounded_windows",
  "request_windows",
  "counted_windows",
]);

/** Whether requests of the previous window also count, by a weight. */
export const weighsWindows = ({ name }: Pick<LimitBehaviour, "name">): boolean => TWO.has(name);

const BY_CLOCK: ReadonlySet<BehaviourName> = new Set([
  "clock_window",
  "shifted_window",
  "stepped_window",
  "stepped_bucket",
  "stepped_whole_bucket",
  "two_windows",
  "rounded_windows",
]);

/** Whether the server's clock decides when windows or refills begin. */
export const readsClock = ({ name }: Pick<LimitBehaviour, "name">): boolean => BY_CLOCK.has(name);

/** The average time in which the limit regains one request. */
export const intervalUsOf = (behaviour: LimitBehaviour): number =>
  isPaced(behaviour) ? behaviour.spanUs : behaviour.spanUs / behaviour.capacity;

/** The time without requests after which the limiter is in its initial state. */
export function restUsOf(behaviour: LimitBehaviour): number {
  const { second, pauseUs, ...first } = behaviour;
  if (second !== undefined) return Math.max(restUsOf(first), restUsOf({ ...first, ...second }));
  if (pauseUs !== undefined) return Math.max(restUsOf(first), pauseUs);
  const { capacity, spanUs, name } = behaviour;
  if (name === "credit_bucket") return spanUs + SECOND;
  const stepUs = classOf(behaviour).clock === "whole seconds" ? SECOND : 0;
  if (isPaced(behaviour)) return spanUs * capacity + stepUs;
  return spanUs * (weighsWindows(behaviour) ? 2 : 1) + stepUs;
}

/** Spans that differ by a smaller share are treated as equal, because intervals are quotients of round numbers. */
const SAME_SPAN = 0.002;

const isSameSpan = (aUs: number, bUs: number): boolean => Math.abs(aUs - bUs) <= SAME_SPAN * bUs;

/** Whether `named` has the name and the numbers of `truth`. A range agrees if it includes the true number. */
export const isNamedBy = (named: LimitBehaviour, truth: LimitBehaviour): boolean => {
  if (named.name !== truth.name || !isSameSpan(named.pauseUs ?? 1, truth.pauseUs ?? 1))
    return false;
  const [second, own] = [named.second ?? NO_LIMIT, truth.second ?? NO_LIMIT];
  return hasNumbers(named, truth) && hasNumbers(second, own);
};

const NO_LIMIT: LimitNumbers = { capacity: 0, spanUs: 1 };

const hasNumbers = (
  named: LimitNumbers & Pick<LimitBehaviour, "countRange">,
  { capacity, spanUs }: LimitNumbers,
): boolean => {
  const [least, most] = named.countRange ?? [named.capacity, named.capacity];
  const [fromUs, toUs] = named.rangeUs ?? [named.spanUs, named.spanUs];
  return (
    capacity >= least &&
    capacity <= most &&
    spanUs >= fromUs * (1 - SAME_SPAN) &&
    spanUs <= toUs * (1 + SAME_SPAN)
  );
};

export const isSameBehaviour = (a: LimitBehaviour, b: LimitBehaviour): boolean =>
  a.name === b.name && a.capacity === b.capacity && isSameSpan(a.spanUs, b.spanUs);

/** The algorithms with the behaviour. With a capacity of 1, a window from the first request is a bucket too. */
export const algorithmsOf = ({ name, capacity }: LimitBehaviour): readonly string[] =>
  name === "bucket" && capacity === 1
    ? ["token_bucket", "gcra", "fixed_window", "drl", "leaky_bucket without a queue"]
    : BEHAVIOURS[name].algorithms;
