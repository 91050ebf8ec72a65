import { budgetClient } from "../core/budget.ts";
import type { Client } from "../core/client.ts";
import type { AllowanceUpdate } from "../core/smoothing.ts";
import type { Level, Reply } from "../core/store.ts";
import type { Micros } from "../core/units.ts";
import { open, type Table } from "./table.ts";

/** A level and the table that counts it: looked up once, asked often. */
export interface Bound<T extends Table = Table> {
  readonly level: Level;
  readonly table: T;
  readonly counting: Counting<T>;
  readonly isQuota: boolean; // of the key, or of one API
  readonly isQuotaAtApi: boolean;
  readonly isForAll: boolean; // an API's budget is one for all (LIM-7), whoever asks: its row is always the same
  row: number; // of the question at hand, like the next
  moved: AllowanceUpdate | null; // the step that A takes if this request is written (SMO)
}

/**
 * How one kind of budget is counted. Chosen once, when a level is bound to its table, so that no question
 * asks again what it speaks to.
 */
export interface Counting<T extends Table> {
  /** How long until this request would pass: 0 admits. `written`: a log would write a refusal. */
  judge(one: Bound<T>, atUs: Micros, written: boolean): number;
  /** Counts the request, and tells what that leaves. */
  spend(one: Bound<T>, index: number, atUs: Micros, reply: Reply): void;
  /** Writes a request that this budget has refused: only logs do (ALG-3). */
  writeRefused(one: Bound<T>, atUs: Micros, reply: Reply): void;
  /** What a client is told that it may send in a window (HDR-C2). */
  limit(one: Bound<T>, atUs: Micros): number;
  /** How many more would pass now. */
  left(one: Bound<T>, atUs: Micros): number;
  /** When the budget is full again if nobody calls. */
  fullUs(one: Bound<T>, atUs: Micros): number;
  /** How long until the next one would pass, where none are left. */
  nextWait(one: Bound<T>, atUs: Micros): number;
  giveBack(table: T, row: number, takenUs: Micros): void;
}

/** Clients get the limit itself, never the share that is counted here (HDR-C2). */
export const limitForClients = ({ level }: Bound): number => level.shownLimit;

/** Refused requests cost nothing. */
export const writesNothing = (): void => {};

/** Finds the row that counts for whoever asks. */
export function seek(one: Bound, asking: Client, atUs: Micros): void {
  if (!one.isForAll) one.row = open(one.table, budgetClient(one.level.budget, asking), atUs);
}

/** The same without making one. */
export const knownRowOf = (
  { table, row, isForAll, level }: Bound,
  asking: Client,
): number | undefined =>
  isForAll ? row : table.rows.byIdentity.get(budgetClient(level.budget, asking).identity);
