// Token bucket and GCRA (ALG-C9) are one recurrence seen from two sides. The row holds the debt:
// requests taken and not yet paid back, in units of request x microseconds of `per`, so that whole
// rates need no rounding and both algorithms decide alike when the burst is the rate.

export interface DebtRows {
  debt: Float64Array; // times perUs
  atUs: Float64Array;
}

const owed = (rows: DebtRows, row: number, rate: number, nowUs: number): number => {
  const elapsed = nowUs - rows.atUs[row]!;
  return elapsed > 0 ? Math.max(0, rows.debt[row]! - elapsed * rate) : rows.debt[row]!;
};

/** `burst` is how many may pass at once: floor(rate) for the bucket, the tolerance for GCRA. */
export function wait(
  rows: DebtRows,
  row: number,
  rate: number,
  burst: number,
  perUs: number,
  nowUs: number,
): number {
  if (burst < 1) return Number.POSITIVE_INFINITY;
  const excess = owed(rows, row, rate, nowUs) - (burst - 1) * perUs;
  return excess <= 0 ? 0 : Math.ceil(excess / rate) + behind(rows, row, nowUs);
}

/** A gateway whose clock is behind the last writer's must wait for that clock first. */
const behind = (rows: DebtRows, row: number, nowUs: number): number =>
  Math.max(0, rows.atUs[row]! - nowUs);

export function spend(
  rows: DebtRows,
  row: number,
  rate: number,
  perUs: number,
  nowUs: number,
): void {
  rows.debt[row] = owed(rows, row, rate, nowUs) + perUs;
  rows.atUs[row] = Math.max(rows.atUs[row]!, nowUs);
}

export function giveBack(rows: DebtRows, row: number, perUs: number): void {
  rows.debt[row] = Math.max(0, rows.debt[row]! - perUs);
}

export const remaining = (
  rows: DebtRows,
  row: number,
  rate: number,
  burst: number,
  perUs: number,
  nowUs: number,
): number => Math.max(0, Math.floor((burst * perUs - owed(rows, row, rate, nowUs)) / perUs));

/** When nothing is owed any more: an upper bound that needs no rate is one window after the last write. */
export const paidOffUs = (rows: DebtRows, row: number, rate: number): number =>
  rows.debt[row]! === 0 ? rows.atUs[row]! : rows.atUs[row]! + Math.ceil(rows.debt[row]! / rate);
