// The interface to SQLite. Its statements run in this thread or in another one.
import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import type { Apply, TransactionFrame, WriteOutcome, PreparedWrite, SqlReply } from "./apply.ts";

export interface SqliteReply extends SqlReply {
  readonly changes: number;
}

/** Runs statements in the order of calls. */
export interface Runner {
  readonly run: (
    text: string,
    parameters: readonly unknown[],
  ) => SqliteReply | Promise<SqliteReply>;
  readonly apply: (
    prepared: readonly PreparedWrite[],
  ) => readonly WriteOutcome[] | ReturnType<Apply>;
  readonly close: () => void | Promise<void>;
}

/** The present runner, which a restart replaces. A transaction fails if its runner ends. */
export interface RunnerHandle {
  readonly now: () => Runner;
  readonly hasEnded: () => boolean; // true until a restart
  readonly close: () => void | Promise<void>;
}

export const FRAME: TransactionFrame = {
  dialect: "sqlite",
  before: ["begin immediate"],
  after: ["commit"],
};

export const connectionOver = (run: Runner["run"]): DatabaseConnection => ({
  executeQuery: async <R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> => {
    const { rows, changes } = await run(sql, parameters);
    return { rows: rows as R[], numAffectedRows: BigInt(changes) };
  },
  streamQuery: () => {
    throw new Error("streaming is not supported");
  },
});
