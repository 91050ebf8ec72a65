// Compares admitted requests with those that a limit allows, in buckets of several lengths: how far they are above and
// below the limit in the long run.
import { TRAITS, type Algorithm } from "../../limiter/core/algorithms.ts";
import type { Micros } from "../../kit/units.ts";
import { isAdmitted } from "./load/load.ts";
import type { TruthSuite } from "./read-truth.ts";
import type { AllowedRate, BucketTruth, TruthSubject } from "./truth-schema.ts";

export const LOG_STEP_US = 1_000; // the resolution of times in a log

/** The subjects of a suite, and controls with a wrong rate: a run that accepts a control proves nothing. */
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

/** A queue is checked by other rules, so it has its own controls. */
const WRONG_QUEUES: readonly WrongRate[] = [
  { name: "twice the rate, queued", rateOf: (rate) => 2 * rate },
  { name: "a tenth of the rate, queued", rateOf: (rate) => Math.floor(rate / 10) },
];

/** Times since the load began, by the clock of the gateway or of the load generator. */
export interface TruthRequest {
  readonly atUs: number;
  readonly tookUs: number; // from arrival to response, including its time in a queue
  readonly status: number;
  readonly delayUs: number; // how long it waits for its turn in a queue (ALG-C10); 0: not at all
}

/** The time at which an admitted request counts: `atUs`, or its turn if it waited in a queue. */
export const turnUs = ({ atUs, delayUs }: TruthRequest): number => atUs + delayUs;

/**
 * Overshoot and undershoot in buckets of each length. An unsent request is no undershoot. Lengths above the run's
 * own length are omitted.
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

const shareOf = (each: readonly number[]): BucketTruth["overshoot"] => ({
  worst: Math.max(...each),
  mean: each.reduce((sum, one) => sum + one, 0) / each.length,
});

/**
 * The most requests that leave within one window. Rounding times down to milliseconds causes no false error: times that
 * are at least a window apart stay so. A turn in a queue is a rounded time plus an exact delay, so two turns may seem
 * nearer by a millisecond.
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

/** The most requests in flight at once. A background write counts as if it took as long as the response. */
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
    if (!line.endsWith("}")) return []; // the last line may be half written
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
