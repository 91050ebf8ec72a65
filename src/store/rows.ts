// Which row of a table counts for whom. Rows are handed out again, and a hand walks over them so that
// those nobody needs any more are found without a timer: it moves as rows are asked for.
import type { Client } from "../core/client.ts";

export interface Rows {
  readonly byIdentity: Map<string, number>;
  readonly holders: (Client | undefined)[]; // who was last found there, and knows it
  readonly free: number[];
  capacity: number;
  used: number; // rows handed out at least once
  hand: number;
  untilSweep: number; // how many more are asked for before the hand moves
  sweeps: number;
}

export const SWEEP_EVERY = 64;

export const rowsFor = (capacity: number): Rows => ({
  byIdentity: new Map(),
  holders: [],
  free: [],
  capacity,
  used: 0,
  hand: 0,
  untilSweep: SWEEP_EVERY,
  sweeps: 0,
});

/** Grows with every row that is asked for. */
export const askedSoFar = ({ sweeps, untilSweep }: Rows): number =>
  (sweeps + 1) * SWEEP_EVERY - untilSweep;

/** The client's row where it is known without looking for it; -1 where it is not. */
export function knownRow(rows: Rows, client: Client): number {
  if (client.home === rows) return client.row;
  // Budgets of one client are often made together, and so have the same row in several tables.
  return rows.holders[client.row] === client ? client.row : -1;
}

/** The next row for a new client; -1 when the columns have to grow first. */
export function assign(rows: Rows, client: Client): number {
  const row = rows.free.pop() ?? (rows.used < rows.capacity ? rows.used++ : -1);
  if (row < 0) return row;
  rows.byIdentity.set(client.identity, row);
  hold(rows, row, client);
  return row;
}

/** One client alone knows of a row, so that one alone has to be told when it goes. */
export function hold(rows: Rows, row: number, client: Client): void {
  const before = rows.holders[row];
  if (before !== undefined && before.home === rows) before.home = null;
  rows.holders[row] = client;
  client.row = row;
  client.home = rows;
}

export function drop(rows: Rows, row: number): void {
  const holder = rows.holders[row];
  if (holder === undefined) return;
  if (holder.home === rows) holder.home = null;
  rows.byIdentity.delete(holder.identity);
  rows.holders[row] = undefined;
  rows.free.push(row);
}

/** The row under the hand if somebody holds it, else -1; the hand moves on. */
export function underHand(rows: Rows): number {
  if (rows.used === 0) return -1;
  const row = rows.hand < rows.used ? rows.hand : 0;
  rows.hand = row + 1;
  return rows.holders[row] === undefined ? -1 : row;
}
