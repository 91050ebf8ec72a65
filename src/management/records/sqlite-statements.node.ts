// Statements of SQLite, in the thread that asks for them.
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { Ran, Runner } from "./sqlite-runner.ts";
import { SqliteError } from "./sqlite-faults.ts";

export interface Opening {
  readonly file: string;
  readonly isReadOnly: boolean;
  readonly pragmas: string; // beside those that every connection has
}

const NOTHING: Ran = { rows: [], changes: 0 };

export function statementsIn({ file, isReadOnly, pragmas }: Opening): Runner {
  const database = opened(file, isReadOnly);
  const told = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw asSqliteError(error, database.isOpen && database.isTransaction);
    }
  };
  // FULL: a commit has reached the disk when it returns, log and all.
  const own = isReadOnly ? "" : "pragma journal_mode = wal; pragma synchronous = full;";
  told(() => database.exec(`pragma busy_timeout = 5000; ${own} ${pragmas}`));
  const known = new Map<string, StatementSync>();
  const run = (text: string, parameters: readonly unknown[]): Ran => {
    // Some faults have taken everything back already.
    if (text === "rollback" && !database.isTransaction) return NOTHING;
    let statement = known.get(text);
    if (statement === undefined) known.set(text, (statement = database.prepare(text)));
    const values = parameters as SQLInputValue[];
    if (statement.columns().length > 0) return { rows: statement.all(...values), changes: 0 };
    return { rows: [], changes: Number(statement.run(...values).changes) };
  };
  return {
    run: (text, parameters) => told(() => run(text, parameters)),
    close: () => database.close(),
  };
}

function opened(file: string, readOnly: boolean): DatabaseSync {
  try {
    return new DatabaseSync(file, { readOnly });
  } catch (error) {
    throw asSqliteError(error, false);
  }
}

/** What is no fault of SQLite stays what it is. */
function asSqliteError(error: unknown, isWithin: boolean): unknown {
  const isOfSqlite = error instanceof Error && "errcode" in error;
  return isOfSqlite ? new SqliteError(error.message, Number(error.errcode), isWithin) : error;
}
