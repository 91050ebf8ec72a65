// Sliding window counter (ALG-C9): two windows aligned to the epoch, the older one weighted by how
// much of it still lies inside. Admitted requests only. All products stay whole numbers.

export interface TwoWindowRows {
  startUs: Float64Array; // of the current window
  previous: Float64Array;
  current: Float64Array;
}

const alignedStart = (nowUs: number, perUs: number): number => nowUs - (nowUs % perUs);

/** A clock that is behind joins the window that others have begun. */
const windowOf = (rows: TwoWindowRows, row: number, perUs: number, nowUs: number): number =>
  Math.max(rows.startUs[row]!, alignedStart(nowUs, perUs));

const previousAt = (rows: TwoWindowRows, row: number, perUs: number, startUs: number): number => {
  if (startUs === rows.startUs[row]!) return rows.previous[row]!;
  return startUs === rows.startUs[row]! + perUs ? rows.current[row]! : 0;
};

const currentAt = (rows: TwoWindowRows, row: number, startUs: number): number =>
  startUs === rows.startUs[row]! ? rows.current[row]! : 0;

const inside = (startUs: number, perUs: number, nowUs: number): number =>
  Math.min(perUs, startUs + perUs - nowUs);

export function wait(
  rows: TwoWindowRows,
  row: number,
  rate: number,
  perUs: number,
  nowUs: number,
): number {
  if (rate < 1) return Number.POSITIVE_INFINITY;
  const startUs = windowOf(rows, row, perUs, nowUs);
  const previous = previousAt(rows, row, perUs, startUs);
  const current = currentAt(rows, row, startUs);
  const room = (rate - current - 1) * perUs;
  if (previous * inside(startUs, perUs, nowUs) <= room) return 0;
  if (room >= 0) return startUs + perUs - Math.floor(room / previous) - nowUs;
  // Not in this window: in the next one the current count is the previous one.
  const next = startUs + perUs;
  return next + Math.max(0, perUs - Math.floor(((rate - 1) * perUs) / current)) - nowUs;
}

export function spend(rows: TwoWindowRows, row: number, perUs: number, nowUs: number): void {
  const startUs = windowOf(rows, row, perUs, nowUs);
  const previous = previousAt(rows, row, perUs, startUs);
  const current = currentAt(rows, row, startUs);
  rows.startUs[row] = startUs;
  rows.previous[row] = previous;
  rows.current[row] = current + 1;
}

export function giveBack(rows: TwoWindowRows, row: number, perUs: number, takenUs: number): void {
  const startUs = alignedStart(takenUs, perUs);
  if (startUs >= rows.startUs[row]!) rows.current[row] = Math.max(0, rows.current[row]! - 1);
  else if (startUs + perUs === rows.startUs[row]!)
    rows.previous[row] = Math.max(0, rows.previous[row]! - 1);
}

export function remaining(
  rows: TwoWindowRows,
  row: number,
  rate: number,
  perUs: number,
  nowUs: number,
): number {
  const startUs = windowOf(rows, row, perUs, nowUs);
  const weighted = previousAt(rows, row, perUs, startUs) * inside(startUs, perUs, nowUs);
  return Math.max(0, Math.floor((rate * perUs - weighted) / perUs - currentAt(rows, row, startUs)));
}

/** When neither window holds anything: both have passed. */
export const emptyUs = (rows: TwoWindowRows, row: number, perUs: number): number =>
  rows.startUs[row]! + (rows.current[row]! > 0 ? 2 : 1) * perUs;
