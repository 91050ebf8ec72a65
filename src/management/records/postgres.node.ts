// Records in a PostgreSQL that several gateways share.
import { Kysely, PostgresDialect, sql } from "kysely";
import { Client, Pool, type PoolConfig } from "pg";
import { applying, TELL, type Frame, type Outcome, type Prepared } from "./apply.ts";
import type { TellOfRecords } from "./damaged.ts";
import { hearing } from "./postgres-hearing.node.ts";
import { postgresFault } from "./postgres-faults.ts";
import type { Records, Unopened } from "./records.ts";
import { openRecords, type Database } from "./sql.ts";
import type { Tables } from "./tables.ts";

export interface InPostgres {
  /** A sentence for whoever runs the gateway: what is wrong with the records, and when it is over. */
  readonly tell?: TellOfRecords;
}

/** Any number that nobody else locks in this database. */
const WRITE_LOCK = 7_305_804_385;

export async function recordsInPostgres(
  url: string,
  { tell = () => {} }: InPostgres = {},
): Promise<Records | Unopened> {
  const shown = withoutPassword(url);
  if (shown === null) return { fault: "the address of the records is no postgres:// URL" };
  const first = pool(url, { max: 8, statement_timeout: 10_000, query_timeout: 11_000 });
  const second = pool(url, { max: 2, statement_timeout: 30_000, query_timeout: 31_000 });
  const db = kysely(first);
  const scans = kysely(second);
  const close = async (): Promise<void> => {
    await Promise.all([db.destroy(), scans.destroy()]);
  };
  try {
    const fault = await whyUnfit(db);
    const heard = hearing(url, tell);
    const opened: Records | Unopened =
      fault === null
        ? await openRecords({ ...database(first, db, scans, heard, tell), wipe: () => wipe(url) })
        : { fault };
    if (!("fault" in opened)) return opened;
    await close();
    return { fault: `the database ${shown} ${opened.fault}` };
  } catch (error) {
    await close();
    const fault = postgresFault(error);
    if (fault === null) throw error;
    return { fault: `the database ${shown} ${fault}` };
  }
}

const database = (
  connections: Pool,
  db: Kysely<Tables>,
  scans: Kysely<Tables>,
  { heard, stop }: ReturnType<typeof hearing>,
  tell: TellOfRecords,
): Omit<Database, "wipe"> => ({
  dialect: "postgres",
  tables: db,
  lookups: db,
  scans,
  apply: (prepared) => applied(connections, prepared),
  transact: (work) =>
    db.transaction().execute(async (within) => {
      await sql`select pg_advisory_xact_lock(${WRITE_LOCK})`.execute(within);
      return work(within);
    }),
  faultOf: postgresFault,
  tell,
  lacks: () => null,
  heard,
  close: async () => {
    await stop();
    await Promise.all([db.destroy(), scans.destroy()]);
  },
});

/** It may take as long as it does, which no connection of the pool may. Its log keeps what it holds until it is over. */
async function wipe(url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 3_000 });
  client.on("error", () => {}); // whoever asks next hears of it
  try {
    await client.connect();
    await client.query("vacuum full records");
    await client.query("vacuum full audit");
  } finally {
    await client.end().catch(() => {}); // it may be gone already
  }
}

// One writes at a time, so that changes become visible in the order of their numbers, and nothing changes between
// a look and a write.
const FRAME: Frame = {
  dialect: "postgres",
  before: ["begin", `select pg_advisory_xact_lock(${WRITE_LOCK})`],
  after: [...TELL.postgres, "commit"],
};

async function applied(
  connections: Pool,
  prepared: readonly Prepared[],
): Promise<readonly Outcome[]> {
  const client = await connections.connect();
  let isWhole = false;
  try {
    const steps = applying(prepared, FRAME);
    let next = steps.next();
    while (next.done !== true) {
      const { sql, parameters } = next.value;
      next = steps.next(await client.query(sql, parameters as unknown[]));
    }
    isWhole = true;
    return next.value;
  } finally {
    // What has broken off is taken back with its connection.
    client.release(!isWhole);
  }
}

function pool(url: string, more: PoolConfig): Pool {
  const made = new Pool({
    connectionString: url,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 60_000,
    // A gateway that is gone without a word keeps the others from writing no longer than this.
    idle_in_transaction_session_timeout: 5_000,
    lock_timeout: 5_000,
    keepAlive: true,
    allowExitOnIdle: true,
    ...more,
  });
  // A connection that breaks off leaves the pool, idle or between two statements; whoever asks next hears of it.
  made.on("error", () => {});
  made.on("connect", (client) => client.on("error", () => {}));
  return made;
}

const kysely = (connections: Pool): Kysely<Tables> =>
  new Kysely<Tables>({ dialect: new PostgresDialect({ pool: connections }) });

async function whyUnfit(db: Kysely<Tables>): Promise<string | null> {
  const { rows } = await sql<{ server_encoding: string }>`show server_encoding`.execute(db);
  const encoding = rows[0]!.server_encoding;
  return encoding === "UTF8" ? null : `keeps letters as ${encoding}: it has to be UTF8`;
}

/** Null where it is none. */
function withoutPassword(url: string): string | null {
  if (!/^postgres(?:ql)?:\/\//.test(url) || !URL.canParse(url)) return null;
  const { hostname, port, pathname } = new URL(url);
  return `${decodeURIComponent(pathname.slice(1)) || "postgres"} at ${hostname}:${port || "5432"}`;
}
