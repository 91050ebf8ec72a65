// Records in one file, or in memory for as long as somebody needs them.
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { Kysely } from "kysely";
import type { Records } from "./records.ts";
import { openRecords } from "./sql.ts";
import { sqliteDialect, type Runner } from "./sqlite-dialect.ts";
import type { Tables } from "./tables.ts";

/** Statements in this thread. */
export function sqliteRunner(file: string): Runner {
  const database = new DatabaseSync(file);
  database.exec("pragma journal_mode = wal; pragma synchronous = full; pragma busy_timeout = 5000");
  const known = new Map<string, StatementSync>();
  return {
    run: (text, parameters) => {
      let statement = known.get(text);
      if (statement === undefined) known.set(text, (statement = database.prepare(text)));
      const values = parameters as SQLInputValue[];
      if (statement.columns().length > 0) return { rows: statement.all(...values), changes: 0 };
      return { rows: [], changes: Number(statement.run(...values).changes) };
    },
    close: () => database.close(),
  };
}

/** Nothing of it is kept: for simulations, and to try things. */
export const recordsInMemory = (): Promise<Records> => recordsInFile(":memory:");

export function recordsInFile(file: string): Promise<Records> {
  const db = new Kysely<Tables>({ dialect: sqliteDialect(sqliteRunner(file)) });
  return openRecords({
    dialect: "sqlite",
    db,
    scans: db,
    transact: (work) => db.transaction().execute(work),
    close: () => db.destroy(),
  });
}
