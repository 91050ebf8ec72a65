// Which row of a table counts for whom. Rows are handed out again, and a hand walks over them so that
// those nobody needs any more are found without a timer: it moves as rows are asked for.

export interface Rows {
  readonly byIdentity: Map<string, number>;
  readonly identities: (string | undefined)[];
  readonly free: number[];
  capacity: number;
  used: number; // rows handed out at least once
  hand: number;
  asked: number; // modulo the pace of the hand
  state: object; // another one whenever a row changes hands
}

export const rowsFor = (capacity: number): Rows => ({
  byIdentity: new Map(),
  identities: [],
  free: [],
  capacity,
  used: 0,
  hand: 0,
  asked: 0,
  state: {},
});

/** The next row for a new identity; -1 when the columns have to grow first. */
export function assign(rows: Rows, identity: string): number {
  const row = rows.free.pop() ?? (rows.used < rows.capacity ? rows.used++ : -1);
  if (row >= 0) {
    rows.byIdentity.set(identity, row);
    rows.identities[row] = identity;
  }
  return row;
}

export function drop(rows: Rows, row: number): void {
  const identity = rows.identities[row];
  if (identity === undefined) return;
  rows.byIdentity.delete(identity);
  rows.state = {};
  rows.identities[row] = undefined;
  rows.free.push(row);
}

/** The row under the hand if somebody holds it, else -1; the hand moves on. */
export function underHand(rows: Rows): number {
  if (rows.used === 0) return -1;
  const row = rows.hand < rows.used ? rows.hand : 0;
  rows.hand = row + 1;
  return rows.identities[row] === undefined ? -1 : row;
}
