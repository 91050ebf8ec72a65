// The numbers of the metrics while requests are served: typed arrays, indexed by algorithm and scope. Names and
// labels are added when metrics are read. The number of labels does not depend on clients and keys: algorithms, scopes
// and outcomes are few, and APIs are in the configuration.
import { ALGORITHMS, type Algorithm } from "../../limiter/core/algorithms.ts";
import { SCOPES, type Scope } from "../../limiter/core/budget.ts";
import type { Decision } from "../../limiter/core/decision.ts";
import type { Level } from "../../limiter/core/store.ts";

/** `unavailable`: store unreachable, and `on_store_error` is deny. `delayed`: admitted, but waits for its turn. */
export const OUTCOMES = ["admitted", "refused", "unavailable", "delayed"] as const;

const indexNames = <Name extends string>(names: readonly Name[]): Readonly<Record<Name, number>> =>
  Object.fromEntries(names.map((name, index) => [name, index])) as Record<Name, number>;

const ALGORITHM_AT: Readonly<Record<Algorithm, number>> = indexNames(ALGORITHMS);
const SCOPE_AT: Readonly<Record<Scope, number>> = indexNames(SCOPES);

const KINDS = ALGORITHMS.length * SCOPES.length + 1; // the last kind: no limit applies
const NO_LEVEL = KINDS - 1;

export const kindOf = (level: Level | null): number =>
  level === null
    ? NO_LEVEL
    : ALGORITHM_AT[level.algorithm] * SCOPES.length + SCOPE_AT[level.budget.scope];

interface LevelKind {
  readonly algorithm: Algorithm | "none";
  readonly level: Scope | "none";
}

export const kindAt = (index: number): LevelKind =>
  index === NO_LEVEL
    ? { algorithm: "none", level: "none" }
    : {
        algorithm: ALGORITHMS[Math.floor(index / SCOPES.length)]!,
        level: SCOPES[index % SCOPES.length]!,
      };

interface DecisionCounts {
  readonly decisions: Float64Array; // by kind and outcome
  readonly nearLimit: Float64Array; // by kind
  readonly shadows: Float64Array; // for each kind, the number admitted and the number refused
  withoutStore: number;
}

export const newCounts = (): DecisionCounts => ({
  decisions: new Float64Array(KINDS * OUTCOMES.length),
  nearLimit: new Float64Array(KINDS),
  shadows: new Float64Array(KINDS * 2),
  withoutStore: 0,
});

/** A request is near its limit if at most this share of the limit is left. */
const NEAR = 0.2;

export function countDecision(counts: DecisionCounts, decision: Decision): void {
  const { refused, level, delayUs, limit, remaining } = decision;
  const kind = kindOf(level);
  const outcome = delayUs > 0 ? 3 : refused === null ? 0 : refused === "store" ? 2 : 1;
  counts.decisions[kind * OUTCOMES.length + outcome]! += 1;
  if (decision.fallback) counts.withoutStore++;
  if (refused === null && limit > 0 && remaining <= limit * NEAR) counts.nearLimit[kind]! += 1;
}

export function countShadow(counts: DecisionCounts, level: Level, isRefused: boolean): void {
  counts.shadows[kindOf(level) * 2 + Number(isRefused)]! += 1;
}

// ---------------------------------------------------------------- durations

export interface DurationCounts {
  readonly untilUs: Float64Array; // upper bounds, the last one infinite
  readonly counts: Float64Array;
  sumUs: number;
}

export function newTimes(secondsUpTo: readonly number[]): DurationCounts {
  const untilUs = Float64Array.from([...secondsUpTo, Number.POSITIVE_INFINITY], (s) => s * 1e6);
  return { untilUs, counts: new Float64Array(untilUs.length), sumUs: 0 };
}

export function countTime(times: DurationCounts, us: number): void {
  const { untilUs, counts } = times;
  let at = 0;
  while (us > untilUs[at]!) at++;
  counts[at]! += 1;
  times.sumUs += us;
}

// ---------------------------------------------------------------- counts of each API

const STATUSES = 600;

export interface ApiCounts {
  readonly api: string;
  readonly byStatus: Float64Array;
  readonly upstream: DurationCounts;
  readonly allowance: Extremes;
}

const UPSTREAM_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export const newApiCounts = (api: string): ApiCounts => ({
  api,
  byStatus: new Float64Array(STATUSES),
  upstream: newTimes(UPSTREAM_SECONDS),
  allowance: newExtremes(),
});

export function countStatus({ byStatus }: ApiCounts, status: number): void {
  byStatus[status > 0 && status < STATUSES ? status : 0]! += 1;
}

/** Lowest and highest value of the last 30 to 60 seconds. A reader that reads every minute misses few values. */
interface Extremes {
  half: number; // the present half minute, numbered from 1970
  lowest: number;
  highest: number;
  lowestBefore: number;
  highestBefore: number;
}

const HALF_MINUTE_US = 30_000_000;

export const newExtremes = (): Extremes => ({
  half: 0,
  lowest: Number.POSITIVE_INFINITY,
  highest: Number.NEGATIVE_INFINITY,
  lowestBefore: Number.POSITIVE_INFINITY,
  highestBefore: Number.NEGATIVE_INFINITY,
});

export function recordExtreme(extremes: Extremes, value: number, atUs: number): void {
  turn(extremes, atUs);
  if (value < extremes.lowest) extremes.lowest = value;
  if (value > extremes.highest) extremes.highest = value;
}

/** Returns null if no value was recorded in the last 30 to 60 seconds. */
export function extremesAt(
  extremes: Extremes,
  atUs: number,
): { readonly lowest: number; readonly highest: number } | null {
  turn(extremes, atUs);
  const lowest = Math.min(extremes.lowest, extremes.lowestBefore);
  return Number.isFinite(lowest)
    ? { lowest, highest: Math.max(extremes.highest, extremes.highestBefore) }
    : null;
}

function turn(extremes: Extremes, atUs: number): void {
  const half = Math.floor(atUs / HALF_MINUTE_US);
  if (half === extremes.half) return;
  const isNext = half === extremes.half + 1;
  extremes.lowestBefore = isNext ? extremes.lowest : Number.POSITIVE_INFINITY;
  extremes.highestBefore = isNext ? extremes.highest : Number.NEGATIVE_INFINITY;
  extremes.lowest = Number.POSITIVE_INFINITY;
  extremes.highest = Number.NEGATIVE_INFINITY;
  extremes.half = half;
}
