// SQLite as Kysely wants to have it, over whoever runs a statement: in this thread, or in one of its own.
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from "kysely";

export interface Ran {
  readonly rows: readonly unknown[];
  readonly changes: number;
}

export interface Runner {
  readonly run: (text: string, parameters: readonly unknown[]) => Ran | Promise<Ran>;
  readonly close: () => void | Promise<void>;
}

export const sqliteDialect = (runner: Runner): Dialect => ({
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => driver(runner),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});

/** One connection: whoever has it works alone, and the next one waits. */
function driver(runner: Runner): Driver {
  let last: Promise<void> = Promise.resolve();
  const free = new WeakMap<DatabaseConnection, () => void>();
  const say = async (connection: DatabaseConnection, text: string): Promise<void> => {
    await connection.executeQuery(CompiledQuery.raw(text));
  };
  return {
    init: async () => {},
    acquireConnection: async () => {
      const before = last;
      const { promise, resolve } = Promise.withResolvers<void>();
      last = promise;
      await before;
      const connection = connectionTo(runner);
      free.set(connection, resolve);
      return connection;
    },
    // Whoever begins means to write: two that have both read could not both go on.
    beginTransaction: (connection) => say(connection, "begin immediate"),
    commitTransaction: (connection) => say(connection, "commit"),
    rollbackTransaction: (connection) => say(connection, "rollback"),
    releaseConnection: async (connection) => free.get(connection)?.(),
    destroy: async () => runner.close(),
  };
}

const connectionTo = (runner: Runner): DatabaseConnection => ({
  executeQuery: async <R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> => {
    const { rows, changes } = await runner.run(sql, parameters);
    return { rows: rows as R[], numAffectedRows: BigInt(changes) };
  },
  streamQuery: () => {
    throw new Error("nobody streams records");
  },
});
