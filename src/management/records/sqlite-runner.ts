// Who runs a statement of SQLite: in this thread, or in one of its own.
import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import type { Apply, Frame, Outcome, Prepared, Ran } from "./apply.ts";

export interface RanSqlite extends Ran {
  readonly changes: number;
}

/** Does one thing after the other, in the order in which it was asked. */
export interface Runner {
  readonly run: (text: string, parameters: readonly unknown[]) => RanSqlite | Promise<RanSqlite>;
  readonly apply: (prepared: readonly Prepared[]) => readonly Outcome[] | ReturnType<Apply>;
  readonly close: () => void | Promise<void>;
}

/** Who does it now. Whoever has begun something with one of them goes on with that one, or not at all. */
export interface Running {
  readonly now: () => Runner;
  readonly hasEnded: () => boolean; // nobody does it, until somebody is started again
  readonly close: () => void | Promise<void>;
}

export const FRAME: Frame = {
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
    throw new Error("nobody streams records");
  },
});
