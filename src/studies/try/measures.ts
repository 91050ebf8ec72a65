// Measures what one candidate did with the traffic. docs/answer/try.md explains each number in a sentence.
import { SECOND } from "../../kit/units.ts";
import { nearestRank, serveClients } from "../../lab/check/per-client.ts";
import { answerTo } from "../../lab/check/rejections.ts";
import type { Plan } from "../../lab/scenario/types.ts";
import type { AttemptColumns } from "../../lab/sim/recorder.ts";
import { binAttempts, findHerd, inOrder } from "./over-time.ts";
import type { BudgetOwner } from "./question.ts";
import type { TryFigures } from "./result.ts";

interface TryMeasuring {
  readonly rate: number;
  readonly perUs: number;
  readonly forUs: number;
  readonly owner: BudgetOwner;
}

export function measureTry(
  requests: AttemptColumns,
  plan: Plan,
  { rate, perUs, forUs, owner }: TryMeasuring,
): TryFigures {
  const { length, client, address, plannedUs, sentUs, answeredUs, toUs, delayUs, retryAfterS } =
    requests;
  const clients = plan.flows.reduce((most, flow) => Math.max(most, flow.clients), 1);
  const offeredOf = countEach(plan.client, clients);
  const admittedOf = new Uint32Array(clients);
  const refusedOf = new Uint32Array(clients);
  const leftUs = new Float64Array(length);
  const waitsUs = new Float64Array(plan.atUs.length).fill(Number.POSITIVE_INFINITY);
  const advisedS = new Float64Array(length).fill(Number.POSITIVE_INFINITY);
  let [admitted, lost, commands] = [0, 0, 0];
  const rows = new Uint32Array(length); // rows of admitted requests
  for (let row = 0; row < length; row++) {
    commands += requests.commandsAll[row]!;
    const answer = answerTo(requests, row);
    if (answer === "lost") lost++;
    else if (answer !== "admitted") refusedOf[client[row]!]!++;
    if (answer !== "admitted") {
      const advised = retryAfterS[row]!;
      if (!Number.isNaN(advised)) advisedS[row - admitted] = advised;
      continue;
    }
    admittedOf[client[row]!]!++;
    leftUs[admitted] = toUs[row]! + delayUs[row]!;
    waitsUs[admitted] = Math.round(answeredUs[row]! - plannedUs[row]!);
    rows[admitted++] = row;
  }
  waitsUs.sort();
  advisedS.sort();
  const left = leftUs.subarray(0, admitted);
  const shares = [...offeredOf]
    .map((offered, at) => ({ offered, share: admittedOf[at]! / offered }))
    .filter(({ offered }) => offered > 0)
    .map(({ share }) => share);
  return {
    requests: plan.atUs.length,
    attempts: length,
    admitted,
    refusedAttempts: length - admitted - lost,
    lost,
    gaveUp: plan.atUs.length - admitted,
    demand: demandOf(plan, owner, Math.floor(rate * Math.max(1, forUs / perUs))),
    refusedClients: refusedOf.filter((count) => count > 0).length,
    mostInWindow: mostOfABudget(
      left,
      rows.subarray(0, admitted).map((row) => budgetIndex(owner, address[row]!, client[row]!)),
      perUs,
    ),
    successUs: { median: percentile(waitsUs, 0.5), p99: percentile(waitsUs, 0.99) },
    retryAfterS: percentile(advisedS.subarray(0, length - admitted - lost), 0.5),
    fairness: jainIndex(shares),
    leastServed: shares.reduce((least, share) => Math.min(least, share), 1),
    peakSent: mostTogether(inOrder(sentUs), SECOND),
    peakAdmitted: mostTogether(inOrder(left), SECOND),
    commands: length === 0 ? 0 : Number((commands / length).toFixed(3)),
    overTime: binAttempts(requests, forUs),
    herd: findHerd(requests),
    perClient: serveClients(requests),
  };
}

function countEach(indexes: Uint32Array, length: number): Uint32Array {
  const counts = new Uint32Array(length);
  for (const index of indexes) counts[index]!++;
  return counts;
}

const budgetIndex = (owner: BudgetOwner, address: number, client: number): number =>
  owner === "all" ? 0 : owner === "address" ? address + 1 : client;

/** How far the planned requests of each budget exceed what it allows over the whole time. */
function demandOf(
  { client, address }: Plan,
  owner: BudgetOwner,
  allowed: number,
): TryFigures["demand"] {
  const budgets = client.map((each, at) => budgetIndex(owner, address?.[at] ?? -1, each));
  const counts = countEach(
    budgets,
    budgets.reduce((most, each) => Math.max(most, each + 1), 0),
  ).filter((count) => count > 0);
  const over = counts.filter((count) => count > allowed);
  const planned = over.reduce((sum, count) => sum + count, 0);
  return {
    budgets: counts.length,
    over: over.length,
    planned,
    beyond: planned - over.length * allowed,
  };
}

/** Jain's index: 1 if all shares are equal, 1/n if one of n clients has everything. */
export function jainIndex(shares: readonly number[]): number {
  const sum = shares.reduce((total, share) => total + share, 0);
  const squares = shares.reduce((total, share) => total + share * share, 0);
  return squares === 0 ? 1 : Number(((sum * sum) / (shares.length * squares)).toFixed(4));
}

/** The percentile; null: it is infinite. */
function percentile(sorted: Float64Array, share: number): number | null {
  const value = nearestRank(sorted, share);
  return Number.isFinite(value) ? value : null;
}

/** The largest number of sorted times in any half-open (t - window, t]. */
function mostTogether(sorted: Float64Array, windowUs: number): number {
  let most = 0;
  for (let end = 0, start = 0; end < sorted.length; end++) {
    while (sorted[start]! <= sorted[end]! - windowUs) start++;
    if (end - start + 1 > most) most = end - start + 1;
  }
  return most;
}

function mostOfABudget(times: Float64Array, budgets: Uint32Array, windowUs: number): number {
  const counts = countEach(
    budgets,
    budgets.reduce((most, each) => Math.max(most, each + 1), 0),
  );
  const ends = new Uint32Array(counts.length);
  for (let of = 0, sum = 0; of < counts.length; of++) ends[of] = sum += counts[of]!;
  const places = Uint32Array.from(ends, (end, of) => end - counts[of]!);
  const byBudget = new Float64Array(times.length);
  times.forEach((time, at) => (byBudget[places[budgets[at]!]!++] = time));
  return counts.reduce(
    (most, count, of) =>
      Math.max(
        most,
        mostTogether(inOrder(byBudget.subarray(ends[of]! - count, ends[of])), windowUs),
      ),
    0,
  );
}
