import { isOfApi } from "../core/budget.ts";
import { client, type Client } from "../core/client.ts";
import type { Level } from "../core/store.ts";
import type { Table } from "./table.ts";

/** A level and the table that counts it: looked up once, asked often. */
export interface Bound {
  readonly level: Level;
  readonly table: Table;
  readonly isQuota: boolean;
  readonly everybody: Client | null; // an API's budget is one for all (LIM-7), whoever asks
}

export const bind = (level: Level, table: Table): Bound => ({
  level,
  table,
  isQuota: level.budget.scope === "quota",
  everybody: isOfApi(level.budget.scope) ? client("") : null,
});
