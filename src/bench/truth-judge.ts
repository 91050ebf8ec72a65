// Whether what was admitted keeps to what the algorithm promises: no more than it states, over one window and over
// many, and nothing refused that there was room for.
import { isLogBased, TRAITS } from "../core/algorithms.ts";
import { formatDuration, type Micros } from "../core/units.ts";
import { isAdmitted, REFUSED } from "./load/load.ts";
import {
  mostWithin,
  type AllowedRate,
  type MostIn,
  type Request,
  type StatedBound,
  type TruthSubject,
} from "./truth.ts";

export interface Judged {
  readonly lengths: readonly MostIn[];
  readonly tooSoon: number; // refused while there was room
  readonly faults: readonly string[];
}

type Counting = Pick<TruthSubject, "algorithm">;

export function judged(
  subject: Counting,
  limit: AllowedRate,
  requests: readonly Request[],
  lengthsUs: readonly Micros[],
  window: StatedBound,
): Judged {
  const lengths = [...new Set([limit.perUs, ...lengthsUs])]
    .toSorted((a, b) => a - b)
    .map((us) => ({
      us,
      most: mostWithin(requests, us),
      stated: statedIn(subject, limit, us, window),
    }));
  const tooSoon = refusedTooSoon(subject, limit, requests);
  const over = lengths.find(({ most, stated }) => most > stated);
  return {
    lengths,
    tooSoon,
    faults: [
      ...(over === undefined
        ? []
        : [`${over.most} in ${formatDuration(over.us)} where ${over.stated} are the most`]),
      ...(tooSoon === 0 ? [] : [`${tooSoon} refused while there was room`]),
    ],
  };
}

/**
 * Of several windows end to end. Each of them is one to a log. The others owe what they state beyond the rate, be it
 * a burst or the window in which the first request lies, only once.
 */
export function statedIn(
  { algorithm }: Counting,
  { rate, perUs }: AllowedRate,
  us: Micros,
  window: StatedBound,
): number {
  const windows = Math.ceil(us / perUs);
  // Where nothing is stated of any window: it counts by the clock, in two of those, and in none more than the rate.
  const one = window.most ?? 2 * rate;
  return isLogBased(algorithm) ? windows * one : one + (windows - 1) * rate;
}

/**
 * A refusal needs as many as the rate within the window before it: admitted ones, and attempts where a log counts
 * those. The counter that weighs two windows looks back over both. Nobody's clock tells when a request was decided:
 * it is given all the time from its arrival to its end.
 */
export function refusedTooSoon(
  { algorithm }: Counting,
  { rate, perUs }: AllowedRate,
  requests: readonly Request[],
): number {
  const isLog = isLogBased(algorithm);
  const backUs = TRAITS[algorithm].lookbackWindows * perUs;
  const counted = requests.filter(({ status }) => isLog || isAdmitted(status));
  const starts = counted.map(({ atUs }) => atUs).toSorted((a, b) => a - b);
  const ends = counted.map(({ atUs, tookUs }) => atUs + tookUs).toSorted((a, b) => a - b);
  const itself = isLog ? 1 : 0;
  return requests.filter(({ atUs, tookUs, status }) => {
    if (status !== REFUSED) return false;
    const before = countBelow(starts, atUs + tookUs) - countBelow(ends, atUs - backUs);
    return before - itself < rate;
  }).length;
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
