// The steps that create and change the tables, in order. A published step never changes; changes need a new step.
import { sql, type Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import { deliveriesMigration } from "../events/deliveries-tables.ts";

export type Dialect = "sqlite" | "postgres";

/** The type of a column that numbers rows. */
const COUNTING: Readonly<Record<Dialect, string>> = {
  sqlite: "integer primary key autoincrement",
  postgres: "bigint generated always as identity primary key",
};

export const migrations = (dialect: Dialect): Readonly<Record<string, Migration>> => ({
  "001-records": {
    up: async (db: Kysely<unknown>): Promise<void> => {
      const isSqlite = dialect === "sqlite";
      const counting = sql.raw(COUNTING[dialect]);
      // Both databases then compare strings by bytes, independent of the server's locale.
      const letters = sql.raw(isSqlite ? "text" : 'text collate "C"');
      await sql`create table records (
        row ${counting},
        family text not null,
        id ${letters} not null,
        version bigint not null,
        document text not null,
        found_by ${letters},
        text text,
        unique (family, id),
        unique (family, found_by)
      )`.execute(db);
      await sql`create table audit (
        seq ${counting}, at_us bigint not null, who text not null, what text not null,
        family text not null, id text not null, before text, after text
      )`.execute(db);
      if (isSqlite) await createSqliteSearch(db);
      else await createPostgresSearch(db);
    },
  },
  "002-deliveries": deliveriesMigration(COUNTING[dialect]),
  // Changes no table, but stops older versions, which reject records with an unknown step: they would use sealed values
  // of jwt_data, oauth_keys and webhooks as secrets. Every higher `SEALED_AS` needs such a step.
  "003-sealed-2": { up: async () => {} },
});

/** An index of trigrams finds parts of words without scanning all texts. */
async function createSqliteSearch(db: Kysely<unknown>): Promise<void> {
  await sql`create virtual table texts using fts5(
    text, content='records', content_rowid='row', tokenize='trigram case_sensitive 1'
  )`.execute(db);
  await sql`create index records_text on records (found_by, text) where text is not null`.execute(
    db,
  );
  await sql`create trigger texts_insert after insert on records when new.text is not null begin
    insert into texts(rowid, text) values (new.row, new.text);
  end`.execute(db);
  await sql`create trigger texts_delete after delete on records when old.text is not null begin
    insert into texts(texts, rowid, text) values ('delete', old.row, old.text);
  end`.execute(db);
  await sql`create trigger texts_update after update of text on records begin
    insert into texts(texts, rowid, text) select 'delete', old.row, old.text where old.text is not null;
    insert into texts(rowid, text) select new.row, new.text where new.text is not null;
  end`.execute(db);
}

async function createPostgresSearch(db: Kysely<unknown>): Promise<void> {
  await createTrigrams(db);
  await sql`create index texts on records using gin (text gin_trgm_ops)`.execute(db);
  await sql`create index records_text on records (found_by) include (text) where text is not null`.execute(
    db,
  );
}

/** Trigrams need an extension of PostgreSQL, which not every user may create. */
async function createTrigrams(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`select 1 from pg_extension where extname = 'pg_trgm'`.execute(db);
  if (rows.length > 0) return;
  try {
    await sql`create extension pg_trgm`.execute(db);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code !== INSUFFICIENT_PRIVILEGE && code !== NOT_SUPPORTED) throw error;
    throw new MissingExtension("pg_trgm", { cause: error });
  }
}

const INSUFFICIENT_PRIVILEGE = "42501";
const NOT_SUPPORTED = "0A000";

/** The extension is missing, and an administrator of the server has to install it. */
export class MissingExtension extends Error {}
