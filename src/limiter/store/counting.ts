import { budgetClient } from "../core/budget.ts";
import type { Client } from "../core/client.ts";
import type { AllowanceUpdate } from "../core/smoothing.ts";
import type { Level, Reply } from "../core/store.ts";
import type { Micros } from "../../kit/units.ts";
import { open, type BudgetTable } from "./table.ts";

/** A level and the table that counts it, looked up once for many requests. */
export interface BoundLevel<T extends BudgetTable = BudgetTable> {
  readonly level: Level;
  readonly table: T;
  readonly counting: Counting<T>;
  readonly isQuota: boolean; // a quota of the key, or of one API
  readonly isQuotaAtApi: boolean;
  readonly isForAll: boolean; // all clients of an API share one row (LIM-7), which never changes
  row: number; // the row of the current operation, to which `count` and `moved` also belong
  count: number; // the count including this request, if every level is a count
  moved: AllowanceUpdate | null; // the change of the allowance if this request is written (SMO)
}

/** How one kind of budget is counted, chosen once when a level is bound to its table. */
export interface Counting<T extends BudgetTable> {
  /** How long until all units are admitted; 0: now. `isWritten`: a refused request would be written. */
  evaluate(bound: BoundLevel<T>, atUs: Micros, isWritten: boolean, units: number): number;
  /** How long an admitted request waits for its turn (ALG-C10). Missing: no request waits. */
  delay?(bound: BoundLevel<T>, atUs: Micros): number;
  /** Spends the units of the request, and writes what remains of the budget into the reply. */
  spend(bound: BoundLevel<T>, index: number, atUs: Micros, reply: Reply, units: number): void;
  /** Writes a request that this budget has refused; only logs do so (ALG-3). */
  writeRefused(bound: BoundLevel<T>, atUs: Micros, reply: Reply, units: number): void;
  /** The limit that response headers show (HDR-C2). */
  limit(bound: BoundLevel<T>, atUs: Micros): number;
  /** How many more units are admitted now. */
  remaining(bound: BoundLevel<T>, atUs: Micros): number;
  /** When the budget is full again if no request follows. */
  fullUs(bound: BoundLevel<T>, atUs: Micros): number;
  /** How long until one unit is admitted, if none is left. */
  nextWait(bound: BoundLevel<T>, atUs: Micros): number;
  giveBack(table: T, row: number, takenUs: Micros, units: number): void;
}

/** Headers show the limit itself, never the share that this gateway counts (HDR-C2). */
export const limitForClients = ({ level }: BoundLevel): number => level.shownLimit;

/** The `writeRefused` of budgets that do not count refused requests. */
export const writeNothing = (): void => {};

/** Finds or creates the row of this client's budget. */
export function seek(bound: BoundLevel, client: Client, atUs: Micros): void {
  if (!bound.isForAll)
    bound.row = open(bound.table, budgetClient(bound.level.budget, client), atUs);
}

/** The client's row; undefined: it has none. */
export const existingRowOf = (
  { table, row, isForAll, level }: BoundLevel,
  client: Client,
): number | undefined =>
  isForAll ? row : table.rows.byIdentity.get(budgetClient(level.budget, client).identity);
