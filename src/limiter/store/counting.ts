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
  readonly isQuota: boolean; // of the key, or of one API
  readonly isQuotaAtApi: boolean;
  readonly isForAll: boolean; // all clients of an API share one row (LIM-7), which never changes
  row: number; // of the current operation, like the next two
  count: number; // with this request, if every level is a count
  moved: AllowanceUpdate | null; // the step that A takes if this request is written (SMO)
}

/** How one kind of budget is counted. Chosen once, when a level is bound to its table, so that no operation chooses again. */
export interface Counting<T extends BudgetTable> {
  /** How long until all units of this request would pass: 0 admits. `isWritten`: a log would write a refusal. */
  evaluate(bound: BoundLevel<T>, atUs: Micros, isWritten: boolean, units: number): number;
  /** How long an admitted request then waits for its turn (ALG-C10). Left out: it leaves at once. */
  delay?(bound: BoundLevel<T>, atUs: Micros): number;
  /** Counts the units of the request, and writes what is left into the reply. */
  spend(bound: BoundLevel<T>, index: number, atUs: Micros, reply: Reply, units: number): void;
  /** Writes a request that this budget has refused: only logs do (ALG-3). */
  writeRefused(bound: BoundLevel<T>, atUs: Micros, reply: Reply, units: number): void;
  /** The limit that response headers show (HDR-C2). */
  limit(bound: BoundLevel<T>, atUs: Micros): number;
  /** How many more units would pass now. */
  remaining(bound: BoundLevel<T>, atUs: Micros): number;
  /** When the budget is full again without further requests. */
  fullUs(bound: BoundLevel<T>, atUs: Micros): number;
  /** How long until one unit would pass, if none is left. */
  nextWait(bound: BoundLevel<T>, atUs: Micros): number;
  giveBack(table: T, row: number, takenUs: Micros, units: number): void;
}

/** Clients get the limit itself, never the share that is counted here (HDR-C2). */
export const limitForClients = ({ level }: BoundLevel): number => level.shownLimit;

/** Refused requests cost nothing. */
export const writeNothing = (): void => {};

/** Finds or creates the row that counts for this client. */
export function seek(bound: BoundLevel, client: Client, atUs: Micros): void {
  if (!bound.isForAll)
    bound.row = open(bound.table, budgetClient(bound.level.budget, client), atUs);
}

/** The row of this client, if there is one. */
export const existingRowOf = (
  { table, row, isForAll, level }: BoundLevel,
  client: Client,
): number | undefined =>
  isForAll ? row : table.rows.byIdentity.get(budgetClient(level.budget, client).identity);
