// Records whose secrets lie sealed, opened by a version that would take what is sealed for the secret itself.
import { join } from "node:path";
import { Kysely, PostgresDialect } from "kysely";
import { Pool } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { migrations, type Dialect } from "#src/gateway/management/records/migrations.ts";
import { recordsInPostgres } from "#src/gateway/management/records/postgres.node.ts";
import type { Records } from "#src/gateway/management/records/records.ts";
import { openRecords } from "#src/gateway/management/records/sql.ts";
import type { Database } from "#src/gateway/management/records/database.ts";
import { recordsInFile } from "#src/gateway/management/records/sqlite.node.ts";
import { sqliteDialect } from "#src/gateway/management/records/sqlite-dialect.ts";
import { statementsIn } from "#src/gateway/management/records/sqlite-statements.node.ts";
import type { Tables } from "#src/gateway/management/records/tables.ts";
import { SEALED_AS } from "#src/gateway/management/secrets/installation.ts";
import { Failure, requireValue } from "#src/kit/reading/failure.ts";
import { createFolder, kindsOf, postgres } from "./every-database.ts";

/** With the steps that a version knew which sealed less: what refuses is the same code in both. */
async function openEarlier(dialect: Dialect, tables: Kysely<Tables>): Promise<Records | Failure> {
  onTestFinished(() => tables.destroy());
  const { [SEALING_STEP]: _, ...known } = migrations(dialect);
  expect(Object.keys(known)).toEqual(["001-records", "002-deliveries"]);
  const database: Pick<Database, "dialect" | "tables" | "failureOf"> = {
    dialect,
    tables,
    failureOf: () => null,
  };
  return openRecords(database as Database, undefined, known);
}

/** As published: it never changes, and another number of `SEALED_AS` needs another one. */
const SEALING_STEP = "003-sealed-2";
const REFUSED = new Failure(
  `was written by a newer version of Weir, with the schema step ${SEALING_STEP}: use that version`,
);

test("the set of sealed fields has a step of its own", () => {
  for (const dialect of ["sqlite", "postgres"] as const)
    expect(Object.keys(migrations(dialect)).findLast((step) => step.includes("-sealed-"))).toMatch(
      new RegExp(`-sealed-${SEALED_AS}$`),
    );
});

test("a version that seals less refuses a SQLite file that this one has opened", async () => {
  const file = join(await createFolder(), "weir.db");
  await requireValue(await recordsInFile(file)).close();
  const runner = statementsIn({ file, isReadOnly: false, pragmas: "" });
  const dialect = sqliteDialect({
    now: () => runner,
    hasEnded: () => false,
    close: runner.close,
  });
  expect(await openEarlier("sqlite", new Kysely({ dialect }))).toEqual(REFUSED);
});

test.each(kindsOf())("and so it does with $name", async () => {
  const url = await (await postgres()).database("earlier");
  await requireValue(await recordsInPostgres(url)).close();
  const dialect = new PostgresDialect({ pool: new Pool({ connectionString: url }) });
  expect(await openEarlier("postgres", new Kysely({ dialect }))).toEqual(REFUSED);
});
