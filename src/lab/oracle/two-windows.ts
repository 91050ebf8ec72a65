// The sliding window counter by its formula (ALG-C9). The rate limits the sum of three numbers: the units admitted in
// the previous window, weighted by the remaining part of this one; the units admitted in this one; the request's cost.
import {
  never,
  open,
  span,
  budgetState,
  stateAfterRefusal,
  type OracleAnswer,
  type LevelEffect,
  type BudgetState,
} from "./level-answer.ts";
import { unitsIn, type Moment, type Past } from "./ledger.ts";
import { modulo } from "./window.ts";

interface TwoWindowRule {
  readonly rate: number;
  readonly perUs: number;
  readonly cost: number; // units of the request
  readonly epochUs: number; // windows begin at multiples of `per` since the Unix epoch
  readonly isRaced: boolean; // whether each of several requests in flight may have been counted first
}

const MILLION = 1_000_000n;

export function evaluateTwoWindows(
  past: readonly Past[],
  now: Moment,
  rule: TwoWindowRule,
): OracleAnswer {
  if (rule.rate < 1) return never("the limit admits nothing");
  const startOf = (us: number): number => us - modulo(rule.epochUs + us, rule.perUs);
  const startUs = startOf(now.loUs);
  /** Start of the latest window of any attempt that may have been decided before the given attempt was. */
  const latestBefore = ({ toUs, flightToUs }: Moment): number =>
    Math.max(
      ...counted.map(({ attempt: { fromUs, flightFromUs, hiUs } }) =>
        fromUs <= toUs || (rule.isRaced && flightFromUs <= flightToUs)
          ? startOf(hiUs)
          : Number.NEGATIVE_INFINITY,
      ),
    );
  const counted = unitsIn(past.filter(({ attempt }) => attempt.trace === "admitted"));
  const isOrdered =
    !rule.isRaced && counted.every(({ attempt: { fromUs, toUs } }) => fromUs === toUs);
  // A gateway with a slow clock counts its request in the later window that an earlier request has begun.
  let latestUs = Number.NEGATIVE_INFINITY;
  const admitted = counted.map(({ attempt, counts }) => {
    latestUs = Math.max(latestUs, startOf(attempt.hiUs));
    const toUs = isOrdered ? latestUs : Math.max(latestUs, latestBefore(attempt));
    return { fromUs: startOf(attempt.loUs), toUs, counts };
  });
  const isAhead = latestUs > startUs;
  if (isAhead || startOf(now.hiUs) !== startUs)
    return open("the request may be in either of two windows");

  const inWindow = (windowUs: number): { least: number; most: number } => {
    const may = admitted.filter(({ fromUs, toUs }) => fromUs <= windowUs && toUs >= windowUs);
    const must = may.filter(({ fromUs, toUs, counts }) => counts === "yes" && fromUs === toUs);
    return { least: must.length, most: may.length };
  };
  const [previous, current] = [inWindow(startUs - rule.perUs), inWindow(startUs)];
  const least = { previous: previous.least, current: current.least, nowUs: now.hiUs };
  const most = { previous: previous.most, current: current.most, nowUs: now.loUs };
  const why = `${span(previous.least, previous.most)} in the window before, ${span(current.least, current.most)} in this one, rate ${rule.rate}`;
  const waitUs = { fromUs: waitOf(least, startUs, rule), toUs: waitOf(most, startUs, rule) };
  return {
    pass: passes(least, startUs, rule),
    refuse: !passes(most, startUs, rule),
    waitUs,
    stateAfter: (effect) =>
      effect === "refused" && rule.cost > 1
        ? stateAfterRefusal(
            Math.floor(rule.rate),
            { from: passing(most, startUs, rule), to: passing(least, startUs, rule) },
            now,
            waitUs,
          )
        : twoWindowsState(least, most, startUs, rule, effect),
    why,
  };
}

function twoWindowsState(
  least: Counts,
  most: Counts,
  startUs: number,
  rule: TwoWindowRule,
  effect: LevelEffect,
): BudgetState {
  const own = effect === "admitted" ? rule.cost : 0;
  const one = { ...rule, cost: 1 };
  const [low, high] = [least, most].map((counts) => ({ ...counts, current: counts.current + own }));
  const nextUs = (counts: Counts): number => counts.nowUs + waitOf(counts, startUs, one);
  const fullUs = ({ previous, current, nowUs }: Counts): number => {
    if (current > 0) return startUs + 2 * rule.perUs;
    return previous > 0 ? startUs + rule.perUs : nowUs;
  };
  return budgetState(
    Math.floor(rule.rate),
    { from: passing(high!, startUs, rule), to: passing(low!, startUs, rule) },
    () => ({ from: nextUs(low!), to: nextUs(high!) }),
    () => ({ from: fullUs(low!), to: fullUs(high!) }),
  );
}

/** How many more units would be admitted at `nowUs`. */
function passing(
  { previous, current, nowUs }: Counts,
  startUs: number,
  { rate, perUs }: TwoWindowRule,
): number {
  const inside = BigInt(previous) * BigInt(startUs + perUs - nowUs) * MILLION;
  const room = BigInt(Math.round(rate * 1e6)) * BigInt(perUs) - inside;
  const window = BigInt(perUs) * MILLION;
  return room < 0n ? 0 : Number(room / window) - current;
}

interface Counts {
  readonly previous: number;
  readonly current: number;
  readonly nowUs: number;
}

const passes = (
  { previous, current, nowUs }: Counts,
  startUs: number,
  { rate, perUs, cost }: TwoWindowRule,
): boolean => {
  const inside = BigInt(previous) * BigInt(startUs + perUs - nowUs) * MILLION;
  return (
    inside + BigInt(current + cost) * BigInt(perUs) * MILLION <=
    BigInt(Math.round(rate * 1e6)) * BigInt(perUs)
  );
};

/** The time until the request would be admitted. The weight only falls within a window, so bisection finds the end. */
function waitOf(counts: Counts, startUs: number, rule: TwoWindowRule): number {
  if (rule.cost > rule.rate) return Number.POSITIVE_INFINITY;
  if (passes(counts, startUs, rule)) return 0;
  let [previous, current, fromUs] = [counts.previous, counts.current, counts.nowUs];
  for (let windowUs = startUs; ; windowUs += rule.perUs) {
    const lastUs = windowUs + rule.perUs - 1;
    if (passes({ previous, current, nowUs: lastUs }, windowUs, rule)) {
      return (
        firstUs(fromUs, lastUs, (nowUs) => passes({ previous, current, nowUs }, windowUs, rule)) -
        counts.nowUs
      );
    }
    [previous, current, fromUs] = [current, 0, windowUs + rule.perUs];
  }
}

function firstUs(fromUs: number, toUs: number, holds: (us: number) => boolean): number {
  let [low, high] = [fromUs, toUs];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
