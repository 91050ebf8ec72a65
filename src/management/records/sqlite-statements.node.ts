// Statements of SQLite, in the thread that asks for them.
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { applying, type Outcome, type Prepared } from "./apply.ts";
import { SqliteError } from "./sqlite-faults.ts";
import { FRAME, type RanSqlite } from "./sqlite-runner.ts";

export interface Opening {
  readonly file: string;
  readonly isReadOnly: boolean;
  readonly pragmas: string; // beside those that every connection has
}

/** What asks and is answered in the same thread. */
export interface Statements {
  readonly run: (text: string, parameters: readonly unknown[]) => RanSqlite;
  readonly apply: (prepared: readonly Prepared[]) => readonly Outcome[];
  readonly close: () => void;
}

export function statementsIn({ file, isReadOnly, pragmas }: Opening): Statements {
  const database = opened(file, isReadOnly);
  const told = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw asSqliteError(error);
    }
  };
  // FULL: a commit has reached the disk when it returns, log and all. What is deleted is overwritten.
  const own = isReadOnly
    ? ""
    : "pragma journal_mode = wal; pragma synchronous = full; pragma secure_delete = on;";
  told(() => database.exec(`pragma busy_timeout = 5000; ${own} ${pragmas}`));
  const known = new Map<string, Known>();
  const run = (text: string, parameters: readonly unknown[]): RanSqlite => {
    // Some faults have taken everything back already.
    if (text === "rollback" && !database.isTransaction) return { rows: [], changes: 0 };
    let found = known.get(text);
    if (found === undefined) known.set(text, (found = prepared(database, text)));
    const { statement, hasRows } = found;
    const values = parameters as SQLInputValue[];
    if (hasRows) return { rows: statement.all(...values), changes: 0 };
    return { rows: [], changes: Number(statement.run(...values).changes) };
  };
  const apply = (asked: readonly Prepared[]): readonly Outcome[] => {
    const steps = applying(asked, FRAME);
    try {
      let next = steps.next();
      while (next.done !== true) next = steps.next(run(next.value.sql, next.value.parameters));
      return next.value;
    } finally {
      // Whatever has gone wrong: some faults have ended the transaction already, and some have not.
      if (database.isTransaction) database.exec("rollback");
    }
  };
  return {
    run: (text, parameters) => told(() => run(text, parameters)),
    apply: (asked) => told(() => apply(asked)),
    close: () => database.close(),
  };
}

interface Known {
  readonly statement: StatementSync;
  readonly hasRows: boolean; // asked once: to describe the columns takes as long as many a statement
}

function prepared(database: DatabaseSync, text: string): Known {
  const statement = database.prepare(text);
  return { statement, hasRows: statement.columns().length > 0 };
}

function opened(file: string, readOnly: boolean): DatabaseSync {
  try {
    return new DatabaseSync(file, { readOnly });
  } catch (error) {
    throw asSqliteError(error);
  }
}

/** What is no fault of SQLite stays what it is. */
function asSqliteError(error: unknown): unknown {
  const isOfSqlite = error instanceof Error && "errcode" in error;
  return isOfSqlite ? new SqliteError(error.message, Number(error.errcode)) : error;
}
