// Checks the admitted requests against the bound of the algorithm, over one window and over many, and finds refusals
// while the limit had capacity left.
import { isLogBased, TRAITS } from "../../limiter/core/algorithms.ts";
import { formatDuration, type Micros } from "../../kit/units.ts";
import { isAdmitted, REFUSED } from "./load/load.ts";
import { LOG_STEP_US, mostWithin, turnUs, type TruthRequest } from "./truth.ts";
import type { AllowedRate, WindowMost, TruthBound, TruthSubject } from "./truth-schema.ts";

interface TruthCheck {
  readonly lengths: readonly WindowMost[];
  readonly tooSoon: number; // refusals while the limit had capacity left
  readonly faults: readonly string[];
}

type LimiterKind = Pick<TruthSubject, "algorithm">;

export function checkTruth(
  subject: LimiterKind,
  limit: AllowedRate,
  requests: readonly TruthRequest[],
  lengthsUs: readonly Micros[],
  window: TruthBound,
): TruthCheck {
  const lengths = [...new Set([limit.perUs, ...lengthsUs])]
    .toSorted((a, b) => a - b)
    .map((us) => ({
      us,
      most: mostWithin(requests, us),
      stated: boundOver(subject, limit, us, window),
    }));
  const tooSoon = countEarlyRefusals(subject, limit, requests);
  const over = lengths.find(({ most, stated }) => most > stated);
  return {
    lengths,
    tooSoon,
    faults: [
      ...(over === undefined
        ? []
        : [`${over.most} in ${formatDuration(over.us)}, where at most ${over.stated} are allowed`]),
      ...(tooSoon === 0 ? [] : [`${tooSoon} refused while the limit had capacity left`]),
      ...(TRAITS[subject.algorithm].delays ? queueFaults(limit, requests) : []),
    ],
  };
}

/**
 * The bound for a span of `us`, which may be several windows. A log has its bound in each window. The other algorithms
 * exceed the rate only once: by a burst, or in the window of the first request.
 */
export function boundOver(
  { algorithm }: LimiterKind,
  { rate, perUs }: AllowedRate,
  us: Micros,
  window: TruthBound,
): number {
  const windows = Math.ceil(us / perUs);
  // Windows without a stated bound follow the clock, so any span of that length overlaps at most two of them.
  const one = window.most ?? 2 * rate;
  return isLogBased(algorithm) ? windows * one : one + (windows - 1) * rate;
}

/**
 * Counts refusals with fewer than `rate` requests in the window before them. A log counts attempts, the others admitted
 * requests. The counter that weighs two windows looks back over both. Decision times are not recorded, so a request
 * counts from arrival to end. A queue (ALG-C10) has one more place; a request leaves it one step after its turn.
 */
export function countEarlyRefusals(
  { algorithm }: LimiterKind,
  { rate, perUs }: AllowedRate,
  requests: readonly TruthRequest[],
): number {
  const isLog = isLogBased(algorithm);
  const { delays, lookbackWindows } = TRAITS[algorithm];
  const backUs = delays ? 0 : lookbackWindows * perUs;
  const needed = delays ? rate + 1 : rate;
  const counted = requests.filter(({ status }) => isLog || isAdmitted(status));
  const starts = counted.map(({ atUs }) => atUs).toSorted((a, b) => a - b);
  const ends = counted
    .map((one) => (delays ? turnUs(one) + LOG_STEP_US + perUs / rate : one.atUs + one.tookUs))
    .toSorted((a, b) => a - b);
  const itself = isLog ? 1 : 0;
  return requests.filter(({ atUs, tookUs, status }) => {
    if (status !== REFUSED) return false;
    const before = countBelow(starts, atUs + tookUs) - countBelow(ends, atUs - backUs);
    return before - itself < needed;
  }).length;
}

/** The most by which a delay is rounded up. */
const ROUNDED_US = 1;

/** Finds queued requests that waited although the turn before was free, or that had a response before their turn. */
function queueFaults(
  { rate, perUs }: AllowedRate,
  requests: readonly TruthRequest[],
): readonly string[] {
  const admitted = requests
    .filter(({ status }) => isAdmitted(status))
    .toSorted((a, b) => turnUs(a) - turnUs(b));
  const stepUs = perUs / rate + ROUNDED_US + LOG_STEP_US;
  const idle = admitted.filter((one, at) => {
    const before = admitted[at - 1];
    return one.delayUs > 0 && (before === undefined || turnUs(one) - turnUs(before) > stepUs);
  });
  const early = admitted.filter(({ delayUs, tookUs }) => tookUs < delayUs);
  return [
    ...(idle.length === 0 ? [] : [`${idle.length} waited while a turn was free`]),
    ...(early.length === 0 ? [] : [`${early.length} had a response before their turn`]),
  ];
}

function countBelow(inOrder: readonly number[], limit: number): number {
  let low = 0;
  let high = inOrder.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (inOrder[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
