// The row of each client in a table. A hand moves over the rows as rows are opened, so that rows without effect are
// found and used again, without a timer.
import { isPassing, type Client } from "../core/client.ts";

/** The client that last opened the row and caches it, or only its identity if the client caches nothing. */
export type Holder = Client | string;

export const identityOf = (holder: Holder): string =>
  typeof holder === "string" ? holder : holder.identity;

export interface Rows {
  readonly byIdentity: Map<string, number>;
  readonly holders: (Holder | undefined)[];
  readonly free: number[];
  capacity: number;
  used: number; // rows that were used at least once
  hand: number;
  untilSweep: number; // rows to open until the next sweep
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

/** A number that grows with every opened row. */
export const accessCount = ({ sweeps, untilSweep }: Rows): number =>
  (sweeps + 1) * SWEEP_EVERY - untilSweep;

/** The row that the client has cached; -1 if it must be looked up. */
export function findCachedRow(rows: Rows, client: Client): number {
  if (client.home === rows) return client.row;
  // Budgets of one client are often created together, so the client has the same row in several tables.
  return rows.holders[client.row] === client ? client.row : -1;
}

/** Assigns a row to a new client; -1: the columns have to grow first. */
export function assign(rows: Rows, client: Client): number {
  const row = rows.free.pop() ?? (rows.used < rows.capacity ? rows.used++ : -1);
  if (row < 0) return row;
  rows.byIdentity.set(client.identity, row);
  if (isPassing(client)) rows.holders[row] = client.identity;
  else hold(rows, row, client);
  return row;
}

/** Makes this client the only one that caches the row, so that one cache is cleared when the row is dropped. */
export function hold(rows: Rows, row: number, client: Client): void {
  const before = rows.holders[row];
  if (typeof before === "object" && before.home === rows) before.home = null;
  rows.holders[row] = client;
  client.row = row;
  client.home = rows;
}

export function drop(rows: Rows, row: number): void {
  const holder = rows.holders[row];
  if (holder === undefined) return;
  if (typeof holder === "object" && holder.home === rows) holder.home = null;
  rows.byIdentity.delete(identityOf(holder));
  rows.holders[row] = undefined;
  rows.free.push(row);
}

/** Returns the row at the hand, or -1 if no client uses the row, and advances the hand. */
export function advanceHand(rows: Rows): number {
  if (rows.used === 0) return -1;
  const row = rows.hand < rows.used ? rows.hand : 0;
  rows.hand = row + 1;
  return rows.holders[row] === undefined ? -1 : row;
}
