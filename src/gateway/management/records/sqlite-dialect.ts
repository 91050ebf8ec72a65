// The dialect of Kysely for SQLite, over a runner in this thread or in another one.
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
} from "kysely";
import { connectionOver, type RunnerHandle } from "./sqlite-runner.ts";

export const sqliteDialect = (running: RunnerHandle): Dialect => ({
  createAdapter: () => new Adapter(),
  createDriver: () => driver(running),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});

/** A driver with one connection. The code that begins a transaction ensures that no other transaction is open. */
function driver({ now, close }: Pick<RunnerHandle, "close" | "now">): Driver {
  const execute = async (connection: DatabaseConnection, text: string): Promise<void> => {
    await connection.executeQuery(CompiledQuery.raw(text));
  };
  return {
    init: async () => {},
    acquireConnection: async () => connectionOver(now().run),
    beginTransaction: (connection) => execute(connection, "begin immediate"),
    commitTransaction: (connection) => execute(connection, "commit"),
    rollbackTransaction: (connection) => execute(connection, "rollback"),
    releaseConnection: async () => {},
    destroy: async () => close(),
  };
}

/** Makes Kysely run each migration in a transaction, so that a failed migration changes nothing. */
class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
