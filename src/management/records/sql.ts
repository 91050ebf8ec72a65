// Records in a database, by queries that both databases understand. Where they differ, a `Database` says how.
import { sql, type Kysely, type Transaction } from "kysely";
import { Migrator } from "kysely/migration";
import { readJson, writeJson, type JsonObject } from "../json.ts";
import { withoutSecrets } from "../without-secrets.ts";
import { migrations, type Dialect } from "./migrations.ts";
import type { Audited, Change, Family, Listed, Page, Records, Stored, Writing } from "./records.ts";
import type { Tables } from "./tables.ts";

export interface Database {
  readonly dialect: Dialect;
  /** Writes, and reads of one record. */
  readonly db: Kysely<Tables>;
  /** Reads of many: on a connection of its own, so that nobody waits behind them. */
  readonly scans: Kysely<Tables>;
  /** Everything that `work` does, or nothing. */
  readonly transact: <T>(work: (db: Transaction<Tables>) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
}

export async function openRecords(database: Database): Promise<Records> {
  const { db, dialect } = database;
  const provider = { getMigrations: async () => migrations(dialect) };
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  if (error !== undefined) throw error;
  return recordsIn(database);
}

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

const one = async (
  db: Kysely<Tables>,
  family: Family,
  column: "id" | "found_by",
  value: string,
): Promise<Stored | null> => {
  const row = await db
    .selectFrom("records")
    .select(COLUMNS)
    .where("family", "=", family)
    .where(column, "=", value)
    .executeTakeFirst();
  return row === undefined ? null : stored(row);
};

function recordsIn({ db, scans, transact, dialect, close }: Database): Records {
  return {
    read: (family, id) => one(db, family, "id", id),
    find: (family, unique) => one(db, family, "found_by", unique),
    write: (audited, work) => transact((within) => work(writing(within, audited))),
    list: (family, page) => listed(scans, family, null, page, dialect),
    searchUsers: (text, page) => listed(scans, "users", text, page, dialect),
    changesSince: async (seq) =>
      (
        await db.selectFrom("changes").selectAll().where("seq", ">", seq).orderBy("seq").execute()
      ).map((row) => ({ ...row, seq: Number(row.seq) }) as Change),
    latestChange: async () =>
      Number(
        (
          await db
            .selectFrom("changes")
            .select((of) => of.fn.max("seq").as("seq"))
            .executeTakeFirst()
        )?.seq ?? 0,
      ),
    close,
  };
}

function writing(db: Transaction<Tables>, { who, what, atUs }: Audited): Writing {
  const note = async (
    family: Family,
    id: string,
    before: JsonObject | null,
    after: JsonObject | null,
  ): Promise<void> => {
    const told = (document: JsonObject | null): string | null =>
      document === null ? null : writeJson(withoutSecrets(document));
    await db.insertInto("changes").values({ family, id }).execute();
    await db
      .insertInto("audit")
      .values({ at_us: atUs, who, what, family, id, before: told(before), after: told(after) })
      .execute();
  };
  return {
    read: (family, id) => one(db, family, "id", id),
    insert: async (family, id, document, { unique, text }) => {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto("records")
        .values({ family, id, version: 1, document: writeJson(document), found_by: unique, text })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (numInsertedOrUpdatedRows !== 1n) return null;
      await note(family, id, null, document);
      return { id, version: 1, document, unique };
    },
    replace: async (family, before, document, { unique, text }) => {
      const version = before.version + 1;
      if (unique !== null) {
        const other = await one(db, family, "found_by", unique);
        if (other !== null && other.id !== before.id) return null;
      }
      await db
        .updateTable("records")
        .set({ version, document: writeJson(document), found_by: unique, text })
        .where("family", "=", family)
        .where("id", "=", before.id)
        .execute();
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

const SHORTEST_INDEXED = 3;

async function listed(
  db: Kysely<Tables>,
  family: Family,
  text: string | null,
  page: Page | null,
  dialect: Dialect,
): Promise<Listed> {
  let found = db.selectFrom("records").where("family", "=", family);
  if (text !== null) found = found.where(holding(text, dialect));
  const { total } = await found
    .select((of) => of.fn.countAll().as("total"))
    .executeTakeFirstOrThrow();
  let rows = found.select(COLUMNS).orderBy(family === "users" ? "found_by" : "id");
  if (page !== null) rows = rows.limit(page.size).offset((page.page - 1) * page.size);
  return { total: Number(total), records: (await rows.execute()).map(stored) };
}

/** As a database counts them: one outside the basic plane is one. */
const lettersIn = (text: string): number => Array.from(text).length;

/** By the index of letters where there are enough of them, and else one after the other. */
function holding(text: string, dialect: Dialect) {
  const literal = text.replaceAll(/[\\%_]/g, String.raw`\$&`);
  if (dialect === "postgres") return sql<boolean>`text like ${`%${literal}%`}`;
  return lettersIn(text) < SHORTEST_INDEXED
    ? sql<boolean>`instr(text, ${text}) > 0`
    : sql<boolean>`row in (select rowid from texts where texts match ${`"${text.replaceAll('"', '""')}"`})`;
}
