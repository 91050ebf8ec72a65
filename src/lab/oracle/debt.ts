// Token bucket and GCRA as ALG-C9 defines them: each admitted request owes `per`/`rate` of time, time pays the debt
// back, and nothing is paid in advance. The present debt is therefore the maximum, over all past moments, of the units
// since that moment minus what time has paid since. The moment of the maximum does not depend on the present, so an
// account of the past can be extended instead of computed again.
import {
  never,
  open,
  budgetState,
  span,
  stateAfterRefusal,
  UNKNOWN,
  type OracleAnswer,
  type LevelEffect,
  type BudgetState,
} from "./level-answer.ts";
import { unitsIn, type Moment, type Past } from "./ledger.ts";

interface DebtRule {
  readonly rate: number;
  readonly perUs: number;
  readonly burst: number; // requests admitted at one instant
  readonly cost: number; // units of the request
  readonly isQueue: boolean; // whether all but the first leave later, each at its turn (ALG-C10)
}

/** The units so far, in the order of their stamps. */
interface Account {
  readonly units: number;
  /** The maximum, over all units, of what time paid until the unit's stamp minus earlier debt; null: no units. */
  readonly most: bigint | null;
}

/** The account of the settled attempts, all at one rate and in the order of their stamps. */
export interface SettledDebt {
  readonly rate: number;
  readonly perUs: number;
  readonly upTo: number; // number of settled attempts
  readonly certain: Account;
  readonly latest: Account; // as if each attempt had the latest possible stamp
  readonly latestUs: number;
}

const EMPTY: Account = { units: 0, most: null };

export const nothingSettled = (rate: number, perUs: number): SettledDebt => ({
  rate,
  perUs,
  upTo: 0,
  certain: EMPTY,
  latest: EMPTY,
  latestUs: Number.NEGATIVE_INFINITY,
});

/** The settled debt with the attempts of `past` added; null if one of them had another rate. */
export function settle(
  before: SettledDebt,
  past: readonly Past[],
  upTo: number,
): SettledDebt | null {
  const { rate, perUs } = before;
  if (!isAtOneRate(past, rate)) return null;
  const admitted = admissionsIn(past);
  const latest = latestStamps(admitted);
  return {
    rate,
    perUs,
    upTo,
    certain: addTo(before.certain, certainIn(admitted), priceOf(rate, perUs)),
    latest: addTo(before.latest, latest, priceOf(rate, perUs)),
    latestUs: latest.at(-1) ?? before.latestUs,
  };
}

export const isAtOneRate = (past: readonly Past[], rate: number): boolean =>
  past.every(({ attempt }) => attempt.trace !== "admitted" || attempt.rate === rate);

const admissionsIn = (past: readonly Past[]): readonly Past[] =>
  unitsIn(past.filter(({ attempt }) => attempt.trace === "admitted"));

const certainIn = (admitted: readonly Past[]): readonly number[] =>
  admitted.filter(({ counts }) => counts === "yes").map(({ attempt }) => attempt.loUs);

/** The debt of one unit, and the payment of one microsecond. */
interface Price {
  readonly perUnit: bigint;
  readonly paidPerUs: bigint;
}

/** The price in exact integers: a rate has at most six decimals (LIM-C2). */
const priceOf = (rate: number, perUs: number): Price => ({
  perUnit: BigInt(perUs) * 1_000_000n,
  paidPerUs: BigInt(Math.round(rate * 1e6)),
});

/** `past` excludes the settled attempts. */
export function evaluateDebt(
  settled: SettledDebt,
  past: readonly Past[],
  now: Moment,
  { rate, perUs, burst, cost, isQueue }: DebtRule,
): OracleAnswer {
  if (burst < 1) return never("the limit admits nothing");
  const price = priceOf(rate, perUs);
  const { perUnit: perRequest, paidPerUs } = price;
  const admittedAtAnyRate = admissionsIn(past);
  const lastOther = admittedAtAnyRate.findLastIndex(({ attempt }) => attempt.rate !== rate);
  const admitted = admittedAtAnyRate.slice(lastOther + 1);
  // If clocks differ, time may already have paid until the latest stamp, or may pay only after that stamp.
  const latest = latestStamps(admitted);
  const latestUs = latest.at(-1) ?? settled.latestUs; // stamps never fall
  const atLatestUs = Math.max(now.hiUs, latestUs);
  const least = debtAt(addTo(settled.certain, certainIn(admitted), price), atLatestUs, price);
  const most = debtAt(addTo(settled.latest, latest, price), now.loUs, price);
  // Debt at another rate was paid back at that rate, so while any of it may be left, the present debt is uncertain.
  if (lastOther >= 0 && debtAtAnyRate() > most)
    return open("the budget was used at another rate a moment ago");
  function debtAtAnyRate(): bigint {
    if (isQueue) return debtInQueue(admittedAtAnyRate, rate, perUs, now.loUs);
    const earlier = earlierDebt(admittedAtAnyRate, lastOther, { rate, burst, perUs }, now);
    return debtAt(addTo(EMPTY, [...earlier, ...latest], price), now.loUs, price);
  }
  const waitFor = (units: number, debt: bigint): number => {
    const free = BigInt(burst - units) * perRequest;
    if (free < 0n) return Number.POSITIVE_INFINITY;
    return debt <= free ? 0 : Number((debt - free + paidPerUs - 1n) / paidPerUs);
  };
  const waitUs = { fromUs: waitFor(cost, least), toUs: waitFor(cost, most) };
  const paidUs = (debt: bigint): number => Number((debt + paidPerUs - 1n) / paidPerUs);
  const stateAfter = (effect: LevelEffect): BudgetState => {
    const spent = effect === "admitted" ? BigInt(cost) * perRequest : 0n;
    const [low, high] = [least + spent, most + spent];
    const passing = (debt: bigint): number =>
      Number((BigInt(burst) * perRequest - debt) / perRequest);
    const left = { from: passing(high), to: passing(low) };
    if (effect === "refused" && cost > 1)
      return stateAfterRefusal(Math.floor(rate), left, now, waitUs);
    return budgetState(
      Math.floor(rate),
      left,
      () => ({ from: now.loUs + waitFor(1, low), to: now.hiUs + waitFor(1, high) }),
      () => ({ from: now.loUs + paidUs(low), to: now.hiUs + paidUs(high) }),
    );
  };
  const requests = (debt: bigint): number =>
    Math.round((Number(debt) / Number(perRequest)) * 1000) / 1000;
  // The earliest request of a debt has its turn already, or has had it: the others wait.
  const waiting = (debt: bigint): number => (debt === 0n ? 0 : Number((debt - 1n) / perRequest));
  const used = isQueue
    ? { from: waiting(least), to: waiting(most) }
    : { from: requests(least), to: requests(most) };
  const counted = span(used.from, used.to);
  const noun = counted === "1" ? "request" : "requests";
  const why = isQueue
    ? `${counted} ${noun} before it in the queue, at most ${burst - 1} may wait`
    : `${counted} ${noun} owed, ${burst - cost} may be`;
  return {
    pass: waitUs.fromUs === 0,
    refuse: waitUs.toUs > 0,
    waitUs,
    ...(isQueue && { turnUs: { from: paidUs(least), to: paidUs(most) } }),
    // A clock that is behind has to reach the latest stamp before time pays again.
    stateAfter: latestUs > now.loUs ? UNKNOWN : stateAfter,
    why,
    usage: {
      of: isQueue ? "waiting" : "owed",
      ...used,
      allowed: burst,
    },
  };
}

/** The most debt that a queue may have: as if all of it was added at the slowest rate that its requests ever had. */
function debtInQueue(all: readonly Past[], rate: number, perUs: number, nowUs: number): bigint {
  const slowest = all.reduce((least, { attempt }) => Math.min(least, attempt.rate), rate);
  const price = priceOf(slowest, perUs);
  return debtAt(addTo(EMPTY, latestStamps(all), price), nowUs, price);
}

/** Stamps of the most units owed at an earlier rate. An unused budget forgets debt after a window or a longer burst. */
function earlierDebt(
  all: readonly Past[],
  other: number,
  { rate, burst, perUs }: Pick<DebtRule, "rate" | "burst" | "perUs">,
  now: Moment,
): readonly number[] {
  if (other < 0) return [];
  const forgottenUs = burst > rate ? Math.ceil((burst * perUs) / rate) : perUs;
  const attempts = all.map(({ attempt }) => attempt);
  const takenUs = Math.max(...attempts.slice(0, other + 1).map(({ hiUs }) => hiUs));
  let latestUs = takenUs;
  for (const { loUs, hiUs } of [...attempts.slice(other + 1), now]) {
    if (loUs - latestUs >= forgottenUs) return [];
    latestUs = Math.max(latestUs, hiUs);
  }
  const mostOwed = attempts.reduce((most, { capacity }) => Math.max(most, capacity), burst);
  return Array.from({ length: mostOwed }, () => takenUs);
}

/** For each attempt, the latest stamp of all attempts that may have come before it, itself included. */
function latestStamps(admitted: readonly Past[]): number[] {
  const begun = admitted.map(({ attempt }) => attempt).toSorted((a, b) => a.fromUs - b.fromUs);
  let next = 0;
  let latestUs = Number.NEGATIVE_INFINITY;
  return admitted.map(({ attempt }) => {
    while (
      next < begun.length &&
      (begun[next]!.fromUs < attempt.toUs || begun[next]!.row <= attempt.row)
    ) {
      latestUs = Math.max(latestUs, begun[next]!.hiUs);
      next++;
    }
    return latestUs;
  });
}

/** Adds units to the account. Their stamps must not be earlier than the stamps already in the account. */
function addTo(before: Account, stamps: readonly number[], { perUnit, paidPerUs }: Price): Account {
  let { units, most } = before;
  for (const stampUs of stamps.toSorted((a, b) => a - b)) {
    const since = BigInt(stampUs) * paidPerUs - BigInt(units) * perUnit;
    if (most === null || since > most) most = since;
    units++;
  }
  return { units, most };
}

function debtAt({ units, most }: Account, nowUs: number, { perUnit, paidPerUs }: Price): bigint {
  const debt = most === null ? 0n : BigInt(units) * perUnit - BigInt(nowUs) * paidPerUs + most;
  return debt > 0n ? debt : 0n;
}
