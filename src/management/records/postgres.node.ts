// Records in a PostgreSQL that several gateways share.
import { Kysely, PostgresDialect, sql, type PostgresPool } from "kysely";
import { Client, type Pool } from "pg";
import { applying, TELL, type Frame, type Outcome, type Prepared } from "./apply.ts";
import type { RecordBounds } from "./bounds.ts";
import type { TellOfRecords } from "./damaged.ts";
import { hearing } from "./postgres-hearing.node.ts";
import { postgresFault, SILENT } from "./postgres-faults.ts";
import { createPool, endingHung, watchSilence, type SilenceWatch } from "./postgres-pool.node.ts";
import type { Records, Unopened } from "./records.ts";
import { openRecords, unopenedBy } from "./sql.ts";
import type { Database } from "./database.ts";
import type { Tables } from "./tables.ts";
import { ownTurn } from "./turns.node.ts";

export interface InPostgres {
  /** A sentence for whoever runs the gateway: what is wrong with the records, and when it is over. */
  readonly tell?: TellOfRecords;
  readonly bounds?: () => RecordBounds;
}

/** Any number that nobody else locks in this database. */
const WRITE_LOCK = 7_305_804_385;

export async function recordsInPostgres(
  url: string,
  { tell = () => {}, bounds }: InPostgres = {},
): Promise<Records | Unopened> {
  const shown = withoutPassword(url);
  if (shown === null) return { fault: "the address of the records is no postgres:// URL" };
  const writes = createPool(url, { max: 2, statement_timeout: 10_000, query_timeout: 11_000 });
  const reads = createPool(url, { max: 6, statement_timeout: 10_000, query_timeout: 11_000 });
  const lists = createPool(url, { max: 2, statement_timeout: 30_000, query_timeout: 31_000 });
  const silence = watchSilence();
  const connected: Connected = {
    writes,
    tables: kysely(endingHung(writes)),
    lookups: kysely(endingHung(reads, silence)),
    scans: kysely(endingHung(lists)),
  };
  try {
    const fault = await whyUnfit(connected.tables);
    const heard = hearing(url, tell);
    const opened: Records | Unopened =
      fault === null
        ? await openRecords(
            { ...database(connected, heard, silence, tell), wipe: () => wipe(url) },
            bounds,
          )
        : { fault };
    if (!("fault" in opened)) return opened;
    await close(connected);
    return named(opened, shown);
  } catch (error) {
    await close(connected);
    const fault = postgresFault(error);
    if (fault === null) throw error;
    return named(unopenedBy(fault), shown);
  }
}

const named = (unopened: Unopened, shown: string): Unopened => ({
  ...unopened,
  fault: `the database ${shown} ${unopened.fault}`,
});

interface Connected {
  readonly writes: Pool;
  readonly tables: Kysely<Tables>;
  readonly lookups: Kysely<Tables>;
  readonly scans: Kysely<Tables>;
}

const close = async ({ tables, lookups, scans }: Connected): Promise<void> => {
  await Promise.all([tables.destroy(), lookups.destroy(), scans.destroy()]);
};

const database = (
  connected: Connected,
  { heard, stop }: ReturnType<typeof hearing>,
  silence: SilenceWatch,
  tell: TellOfRecords,
): Omit<Database, "wipe"> => ({
  dialect: "postgres",
  tables: connected.tables,
  lookups: connected.lookups,
  scans: connected.scans,
  apply: (prepared) => applied(connected.writes, prepared),
  transact: (work) =>
    connected.tables.transaction().execute(async (within) => {
      await sql`select pg_advisory_xact_lock(${WRITE_LOCK})`.execute(within);
      return work(within);
    }),
  faultOf: postgresFault,
  tell,
  lacks: () => null,
  onSilence: (listener) => silence.onSilence(() => listener(SILENT)),
  heard,
  turn: ownTurn,
  truncateLog: async () => true,
  close: async () => {
    await stop();
    await close(connected);
  },
});

/** It may take as long as it does, which no connection of the pool may. Its log keeps what it holds until it is over. */
async function wipe(url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 3_000 });
  client.on("error", () => {}); // whoever asks next hears of it
  try {
    await client.connect();
    await client.query("vacuum full records");
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

const kysely = (pool: PostgresPool): Kysely<Tables> =>
  new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });

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
