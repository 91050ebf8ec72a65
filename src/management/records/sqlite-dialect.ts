// SQLite as Kysely wants to have it, over whoever runs a statement: in this thread, or in one of its own.
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
} from "kysely";
import { connectionOver, type Running } from "./sqlite-runner.ts";

export const sqliteDialect = (running: Running): Dialect => ({
  createAdapter: () => new Adapter(),
  createDriver: () => driver(running),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});

/** One connection: who begins a transaction has seen to it that nobody else does. */
function driver({ now, close }: Pick<Running, "close" | "now">): Driver {
  const say = async (connection: DatabaseConnection, text: string): Promise<void> => {
    await connection.executeQuery(CompiledQuery.raw(text));
  };
  return {
    init: async () => {},
    acquireConnection: async () => connectionOver(now().run),
    beginTransaction: (connection) => say(connection, "begin immediate"),
    commitTransaction: (connection) => say(connection, "commit"),
    rollbackTransaction: (connection) => say(connection, "rollback"),
    releaseConnection: async () => {},
    destroy: async () => close(),
  };
}

/** Its tables are made in a transaction too: a migration is there whole, or not at all. */
class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
