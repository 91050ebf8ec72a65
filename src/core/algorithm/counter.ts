// Fixed window (ALG-8, ALG-C3), DRL's share on one gateway (ALG-C4) and the quota (LIM-C9) are one
// thing: a count with a window. They differ in the capacity they are asked with.

/** One row a budget, as columns: a million budgets cost sixteen bytes each. */
export interface CounterRows {
  startUs: Float64Array;
  count: Float64Array;
}

/** Also true when `nowUs` lies before the start: another gateway's clock is ahead, its window counts. */
const isOpen = (rows: CounterRows, row: number, perUs: number, nowUs: number): boolean =>
  nowUs < rows.startUs[row]! + perUs;

export const used = (rows: CounterRows, row: number, perUs: number, nowUs: number): number =>
  isOpen(rows, row, perUs, nowUs) ? rows.count[row]! : 0;

/** How long until one more would pass: 0 admits, infinity means never. Reads only. */
export function wait(
  rows: CounterRows,
  row: number,
  capacity: number,
  perUs: number,
  nowUs: number,
): number {
  if (used(rows, row, perUs, nowUs) < capacity) return 0;
  return capacity < 1 ? Number.POSITIVE_INFINITY : rows.startUs[row]! + perUs - nowUs;
}

export function spend(
  rows: CounterRows,
  row: number,
  perUs: number,
  nowUs: number,
  startsAtClock: boolean,
): void {
  if (isOpen(rows, row, perUs, nowUs)) {
    rows.count[row]! += 1;
  } else {
    rows.startUs[row] = startsAtClock ? nowUs - (nowUs % perUs) : nowUs;
    rows.count[row] = 1;
  }
}

/** Gives back what a request took at `takenUs`, unless its window has ended since (LIM-C1). */
export function giveBack(rows: CounterRows, row: number, perUs: number, takenUs: number): void {
  if (isOpen(rows, row, perUs, takenUs) && rows.count[row]! > 0) rows.count[row]! -= 1;
}

export const endUs = (rows: CounterRows, row: number, perUs: number): number =>
  rows.startUs[row]! + perUs;
