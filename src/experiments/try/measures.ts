// What one candidate did with the traffic. docs/try.md has each figure in one sentence.
import { SECOND } from "../../core/units.ts";
import { answerTo } from "../../check/rejections.ts";
import type { History } from "../../scenario/history.ts";
import type { Plan } from "../../scenario/types.ts";

export interface TryFigures {
  readonly requests: number; // planned: a retry is another attempt at the same one
  readonly attempts: number;
  readonly admitted: number;
  readonly refusedAttempts: number;
  readonly gaveUp: number; // requests that no attempt got admitted
  readonly refusedClients: number; // with at least one refused attempt
  readonly mostInWindow: number; // admitted of one client in any window of the limit
  readonly successUs: {
    readonly median: number | null; // null: never
    readonly p99: number | null;
  };
  readonly fairness: number; // Jain's index over the shares of requests that clients got admitted
  readonly leastServed: number; // the smallest of these shares
  readonly peakSent: number; // attempts in any second
  readonly peakAdmitted: number; // admitted in any second
  readonly commands: number; // of the store for each attempt, those inside scripts too
  readonly overTime: TryOverTime;
}

/** Attempts by the time at which they were sent, one value for each bin. */
export interface TryOverTime {
  readonly binUs: number;
  readonly admitted: readonly number[];
  readonly refused: readonly number[];
  readonly later: number; // attempts after the last bin
}

/** While clients send for the first time. */
const BINS = 60;

/** Retries may last as long as the longest window: a bin for all of them could be more than memory has. */
const MOST_BINS = 1.5 * BINS;

export function measureTry(
  { requests }: History,
  plan: Plan,
  { perUs, forUs }: { readonly perUs: number; readonly forUs: number },
): TryFigures {
  const { length, client, plannedUs, sentUs, answeredUs, toUs, delayUs } = requests;
  const clients = plan.flows.reduce((most, flow) => Math.max(most, flow.clients), 1);
  const offeredOf = countEach(plan.client, clients);
  const admittedOf = new Uint32Array(clients);
  const refusedOf = new Uint32Array(clients);
  const leftUs = new Float64Array(length);
  const waitsUs = new Float64Array(plan.atUs.length).fill(Number.POSITIVE_INFINITY);
  let [admitted, commands] = [0, 0];
  const rows = new Uint32Array(length); // admitted ones
  for (let row = 0; row < length; row++) {
    commands += requests.commandsAll[row]!;
    if (answerTo(requests, row) !== "admitted") {
      refusedOf[client[row]!]!++;
      continue;
    }
    admittedOf[client[row]!]!++;
    leftUs[admitted] = toUs[row]! + delayUs[row]!;
    waitsUs[admitted] = Math.round(answeredUs[row]! - plannedUs[row]!);
    rows[admitted++] = row;
  }
  waitsUs.sort();
  const left = leftUs.subarray(0, admitted);
  const shares = [...offeredOf]
    .map((offered, at) => ({ offered, share: admittedOf[at]! / offered }))
    .filter(({ offered }) => offered > 0)
    .map(({ share }) => share);
  return {
    requests: plan.atUs.length,
    attempts: length,
    admitted,
    refusedAttempts: length - admitted,
    gaveUp: plan.atUs.length - admitted,
    refusedClients: refusedOf.filter((count) => count > 0).length,
    mostInWindow: mostOfAClient(left, (at) => client[rows[at]!]!, admittedOf, perUs),
    successUs: { median: percentile(waitsUs, 0.5), p99: percentile(waitsUs, 0.99) },
    fairness: jainIndex(shares),
    leastServed: shares.reduce((least, share) => Math.min(least, share), 1),
    peakSent: mostTogether(sentUs.toSorted(), SECOND),
    peakAdmitted: mostTogether(left.toSorted(), SECOND),
    commands: length === 0 ? 0 : Number((commands / length).toFixed(3)),
    overTime: binAttempts(requests, Math.max(1, Math.ceil(forUs / BINS))),
  };
}

function binAttempts(requests: History["requests"], binUs: number): TryOverTime {
  const { length, sentUs } = requests;
  const lastUs = sentUs.reduce((latest, us) => Math.max(latest, us), 0);
  const bins = Math.min(MOST_BINS, Math.floor(lastUs / binUs) + 1);
  const [admitted, refused] = [new Uint32Array(bins), new Uint32Array(bins)];
  let later = 0;
  for (let row = 0; row < length; row++) {
    const bin = Math.floor(sentUs[row]! / binUs);
    if (bin >= bins) later++;
    else (answerTo(requests, row) === "admitted" ? admitted : refused)[bin]!++;
  }
  return { binUs, admitted: [...admitted], refused: [...refused], later };
}

function countEach(indexes: Uint32Array, length: number): Uint32Array {
  const counts = new Uint32Array(length);
  for (const index of indexes) counts[index]!++;
  return counts;
}

/** 1: all shares are equal; 1/n: one of n has everything. */
export function jainIndex(shares: readonly number[]): number {
  const sum = shares.reduce((total, share) => total + share, 0);
  const squares = shares.reduce((total, share) => total + share * share, 0);
  return squares === 0 ? 1 : Number(((sum * sum) / (shares.length * squares)).toFixed(4));
}

/** Of sorted values, by nearest rank: an observed one. Null: it is infinite. */
function percentile(sorted: Float64Array, share: number): number | null {
  const value =
    sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.POSITIVE_INFINITY;
  return Number.isFinite(value) ? value : null;
}

/** The most of sorted times in any half-open (t - window, t]. */
function mostTogether(sorted: Float64Array, windowUs: number): number {
  let most = 0;
  for (let end = 0, start = 0; end < sorted.length; end++) {
    while (sorted[start]! <= sorted[end]! - windowUs) start++;
    if (end - start + 1 > most) most = end - start + 1;
  }
  return most;
}

function mostOfAClient(
  times: Float64Array,
  clientAt: (index: number) => number,
  counts: Uint32Array,
  windowUs: number,
): number {
  const ends = new Uint32Array(counts.length);
  for (let of = 0, sum = 0; of < counts.length; of++) ends[of] = sum += counts[of]!;
  const places = Uint32Array.from(ends, (end, of) => end - counts[of]!);
  const byClient = new Float64Array(times.length);
  times.forEach((time, at) => (byClient[places[clientAt(at)]!++] = time));
  return counts.reduce(
    (most, count, of) =>
      Math.max(
        most,
        mostTogether(byClient.subarray(ends[of]! - count, ends[of]).toSorted(), windowUs),
      ),
    0,
  );
}
