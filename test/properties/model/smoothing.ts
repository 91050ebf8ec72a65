// The allowance of one budget by the sentences of SMO: integers of a millionth of a millionth, so that nothing is rounded.
import type { Limit, Smoothing } from "#src/limiter/core/limit.ts";

export interface ModelAllowance {
  readonly value: bigint;
  readonly holdUntilUs: number;
  readonly lastUs: number; // newest attempt written
  readonly lastRule: Rule; // the rule of that attempt
}

export interface Change {
  readonly event: "RateLimitSmoothingUp" | "RateLimitSmoothingDown";
  readonly atUs: number;
  readonly allowance: number;
}

export interface Moved {
  readonly record: ModelAllowance;
  readonly changes: readonly Change[];
}

const ONE = 1_000_000_000_000n;
const exact = (value: number): bigint => BigInt(Math.round(value * 1_000_000)) * 1_000_000n;
const toNumber = (value: bigint): number => Number(value / 1_000_000n) / 1_000_000;
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

/** The last attempt left A at the threshold of that time, and none followed (SMO-C6, 1). */
const isAbsent = ({ value, lastUs, lastRule }: ModelAllowance, nowUs: number): boolean =>
  value === lastRule.threshold && nowUs - lastUs >= idleUs(lastRule);

const within = ({ threshold, rate }: Rule, value: bigint): bigint =>
  least(most(value, threshold), rate);

/** A before any fall or step: a sentinel uses it (ALG-C5). */
export function allowanceAtRest(
  limit: Limit,
  smoothing: Smoothing,
  record: ModelAllowance | null,
  nowUs: number,
): bigint {
  const rule = ruleOf(limit, smoothing);
  return record === null || isAbsent(record, nowUs) ? rule.threshold : within(rule, record.value);
}

/**
 * The first instant between the last attempt and `nowUs` at which A would fall (SMO-4, SMO-C6). That can change only when
 * the hold-off ends or an attempt leaves the window, so these instants are tried.
 */
function fallDueUs(
  rule: Rule,
  { value, holdUntilUs, lastUs }: Pick<ModelAllowance, "value" | "holdUntilUs" | "lastUs">,
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

/** Applies the passing of time to A, up to `nowUs` (SMO-C6). */
function settle(
  rule: Rule,
  record: ModelAllowance | null,
  attempts: readonly number[],
  nowUs: number,
): Settled {
  const created: ModelAllowance = {
    value: rule.threshold,
    holdUntilUs: nowUs + rule.delayUs,
    lastUs: nowUs,
    lastRule: rule,
  };
  if (record === null || isAbsent(record, nowUs))
    return { record: created, changes: [], isMoved: true };
  const changes: Change[] = [];
  const lastUs = Math.max(record.lastUs, ...attempts);
  let { holdUntilUs } = record;
  let value = least(record.value, rule.rate);
  while (value > rule.threshold) {
    const atUs = fallDueUs(rule, { value, holdUntilUs, lastUs }, attempts, nowUs);
    if (atUs === undefined) break;
    value = most(value - rule.step, rule.threshold);
    holdUntilUs = atUs + rule.delayUs;
    changes.push({ event: "RateLimitSmoothingDown", atUs, allowance: toNumber(value) });
  }
  if (value === rule.threshold && nowUs - lastUs >= idleUs(rule))
    return { record: created, changes, isMoved: true };

  if (changes.length === 0) value = record.value;
  const bounded = within(rule, value);
  if (bounded === value)
    return { record: { ...record, value, holdUntilUs }, changes, isMoved: false };
  changes.push({
    event: bounded > value ? "RateLimitSmoothingUp" : "RateLimitSmoothingDown",
    atUs: nowUs,
    allowance: toNumber(bounded),
  });
  return {
    record: { ...record, value: bounded, holdUntilUs: nowUs + rule.delayUs },
    changes,
    isMoved: true,
  };
}

/** A at `nowUs`, without an attempt. */
export const currentAllowance = (
  limit: Limit,
  smoothing: Smoothing,
  record: ModelAllowance | null,
  attempts: readonly number[],
  nowUs: number,
): bigint => settle(ruleOf(limit, smoothing), record, attempts, nowUs).record.value;

/** A after a request at `nowUs`: the falls until then, and one step at most (SMO-C1 to SMO-C3). */
export function applyRequest(
  limit: Limit,
  smoothing: Smoothing,
  before: ModelAllowance | null,
  attempts: readonly number[],
  nowUs: number,
  units: number,
): Moved {
  const rule = ruleOf(limit, smoothing);
  const { record, changes, isMoved } = settle(rule, before, attempts, nowUs);
  const { value, holdUntilUs } = record;
  const now: ModelAllowance = { ...record, lastUs: Math.max(record.lastUs, nowUs), lastRule: rule };
  if (isMoved || holdUntilUs > nowUs) return { record: now, changes };
  const r = BigInt(attempts.filter((us) => us > nowUs - rule.perUs).length + units) * ONE;
  let next = value;
  if (r > rule.risesAbove(value)) next = least(value + rule.step, rule.rate);
  else if (r < rule.fallsBelow(value)) next = most(value - rule.step, rule.threshold);
  if (next === value) return { record: now, changes };
  const event = next > value ? "RateLimitSmoothingUp" : "RateLimitSmoothingDown";
  return {
    record: { ...now, value: next, holdUntilUs: nowUs + rule.delayUs },
    changes: [...changes, { event, atUs: nowUs, allowance: toNumber(next) }],
  };
}
