// Who runs a statement of SQLite: in this thread, or in one of its own.
import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";

export interface Ran {
  readonly rows: readonly unknown[];
  readonly changes: number;
}

/** Does one statement after the other, in the order in which it was asked. */
export interface Runner {
  readonly run: (text: string, parameters: readonly unknown[]) => Ran | Promise<Ran>;
  readonly close: () => void | Promise<void>;
}

export const connectionOver = (run: Runner["run"]): DatabaseConnection => ({
  executeQuery: async <R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> => {
    const { rows, changes } = await run(sql, parameters);
    return { rows: rows as R[], numAffectedRows: BigInt(changes) };
  },
  streamQuery: () => {
    throw new Error("nobody streams records");
  },
});
