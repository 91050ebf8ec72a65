// Runs statements of SQLite in the calling thread.
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { applyInSteps, type WriteOutcome, type PreparedWrite } from "./apply.ts";
import { SqliteError } from "./sqlite-failures.ts";
import { FRAME, type SqliteReply } from "./sqlite-runner.ts";

export interface SqliteOpening {
  readonly file: string;
  readonly isReadOnly: boolean;
  readonly pragmas: string; // in addition to the pragmas of every connection
}

/** A runner whose functions return results, without promises. */
export interface Statements {
  readonly run: (text: string, parameters: readonly unknown[]) => SqliteReply;
  readonly apply: (prepared: readonly PreparedWrite[]) => readonly WriteOutcome[];
  readonly close: () => void;
}

export function statementsIn({ file, isReadOnly, pragmas }: SqliteOpening): Statements {
  const database = openDatabase(file, isReadOnly);
  const withSqliteErrors = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw asSqliteError(error);
    }
  };
  // FULL: when a commit returns, the log is on the disk. SECURE_DELETE: deleted contents are overwritten.
  const own = isReadOnly
    ? ""
    : "pragma journal_mode = wal; pragma synchronous = full; pragma secure_delete = on;";
  withSqliteErrors(() => database.exec(`pragma busy_timeout = 5000; ${own} ${pragmas}`));
  const known = new Map<string, PreparedStatement>();
  const run = (text: string, parameters: readonly unknown[]): SqliteReply => {
    // After some errors SQLite has already rolled back.
    if (text === "rollback" && !database.isTransaction) return { rows: [], changes: 0 };
    let found = known.get(text);
    if (found === undefined) known.set(text, (found = prepare(database, text)));
    const { statement, hasRows } = found;
    const values = parameters as SQLInputValue[];
    if (hasRows) return { rows: statement.all(...values), changes: 0 };
    return { rows: [], changes: Number(statement.run(...values).changes) };
  };
  const apply = (writes: readonly PreparedWrite[]): readonly WriteOutcome[] => {
    const steps = applyInSteps(writes, FRAME);
    try {
      let next = steps.next();
      while (next.done !== true) next = steps.next(run(next.value.sql, next.value.parameters));
      return next.value;
    } finally {
      // Some errors of SQLite end the transaction, others leave it open.
      if (database.isTransaction) database.exec("rollback");
    }
  };
  return {
    run: (text, parameters) => withSqliteErrors(() => run(text, parameters)),
    apply: (writes) => withSqliteErrors(() => apply(writes)),
    close: () => database.close(),
  };
}

interface PreparedStatement {
  readonly statement: StatementSync;
  readonly hasRows: boolean; // cached, because describing columns can take as long as a statement
}

function prepare(database: DatabaseSync, text: string): PreparedStatement {
  const statement = database.prepare(text);
  return { statement, hasRows: statement.columns().length > 0 };
}

function openDatabase(file: string, readOnly: boolean): DatabaseSync {
  try {
    return new DatabaseSync(file, { readOnly });
  } catch (error) {
    throw asSqliteError(error);
  }
}

/** Converts an error of SQLite; returns other errors unchanged. */
function asSqliteError(error: unknown): unknown {
  const isOfSqlite = error instanceof Error && "errcode" in error;
  return isOfSqlite ? new SqliteError(error.message, Number(error.errcode)) : error;
}
