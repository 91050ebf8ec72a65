// The allowance of one budget, as SMO reads: whole millionths of a millionth, so that nothing is rounded.
import type { Limit, Smoothing } from "../../../src/core/limit.ts";

export interface Kept {
  readonly value: bigint;
  readonly holdUntilUs: number;
  readonly lastUs: number; // newest attempt written
  readonly judgedBy: Rule; // the rule of that attempt
}

export interface Change {
  readonly event: "RateLimitSmoothingUp" | "RateLimitSmoothingDown";
  readonly atUs: number;
  readonly allowance: number;
}

export interface Moved {
  readonly kept: Kept;
  readonly changes: readonly Change[];
}

const ONE = 1_000_000_000_000n;
const exact = (value: number): bigint => BigInt(Math.round(value * 1_000_000)) * 1_000_000n;
export const toNumber = (value: bigint): number => Number(value / 1_000_000n) / 1_000_000;
export const wholePart = (value: bigint): number => Number(value / ONE);

const times = (a: bigint, b: bigint): bigint => (a * b) / ONE; // of at most six decimals each: exact
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);

interface Rule {
  readonly threshold: bigint;
  readonly rate: bigint;
  readonly step: bigint;
  readonly risesAbove: (value: bigint) => bigint; // r above it (SMO-3)
  readonly fallsBelow: (value: bigint) => bigint; // r below it (SMO-4)
  readonly delayUs: number;
  readonly perUs: number;
}

function ruleOf({ rate, perUs }: Limit, smoothing: Smoothing): Rule {
  const [step, trigger] = [exact(smoothing.step), exact(smoothing.trigger)];
  return {
    threshold: exact(smoothing.threshold),
    rate: exact(rate),
    step,
    risesAbove: (value) => value - times(step, trigger),
    fallsBelow: (value) => value - times(step, ONE + trigger),
    delayUs: smoothing.delayUs,
    perUs,
  };
}

const idleUs = ({ perUs, delayUs }: Rule): number => Math.max(perUs, 2 * delayUs);

/** Its last attempt left A at the threshold that applied then, and none has come since (SMO-C6, 1). */
const isAbsent = ({ value, lastUs, judgedBy }: Kept, nowUs: number): boolean =>
  value === judgedBy.threshold && nowUs - lastUs >= idleUs(judgedBy);

const within = ({ threshold, rate }: Rule, value: bigint): bigint =>
  least(most(value, threshold), rate);

/** A before anything is made up or moved: what a sentinel goes by (ALG-C5). */
export function standing(
  limit: Limit,
  smoothing: Smoothing,
  kept: Kept | null,
  nowUs: number,
): bigint {
  const rule = ruleOf(limit, smoothing);
  return kept === null || isAbsent(kept, nowUs) ? rule.threshold : within(rule, kept.value);
}

/**
 * The first instant between the last attempt and `nowUs` at which a look would lower A (SMO-4, SMO-C6). What it
 * finds changes only where the hold-off ends and where an attempt leaves the window, so these are tried.
 */
function fallDueUs(
  rule: Rule,
  { value, holdUntilUs, lastUs }: Pick<Kept, "value" | "holdUntilUs" | "lastUs">,
  attempts: readonly number[],
  nowUs: number,
): number | undefined {
  const lowers = (us: number): boolean => {
    const inside = attempts.filter((stamp) => stamp > us - rule.perUs && stamp <= us).length;
    return inside === 0 || BigInt(inside + 1) * ONE < rule.fallsBelow(value);
  };
  return [lastUs + 1, holdUntilUs, ...attempts.map((us) => us + rule.perUs)]
    .filter((us) => us > lastUs && us >= holdUntilUs && us < nowUs)
    .toSorted((a, b) => a - b)
    .find(lowers);
}

interface Settled extends Moved {
  readonly isMoved: boolean; // created or cut just now: no step may follow
}

/** What time alone has made of A by `nowUs` (SMO-C6). */
function settled(
  rule: Rule,
  kept: Kept | null,
  attempts: readonly number[],
  nowUs: number,
): Settled {
  const created: Kept = {
    value: rule.threshold,
    holdUntilUs: nowUs + rule.delayUs,
    lastUs: nowUs,
    judgedBy: rule,
  };
  if (kept === null || isAbsent(kept, nowUs)) return { kept: created, changes: [], isMoved: true };
  const changes: Change[] = [];
  const lastUs = Math.max(kept.lastUs, ...attempts);
  let { holdUntilUs } = kept;
  let value = least(kept.value, rule.rate);
  while (value > rule.threshold) {
    const atUs = fallDueUs(rule, { value, holdUntilUs, lastUs }, attempts, nowUs);
    if (atUs === undefined) break;
    value = most(value - rule.step, rule.threshold);
    holdUntilUs = atUs + rule.delayUs;
    changes.push({ event: "RateLimitSmoothingDown", atUs, allowance: toNumber(value) });
  }
  if (value === rule.threshold && nowUs - lastUs >= idleUs(rule))
    return { kept: created, changes, isMoved: true };

  if (changes.length === 0) value = kept.value;
  const bounded = within(rule, value);
  if (bounded === value) return { kept: { ...kept, value, holdUntilUs }, changes, isMoved: false };
  changes.push({
    event: bounded > value ? "RateLimitSmoothingUp" : "RateLimitSmoothingDown",
    atUs: nowUs,
    allowance: toNumber(bounded),
  });
  return {
    kept: { ...kept, value: bounded, holdUntilUs: nowUs + rule.delayUs },
    changes,
    isMoved: true,
  };
}

/** A as a look finds it that is no attempt. */
export const found = (
  limit: Limit,
  smoothing: Smoothing,
  kept: Kept | null,
  attempts: readonly number[],
  nowUs: number,
): bigint => settled(ruleOf(limit, smoothing), kept, attempts, nowUs).kept.value;

/** What a request at `nowUs` makes of A: what time has made of it, and one step at most (SMO-C1 to SMO-C3). */
export function moved(
  limit: Limit,
  smoothing: Smoothing,
  before: Kept | null,
  attempts: readonly number[],
  nowUs: number,
): Moved {
  const rule = ruleOf(limit, smoothing);
  const { kept, changes, isMoved } = settled(rule, before, attempts, nowUs);
  const { value, holdUntilUs } = kept;
  const now: Kept = { ...kept, lastUs: Math.max(kept.lastUs, nowUs), judgedBy: rule };
  if (isMoved || holdUntilUs > nowUs) return { kept: now, changes };
  const r = BigInt(attempts.filter((us) => us > nowUs - rule.perUs).length + 1) * ONE;
  let next = value;
  if (r > rule.risesAbove(value)) next = least(value + rule.step, rule.rate);
  else if (r < rule.fallsBelow(value)) next = most(value - rule.step, rule.threshold);
  if (next === value) return { kept: now, changes };
  const event = next > value ? "RateLimitSmoothingUp" : "RateLimitSmoothingDown";
  return {
    kept: { ...now, value: next, holdUntilUs: nowUs + rule.delayUs },
    changes: [...changes, { event, atUs: nowUs, allowance: toNumber(next) }],
  };
}
