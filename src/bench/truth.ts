// What was admitted against what a limit allows, in buckets of several lengths: how far it is from the limit in the
// long run, to either side.
import { TRAITS, type Algorithm } from "../core/algorithms.ts";
import type { Micros } from "../core/units.ts";
import { isAdmitted } from "./load/load.ts";
import type { TruthSuite } from "./read-truth.ts";
import type { RunOnMachine } from "./result.ts";
import type { StoreKind } from "./suite.ts";

export const TRUTH_FORMAT = "weir-truth/1";

export interface TruthResult extends RunOnMachine {
  readonly format: typeof TRUTH_FORMAT;
  readonly limit: AllowedRate;
  readonly perSecond: number; // offered to each
  readonly lastsUs: Micros;
  readonly subjects: readonly TruthOf[];
  readonly stopped: string | null;
  readonly warnings: readonly string[]; // with one of them it has not shown that a limiter is right
  /** A file without it was cut off. */
  readonly footer: { readonly subjects: number; readonly outside: number; readonly errors: number };
}

export interface AllowedRate {
  readonly rate: number;
  readonly perUs: Micros;
}

export interface TruthSubject {
  readonly name: string;
  /** A control is known to be wrong: a run that does not see that has shown nothing. */
  readonly role: "cell" | "control";
  readonly algorithm: Algorithm;
  readonly store: StoreKind;
  readonly rate: number; // that it is told; the run judges everybody by that of the suite
}

export interface TruthOf extends TruthSubject {
  readonly answers: number;
  readonly admitted: number;
  readonly errors: number; // no answer, and neither 2xx nor 429
  readonly byGateway: readonly InBuckets[]; // by the time at which it took a request up
  readonly bySender: readonly InBuckets[]; // by the time at which the answer was there
  readonly most: number; // admitted within any one window, by the gateway's clock
  readonly inFlight: number; // admitted ones under way together, at most, by its own log
  readonly bound: StatedBound;
  readonly lengths: readonly MostIn[]; // a window, the buckets, and the whole run
  readonly tooSoon: number; // refused while there was room
  readonly faults: readonly string[];
  readonly verdict: "within" | "outside";
}

/** Wherever it begins. */
export interface MostIn {
  readonly us: Micros;
  readonly most: number;
  readonly stated: number;
}

/** What is stated of the most in any one window. */
export interface StatedBound {
  readonly most: number | null;
  readonly because: string;
}

export interface InBuckets {
  readonly us: Micros;
  readonly count: number; // whole ones
  readonly overshoot: Share; // admitted beyond what is allowed
  readonly undershoot: Share; // allowed and not admitted, though asked for
}

/** Of what is allowed. */
export interface Share {
  readonly worst: number;
  readonly mean: number;
}

/** And some that are told another rate: a run that cannot see them cannot see anything. */
export const truthSubjects = ({
  algorithms,
  stores,
  rate,
}: TruthSuite): readonly TruthSubject[] => [
  ...stores.flatMap((store) =>
    algorithms.map((algorithm): TruthSubject => ({
      name: `${algorithm} ${store}`,
      role: "cell",
      algorithm,
      store,
      rate,
    })),
  ),
  ...WRONG.map(({ name, rateOf }): TruthSubject => ({
    name,
    role: "control",
    algorithm: "fixed_window",
    store: "memory",
    rate: rateOf(rate),
  })),
];

const WRONG: readonly { readonly name: string; readonly rateOf: (rate: number) => number }[] = [
  { name: "twice the rate", rateOf: (rate) => 2 * rate },
  { name: "half as much again", rateOf: (rate) => Math.ceil(1.5 * rate) },
  { name: "a tenth of the rate", rateOf: (rate) => Math.floor(rate / 10) },
];

/** Since the load began, by whichever clock. */
export interface Request {
  readonly atUs: number;
  readonly tookUs: number;
  readonly status: number;
}

/**
 * What nobody asked for could not be admitted, and is no undershoot. A bucket that the run is too short for is left
 * out.
 */
export function inBuckets(
  requests: readonly Request[],
  { rate, perUs }: AllowedRate,
  lastsUs: Micros,
  bucketsUs: readonly Micros[],
): readonly InBuckets[] {
  return bucketsUs.flatMap((us): readonly InBuckets[] => {
    const count = Math.floor(lastsUs / us);
    if (count === 0) return [];
    const allowed = (rate * us) / perUs;
    const buckets = Array.from({ length: count }, () => ({ asked: 0, admitted: 0 }));
    for (const { atUs, status } of requests) {
      const bucket = buckets[Math.floor(atUs / us)];
      if (bucket === undefined) continue;
      bucket.asked++;
      if (isAdmitted(status)) bucket.admitted++;
    }
    const over = buckets.map(({ admitted }) => Math.max(0, admitted / allowed - 1));
    const under = buckets.map(({ asked, admitted }) =>
      Math.max(0, (Math.min(asked, allowed) - admitted) / allowed),
    );
    return [{ us, count, overshoot: shareOf(over), undershoot: shareOf(under) }];
  });
}

const shareOf = (each: readonly number[]): Share => ({
  worst: Math.max(...each),
  mean: each.reduce((sum, one) => sum + one, 0) / each.length,
});

/**
 * The most that lie within less than one window. Whole milliseconds, cut off, do no limiter wrong: times that are a
 * window of whole milliseconds apart or more are so after cutting off as well.
 */
export function mostWithin(requests: readonly Request[], perUs: Micros): number {
  const inOrder = requests
    .flatMap(({ atUs, status }) => (isAdmitted(status) ? [atUs] : []))
    .toSorted((a, b) => a - b);
  let most = 0;
  let first = 0;
  for (const [at, us] of inOrder.entries()) {
    while (us - inOrder[first]! >= perUs) first++;
    most = Math.max(most, at - first + 1);
  }
  return most;
}

/**
 * How many were under way together. What the sentinel writes behind its answer still counts; it is given as long for
 * that as the answer took.
 */
export function mostTogether(algorithm: Algorithm, requests: readonly Request[]): number {
  const times = TRAITS[algorithm].isWrittenInBackground ? 2 : 1;
  const moves = requests
    .flatMap(({ atUs, tookUs }) => [
      { atUs, by: 1 },
      { atUs: atUs + times * tookUs, by: -1 },
    ])
    .toSorted((a, b) => a.atUs - b.atUs || b.by - a.by);
  let now = 0;
  let most = 0;
  for (const { by } of moves) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
}

const LOG_STEP_US = 1_000; // in which its times are told

/** Of one key, from the access log of a gateway, with times since `startUs`. */
export function requestsInLog(text: string, keyId: string, startUs: number): readonly Request[] {
  return text.split("\n").flatMap((line): readonly Request[] => {
    if (!line.endsWith("}")) return []; // the last one may be half written
    const { kind, key, time, status, durationMs } = JSON.parse(line) as LogLine;
    if (kind !== "request" || key !== keyId || time === undefined || status == null) return [];
    const tookUs = (durationMs ?? 0) * 1_000 + LOG_STEP_US;
    return [{ atUs: Date.parse(time) * 1_000 - startUs, tookUs, status }];
  });
}

interface LogLine {
  readonly kind?: string;
  readonly key?: string | null;
  readonly time?: string;
  readonly status?: number | null;
  readonly durationMs?: number;
}
