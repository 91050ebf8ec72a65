// SQLite as Kysely wants to have it, over whoever runs a statement: in this thread, or in one of its own.
import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type Dialect,
  type Driver,
} from "kysely";
import { connectionOver, type Runner } from "./sqlite-runner.ts";

export const sqliteDialect = (runner: Runner): Dialect => ({
  createAdapter: () => new Adapter(),
  createDriver: () => driver(runner),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});

/** One connection: who begins a transaction has seen to it that nobody else does. */
function driver({ run, close }: Runner): Driver {
  const connection = connectionOver(run);
  const say = async (text: string): Promise<void> => {
    await run(text, []);
  };
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: () => say("begin immediate"),
    commitTransaction: () => say("commit"),
    rollbackTransaction: () => say("rollback"),
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
