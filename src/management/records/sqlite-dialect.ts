// SQLite as Kysely wants to have it, over whoever runs a statement: in this thread, or in one of its own.
import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type Dialect,
  type Driver,
} from "kysely";
import { groupsOf } from "./sqlite-groups.ts";
import { connectionOver, type Runner } from "./sqlite-runner.ts";

/** One that writes: whoever is between two statements is alone. */
export const sqliteDialect = (runner: Runner): Dialect => dialect(() => groupsOf(runner));

/** One that only reads, one statement at a time. */
export const readingDialect = (runner: Runner): Dialect =>
  dialect(() => {
    const none = (): never => {
      throw new Error("a connection that reads begins no transaction");
    };
    return {
      init: async () => {},
      acquireConnection: async () => connectionOver(runner.run),
      beginTransaction: none,
      commitTransaction: none,
      rollbackTransaction: none,
      releaseConnection: async () => {},
      destroy: async () => runner.close(),
    };
  });

/** Its tables are made in a transaction too: a migration is there whole, or not at all. */
class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

const dialect = (createDriver: () => Driver): Dialect => ({
  createAdapter: () => new Adapter(),
  createDriver,
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});
