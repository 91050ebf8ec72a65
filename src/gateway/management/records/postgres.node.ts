// Records in a PostgreSQL database that several gateways share.
import { Kysely, PostgresDialect, sql, type PostgresPool } from "kysely";
import { Client, type Pool } from "pg";
import { Failure, isFailure } from "../../../kit/reading/failure.ts";
import {
  applyInSteps,
  NOTIFY,
  type TransactionFrame,
  type WriteOutcome,
  type PreparedWrite,
} from "./apply.ts";
import type { RecordBounds } from "./bounds.ts";
import type { ReportRecords } from "./damaged.ts";
import { changeNotifications } from "./postgres-notifications.node.ts";
import { postgresFailure, SILENT } from "./postgres-failures.ts";
import { createPool, endingHung, watchSilence, type SilenceWatch } from "./postgres-pool.node.ts";
import { prefixFailure } from "./database-failure.ts";
import type { Records } from "./records.ts";
import { openRecords, openFailure } from "./sql.ts";
import type { Database } from "./database.ts";
import type { Tables } from "./tables.ts";
import { ownTurn } from "./turns.node.ts";

export interface InPostgres {
  /** Reports to the operator when a problem of the records begins and when it ends. */
  readonly report?: ReportRecords;
  readonly bounds?: () => RecordBounds;
}

/** The number of the lock for writes: any number that no other program in this database locks. */
const WRITE_LOCK = 7_305_804_385;

export async function recordsInPostgres(
  url: string,
  { report = () => {}, bounds }: InPostgres = {},
): Promise<Records | Failure> {
  const shown = withoutPassword(url);
  if (shown === null) return new Failure("the address of the records is no postgres:// URL");
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
    const problem = await whyUnfit(connected.tables);
    const notifications = changeNotifications(url, report);
    const opened =
      problem === null
        ? await openRecords(
            { ...database(connected, notifications, silence, report), wipe: () => wipe(url) },
            bounds,
          )
        : new Failure(problem);
    if (!isFailure(opened)) return opened;
    await close(connected);
    return withDatabaseName(opened, shown);
  } catch (error) {
    await close(connected);
    const fault = postgresFailure(error);
    if (fault === null) throw error;
    return withDatabaseName(openFailure(fault), shown);
  }
}

const withDatabaseName = (failure: Failure, shown: string): Failure =>
  prefixFailure(`the database ${shown} `, failure);

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
  { subscribe, stop }: ReturnType<typeof changeNotifications>,
  silence: SilenceWatch,
  report: ReportRecords,
): Omit<Database, "wipe"> => ({
  dialect: "postgres",
  tables: connected.tables,
  lookups: connected.lookups,
  scans: connected.scans,
  apply: (prepared) => applyWrites(connected.writes, prepared),
  transact: (work) =>
    connected.tables.transaction().execute(async (within) => {
      await sql`select pg_advisory_xact_lock(${WRITE_LOCK})`.execute(within);
      return work(within);
    }),
  failureOf: postgresFailure,
  report,
  lacks: () => null,
  onSilence: (listener) => silence.onSilence(() => listener(SILENT)),
  onRemoteChange: subscribe,
  turn: ownTurn,
  eraseRemains: async () => true,
  close: async () => {
    await stop();
    await close(connected);
  },
});

/** Erases old contents, outside the pool's time limits. PostgreSQL's log retains them until it is recycled. */
async function wipe(url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 3_000 });
  client.on("error", () => {}); // the next query reports the error
  try {
    await client.connect();
    await client.query("vacuum full records");
  } finally {
    await client.end().catch(() => {}); // it may be closed already
  }
}

// Only one write runs at a time, so that changes become visible in the order of their numbers, and a record cannot
// change between its check and its update.
const FRAME: TransactionFrame = {
  dialect: "postgres",
  before: ["begin", `select pg_advisory_xact_lock(${WRITE_LOCK})`],
  after: [...NOTIFY.postgres, "commit"],
};

async function applyWrites(
  connections: Pool,
  prepared: readonly PreparedWrite[],
): Promise<readonly WriteOutcome[]> {
  const client = await connections.connect();
  let isWhole = false;
  try {
    const steps = applyInSteps(prepared, FRAME);
    let next = steps.next();
    while (next.done !== true) {
      const { sql, parameters } = next.value;
      next = steps.next(await client.query(sql, parameters as unknown[]));
    }
    isWhole = true;
    return next.value;
  } finally {
    // Closing the connection rolls back an unfinished transaction.
    client.release(!isWhole);
  }
}

const kysely = (pool: PostgresPool): Kysely<Tables> =>
  new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });

async function whyUnfit(db: Kysely<Tables>): Promise<string | null> {
  const { rows } = await sql<{ server_encoding: string }>`show server_encoding`.execute(db);
  const encoding = rows[0]!.server_encoding;
  return encoding === "UTF8" ? null : `has the encoding ${encoding}: create it with UTF8`;
}

/** The name and the server of a database, without the password; null: the URL is not of PostgreSQL. */
function withoutPassword(url: string): string | null {
  if (!/^postgres(?:ql)?:\/\//.test(url) || !URL.canParse(url)) return null;
  const { hostname, port, pathname } = new URL(url);
  return `${decodeURIComponent(pathname.slice(1)) || "postgres"} at ${hostname}:${port || "5432"}`;
}
