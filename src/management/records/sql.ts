// Records in a database, by queries that both databases understand. Where they differ, a `Database` says how.
import type { Kysely, Transaction } from "kysely";
import { Migrator } from "kysely/migration";
import { deliveriesIn } from "../events/deliveries-sql.ts";
import { ofChange } from "../events/happening.ts";
import { webhooksIn } from "../events/queueing-sql.ts";
import { readJson, writeJson, type JsonObject } from "../json.ts";
import { Refusal } from "../operation.ts";
import { withoutSecrets } from "../without-secrets.ts";
import { migrations, type Dialect } from "./migrations.ts";
import type {
  Audited,
  Change,
  Family,
  Listed,
  Page,
  Records,
  Stored,
  Unopened,
  Writing,
} from "./records.ts";
import { holding } from "./search.ts";
import type { Tables } from "./tables.ts";

export interface Database {
  readonly dialect: Dialect;
  readonly writes: Kysely<Tables>;
  /** Reads of one record: on a connection of its own, where nothing is seen before it is durable. */
  readonly lookups: Kysely<Tables>;
  /** Reads of many: so that nobody waits behind them. */
  readonly scans: Kysely<Tables>;
  /** Everything that `work` does, or nothing; and nobody else writes meanwhile. */
  readonly transact: <T>(work: (db: Transaction<Tables>) => Promise<T>) => Promise<T>;
  /** What is wrong with the records, after their name; null for a fault of Weir itself. */
  readonly faultOf: (error: unknown) => string | null;
  readonly tell: (sentence: string) => void;
  readonly heard: Records["heard"];
  readonly close: () => Promise<void>;
}

/** With every step of the tables' history taken, by one who opens them at a time. */
export async function openRecords(database: Database): Promise<Records | Unopened> {
  const { writes: db, dialect, faultOf } = database;
  const steps = migrations(dialect);
  const provider = { getMigrations: async () => steps };
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  if (error === undefined) return recordsIn(database);
  const newer = await newerStep(db, Object.keys(steps));
  const fault =
    newer === null
      ? faultOf(error)
      : `is of a newer version of Weir, which has the step ${newer}: use that version`;
  if (fault === null) throw error;
  return { fault };
}

async function newerStep(db: Kysely<Tables>, known: readonly string[]): Promise<string | null> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === STEPS)) return null;
  const rows = await db
    .withTables<{ [STEPS]: { name: string } }>()
    .selectFrom(STEPS)
    .select("name")
    .orderBy("name")
    .execute();
  return rows.find(({ name }) => !known.includes(name))?.name ?? null;
}

const STEPS = "kysely_migration";

interface Row {
  readonly id: string;
  readonly version: number | string; // a large whole number comes as text from one of the databases
  readonly document: string;
  readonly found_by: string | null;
}

const stored = ({ id, version, document, found_by: unique }: Row): Stored => {
  const read = readJson(document);
  if ("problems" in read) throw new Error(`the record ${id} is no JSON`);
  return { id, version: Number(version), document: read.value as JsonObject, unique };
};

const COLUMNS = ["id", "version", "document", "found_by"] as const;

/** Of letters that not every database can keep, nothing is ever found. */
const canBeKept = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

const one = async (
  db: Kysely<Tables>,
  family: Family,
  column: "id" | "found_by",
  value: string,
): Promise<Stored | null> => {
  if (!canBeKept(value)) return null;
  const row = await db
    .selectFrom("records")
    .select(COLUMNS)
    .where("family", "=", family)
    .where(column, "=", value)
    .executeTakeFirst();
  return row === undefined ? null : stored(row);
};

/** Further behind than this, whoever follows reads all there is. */
const MOST_CHANGES = 10_000;

async function changesSince(db: Kysely<Tables>, seq: number): Promise<readonly Change[] | null> {
  // The one before the first is looked for too: where it has been taken away, others may have been.
  const rows = await db
    .selectFrom("audit")
    .select(["seq", "family", "id"])
    .where("seq", ">=", seq)
    .orderBy("seq")
    .limit(MOST_CHANGES + 2)
    .execute();
  const changes = rows.map((row) => ({ ...row, seq: Number(row.seq) }) as Change);
  const isKnown = seq === 0 || changes[0]?.seq === seq;
  if (!isKnown || changes.length > MOST_CHANGES + 1) return null;
  return seq === 0 ? changes : changes.slice(1);
}

async function latestChange(db: Kysely<Tables>): Promise<number> {
  const latest = db.selectFrom("audit").select((of) => of.fn.max("seq").as("seq"));
  return Number((await latest.executeTakeFirst())?.seq ?? 0);
}

function recordsIn(database: Database): Records {
  const { lookups, scans, transact, dialect, faultOf, tell, heard, close } = database;
  let wrong: string | null = null;
  let isClosed = false;
  /** What the database cannot do now may be asked again in a moment; its caller has done nothing wrong. */
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isClosed) throw away("are closed");
    try {
      const done = await work();
      if (wrong !== null) tell("records: they answer again");
      wrong = null;
      return done;
    } catch (error) {
      const fault = faultOf(error);
      if (fault === null) throw error;
      if (fault !== wrong) tell(`records: the database ${fault}`);
      wrong = fault;
      throw away("cannot be reached or kept now");
    }
  };
  return {
    read: (family, id) => guarded(() => one(lookups, family, "id", id)),
    find: (family, unique) => guarded(() => one(lookups, family, "found_by", unique)),
    write: (audited, work) => guarded(() => transact((within) => work(writing(within, audited)))),
    list: (family, page) => guarded(() => listed(scans, family, null, page, dialect)),
    searchUsers: (text, page) => guarded(() => listed(scans, "users", text, page, dialect)),
    changesSince: (seq) => guarded(() => changesSince(lookups, seq)),
    latestChange: () => guarded(() => latestChange(lookups)),
    heard,
    deliveries: deliveriesIn(
      (work) => guarded(() => work(lookups)),
      (work) => guarded(() => transact(work)),
    ),
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      await close();
    },
  };
}

const away = (how: string): Refusal =>
  new Refusal(503, `The records ${how}`, [], { "Retry-After": "1" });

const refuseUnlessKept = (...texts: readonly (string | null)[]): void => {
  if (!texts.every((text) => text === null || canBeKept(text)))
    throw new Refusal(400, "An id or a name holds a letter that cannot be kept");
};

function writing(db: Transaction<Tables>, { who, what, atUs }: Audited): Writing {
  const cause = webhooksIn(db);
  const note = async (
    family: Family,
    id: string,
    before: JsonObject | null,
    after: JsonObject | null,
  ): Promise<void> => {
    const told = (document: JsonObject | null): string | null =>
      document === null ? null : writeJson(withoutSecrets(document));
    await cause(ofChange(family, id, before, after, atUs));
    await db
      .insertInto("audit")
      .values({ at_us: atUs, who, what, family, id, before: told(before), after: told(after) })
      .execute();
  };
  return {
    read: (family, id) => one(db, family, "id", id),
    insert: async (family, id, document, { unique, text }) => {
      refuseUnlessKept(id, unique);
      const { numInsertedOrUpdatedRows } = await db
        .insertInto("records")
        .values({
          family,
          id,
          version: 1,
          document: writeJson(document),
          found_by: unique,
          text: searched(text),
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow();
      if (numInsertedOrUpdatedRows !== 1n) return null;
      await note(family, id, null, document);
      return { id, version: 1, document, unique };
    },
    replace: async (family, before, document, { unique, text }) => {
      refuseUnlessKept(unique);
      const version = before.version + 1;
      let update = db
        .updateTable("records")
        .set({ version, document: writeJson(document), found_by: unique, text: searched(text) })
        .where("family", "=", family)
        .where("id", "=", before.id);
      // Asked beforehand, because a transaction of one of the databases does not survive what breaks a rule.
      if (unique !== null && unique !== before.unique)
        update = update.where((of) =>
          of.not(
            of.exists(
              of
                .selectFrom("records as other")
                .select("other.row")
                .where("other.family", "=", family)
                .where("other.found_by", "=", unique),
            ),
          ),
        );
      const { numUpdatedRows } = await update.executeTakeFirst();
      if (numUpdatedRows !== 1n) return null;
      await note(family, before.id, before.document, document);
      return { id: before.id, version, document, unique };
    },
    remove: async (family, before) => {
      await db
        .deleteFrom("records")
        .where("family", "=", family)
        .where("id", "=", before.id)
        .execute();
      await note(family, before.id, before.document, null);
    },
  };
}

const searched = (text: string | null): string | null =>
  text === null ? null : text.toWellFormed().replaceAll("\0", "\uFFFD");

async function listed(
  db: Kysely<Tables>,
  family: Family,
  text: string | null,
  page: Page | null,
  dialect: Dialect,
): Promise<Listed> {
  let found = db.selectFrom("records").where("family", "=", family);
  const wanted = searched(text);
  if (wanted !== null) found = found.where(holding(wanted, dialect));
  const { total } = await found
    .select((of) => of.fn.countAll().as("total"))
    .executeTakeFirstOrThrow();
  let rows = found.select(COLUMNS).orderBy(family === "users" ? "found_by" : "id");
  if (page !== null) rows = rows.limit(page.size).offset((page.page - 1) * page.size);
  return { total: Number(total), records: (await rows.execute()).map(stored) };
}
