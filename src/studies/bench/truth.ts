// Admitted requests against those that a limit allows, in buckets of several lengths: how far they are from the limit in
// the long run, in both directions.
import { TRAITS, type Algorithm } from "../../limiter/core/algorithms.ts";
import type { Micros } from "../../kit/units.ts";
import { isAdmitted } from "./load/load.ts";
import type { TruthSuite } from "./read-truth.ts";
import type { BenchRun } from "./result.ts";
import type { StoreKind } from "./suite.ts";

export const TRUTH_FORMAT = "weir-truth/1";
export const LOG_STEP_US = 1_000; // the resolution of times in a log

export interface TruthResult extends BenchRun {
  readonly format: typeof TRUTH_FORMAT;
  readonly limit: AllowedRate;
  readonly perSecond: number; // requests to each subject
  readonly lastsUs: Micros;
  readonly subjects: readonly SubjectTruth[];
  readonly stopped: string | null;
  readonly warnings: readonly string[]; // a run with a warning does not prove that a limiter is correct
  /** A file without it is incomplete. */
  readonly footer: { readonly subjects: number; readonly outside: number; readonly errors: number };
}

export interface AllowedRate {
  readonly rate: number;
  readonly perUs: Micros;
}

export interface TruthSubject {
  readonly name: string;
  /** A control is known to be wrong: a run that does not find it outside proves nothing. */
  readonly role: "cell" | "control";
  readonly algorithm: Algorithm;
  readonly store: StoreKind;
  readonly rate: number; // its configured limit; every subject is checked against the rate of the suite
}

export interface SubjectTruth extends TruthSubject {
  readonly answers: number;
  readonly admitted: number;
  readonly errors: number; // no response, or neither 2xx nor 429
  readonly byGateway: readonly BucketTruth[]; // by the time at which the gateway received a request
  readonly bySender: readonly BucketTruth[]; // by the time of the response
  readonly most: number; // admitted within any window, by the gateway's clock
  readonly inFlight: number; // the most admitted requests in flight at once, by its own log
  readonly bound: TruthBound;
  readonly lengths: readonly WindowMost[]; // a window, the buckets, and the whole run
  readonly tooSoon: number; // refusals while the limit had capacity left
  readonly faults: readonly string[];
  readonly verdict: "within" | "outside";
}

/** The most requests in any time of this length. */
export interface WindowMost {
  readonly us: Micros;
  readonly most: number;
  readonly stated: number;
}

/** The stated bound of one window, wherever it begins. */
export interface TruthBound {
  readonly most: number | null;
  readonly because: string;
}

export interface BucketTruth {
  readonly us: Micros;
  readonly count: number; // of complete buckets
  readonly overshoot: Share; // admitted beyond the allowed number
  readonly undershoot: Share; // allowed and requested, but not admitted
}

/** As shares of the allowed number. */
interface Share {
  readonly worst: number;
  readonly mean: number;
}

/** The subjects of a suite, and controls with another rate: a run that does not find those wrong proves nothing. */
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
  ...controlsOf("fixed_window", WRONG, rate),
  ...algorithms
    .filter((algorithm) => TRAITS[algorithm].delays)
    .slice(0, 1)
    .flatMap((algorithm) => controlsOf(algorithm, WRONG_QUEUES, rate)),
];

const controlsOf = (
  algorithm: Algorithm,
  wrong: readonly WrongRate[],
  rate: number,
): readonly TruthSubject[] =>
  wrong.map(({ name, rateOf }) => ({
    name,
    role: "control",
    algorithm,
    store: "memory",
    rate: rateOf(rate),
  }));

interface WrongRate {
  readonly name: string;
  readonly rateOf: (rate: number) => number;
}

const WRONG: readonly WrongRate[] = [
  { name: "twice the rate", rateOf: (rate) => 2 * rate },
  { name: "half as much again", rateOf: (rate) => Math.ceil(1.5 * rate) },
  { name: "a tenth of the rate", rateOf: (rate) => Math.floor(rate / 10) },
];

/** A queue has rules of its own, so that it needs its own controls. */
const WRONG_QUEUES: readonly WrongRate[] = [
  { name: "twice the rate, queued", rateOf: (rate) => 2 * rate },
  { name: "a tenth of the rate, queued", rateOf: (rate) => Math.floor(rate / 10) },
];

/** Times since the load began, by the clock of the gateway or of the load generator. */
export interface TruthRequest {
  readonly atUs: number;
  readonly tookUs: number; // its time in a queue included
  readonly status: number;
  readonly delayUs: number; // how long it waits for its turn in a queue (ALG-C10); 0: not at all
}

/** An admitted request counts when it leaves, which in a queue is its turn. */
export const turnUs = ({ atUs, delayUs }: TruthRequest): number => atUs + delayUs;

/**
 * Only requests that were sent can be missing: the rest is no undershoot. Buckets longer than the run are left out.
 */
export function inBuckets(
  requests: readonly TruthRequest[],
  { rate, perUs }: AllowedRate,
  lastsUs: Micros,
  bucketsUs: readonly Micros[],
): readonly BucketTruth[] {
  return bucketsUs.flatMap((us): readonly BucketTruth[] => {
    const count = Math.floor(lastsUs / us);
    if (count === 0) return [];
    const allowed = (rate * us) / perUs;
    const buckets = Array.from({ length: count }, () => ({ requested: 0, admitted: 0 }));
    const bucketAt = (atUs: number) => buckets[Math.floor(atUs / us)];
    for (const request of requests) {
      const arrival = bucketAt(request.atUs);
      if (arrival !== undefined) arrival.requested++;
      const departure = isAdmitted(request.status) ? bucketAt(turnUs(request)) : undefined;
      if (departure !== undefined) departure.admitted++;
    }
    const over = buckets.map(({ admitted }) => Math.max(0, admitted / allowed - 1));
    const under = buckets.map(({ requested, admitted }) =>
      Math.max(0, (Math.min(requested, allowed) - admitted) / allowed),
    );
    return [{ us, count, overshoot: shareOf(over), undershoot: shareOf(under) }];
  });
}

const shareOf = (each: readonly number[]): Share => ({
  worst: Math.max(...each),
  mean: each.reduce((sum, one) => sum + one, 0) / each.length,
});

/**
 * The most requests that leave within less than one window. Rounding down to whole milliseconds wrongs no limiter: times
 * that are at least a window of whole milliseconds apart stay so when they are rounded down. A turn in a queue is the sum
 * of such a time and an exact delay, so that it is known to a millisecond.
 */
export function mostWithin(requests: readonly TruthRequest[], perUs: Micros): number {
  const inOrder = requests
    .flatMap((request) => (isAdmitted(request.status) ? [turnUs(request)] : []))
    .toSorted((a, b) => a - b);
  const isQueue = requests.some(({ delayUs }) => delayUs > 0);
  const apartUs = isQueue ? perUs - LOG_STEP_US : perUs;
  let most = 0;
  let first = 0;
  for (const [at, us] of inOrder.entries()) {
    while (us - inOrder[first]! >= apartUs) first++;
    most = Math.max(most, at - first + 1);
  }
  return most;
}

/**
 * The most requests in flight at once. The background write of the sentinel counts too: it is assumed to take as long as
 * the response did.
 */
export function mostInFlight(algorithm: Algorithm, requests: readonly TruthRequest[]): number {
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

/** The requests of one key in the access log of a gateway, with times since `startUs`. */
export function requestsInLog(
  text: string,
  keyId: string,
  startUs: number,
): readonly TruthRequest[] {
  return text.split("\n").flatMap((line): readonly TruthRequest[] => {
    if (!line.endsWith("}")) return []; // the last one may be half written
    const { kind, key, time, status, durationMs, delayMs } = JSON.parse(line) as LogLine;
    if (kind !== "request" || key !== keyId || time === undefined || status == null) return [];
    const tookUs = (durationMs ?? 0) * 1_000 + LOG_STEP_US;
    const delayUs = Math.round((delayMs ?? 0) * 1_000);
    return [{ atUs: Date.parse(time) * 1_000 - startUs, tookUs, status, delayUs }];
  });
}

interface LogLine {
  readonly kind?: string;
  readonly key?: string | null;
  readonly time?: string;
  readonly status?: number | null;
  readonly durationMs?: number;
  readonly delayMs?: number | null;
}
