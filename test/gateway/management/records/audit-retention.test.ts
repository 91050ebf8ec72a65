// What the log of changes may forget: how often it is read for that, and what goes where two look at the same time.
import { Kysely } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import { USUAL_BOUNDS, type RecordBounds } from "#src/gateway/management/records/bounds.ts";
import { forgetting, type AuditLook } from "#src/gateway/management/records/audit-retention.ts";
import { sqliteDialect } from "#src/gateway/management/records/sqlite-dialect.ts";
import { statementsIn } from "#src/gateway/management/records/sqlite-statements.node.ts";
import { recordsInFile } from "#src/gateway/management/records/sqlite.node.ts";
import type { Tables } from "#src/gateway/management/records/tables.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import { createFolder, removeDatabases } from "./every-database.ts";

removeDatabases();

const NOW_US = 1_700_000_000_000_000;
const LOOK: AuditLook = { nowUs: NOW_US, most: 100, coming: [] };

const boundsOf = (most: number): RecordBounds => ({
  ...USUAL_BOUNDS,
  auditEntries: { changes: { fewest: 3, most }, uses: { fewest: 2, most } },
});

/** Every third entry is a use of a token. */
async function logOf(entries: number) {
  const file = `${await createFolder()}/weir.db`;
  await requireValue(await recordsInFile(file)).close();
  const statements = statementsIn({ file, isReadOnly: false, pragmas: "" });
  onTestFinished(statements.close);
  const queries: string[] = [];
  const db = new Kysely<Tables>({
    dialect: sqliteDialect({ now: () => statements, hasEnded: () => false, close: () => {} }),
    log: ({ query }) => void queries.push(query.sql),
  });
  for (let i = 1; i <= entries; i++) {
    const values = i % 3 === 0 ? ["use readKey", "tokens"] : ["updateKey", "keys"];
    const text =
      "insert into audit (at_us, who, what, family, id) values (?, 'somebody', ?, ?, 'x')";
    statements.run(text, [NOW_US, ...values]);
  }
  const rows = (text: string) => statements.run(text, []).rows as readonly { seq: number }[];
  return {
    look: (bounds: RecordBounds, look = LOOK) => forgetting(db, look, bounds),
    queries,
    plan: (text: string) =>
      statements
        .run(`explain query plan ${text}`, [])
        .rows.map((row) => (row as { readonly detail: string }).detail),
    forget: (found: Awaited<ReturnType<typeof forgetting>>) => {
      for (const { sql, parameters } of found) statements.run(sql, parameters);
    },
    left: () => rows("select seq from audit order by seq").map(({ seq }) => seq),
  };
}

describe("what the log of changes may forget", () => {
  test("it is read once for all kinds, and a write has nothing to do where nothing goes", async () => {
    const { look, queries, plan } = await logOf(30);
    expect(await look(USUAL_BOUNDS)).toEqual([]);
    expect(queries).toHaveLength(1);
    expect(plan(queries[0]!)).toEqual(["SCAN audit"]);
  });

  test("entries of the same write are counted", async () => {
    const { look, forget, left } = await logOf(9);
    expect(await look(boundsOf(6))).toEqual([]);
    forget(await look(boundsOf(6), { ...LOOK, coming: ["changes"] }));
    expect(left()).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test("of two that look at the same time one forgets, each kind for itself", async () => {
    const { look, forget, left } = await logOf(30);
    const both = [await look(boundsOf(5)), await look(boundsOf(5))];
    for (const found of both) forget(found);
    expect(left()).toEqual([18, 21, 23, 24, 25, 26, 27, 28, 29, 30]);
  });
});
