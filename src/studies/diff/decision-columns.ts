// Counts of requests by what both configurations decided, with a row for each client or target.

/** How many requests are refused or rejected by one configuration and admitted by the other. */
export interface DiffCounts {
  readonly requests: number;
  readonly refusedBefore: number;
  readonly refusedAfter: number;
  readonly lost: number; // admitted before, and not after
  readonly gained: number; // admitted after, and not before
}

const COLUMNS = 5;
const FIRST_ROWS = 256;

export class DecisionColumns {
  count = 0; // rows in use
  #cells = new Float64Array(COLUMNS * FIRST_ROWS);

  add(row: number, isRefusedBefore: boolean, isRefusedAfter: boolean): void {
    if (row >= this.count) this.#use(row + 1);
    const cells = this.#cells;
    const at = COLUMNS * row;
    cells[at]!++;
    if (isRefusedBefore) cells[at + 1]!++;
    if (isRefusedAfter) cells[at + 2]!++;
    if (isRefusedAfter && !isRefusedBefore) cells[at + 3]!++;
    if (isRefusedBefore && !isRefusedAfter) cells[at + 4]!++;
  }

  at(row: number): DiffCounts {
    const [requests, refusedBefore, refusedAfter, lost, gained] = this.#cells.subarray(
      COLUMNS * row,
      COLUMNS * (row + 1),
    ) as unknown as [number, number, number, number, number];
    return { requests, refusedBefore, refusedAfter, lost, gained };
  }

  #use(rows: number): void {
    this.count = rows;
    if (COLUMNS * rows <= this.#cells.length) return;
    const larger = new Float64Array(2 * COLUMNS * rows);
    larger.set(this.#cells);
    this.#cells = larger;
  }
}
