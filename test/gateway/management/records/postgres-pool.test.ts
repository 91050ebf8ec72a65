import { Kysely, PostgresDialect, sql } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import { createPool, endingHung } from "#src/gateway/management/records/postgres-pool.node.ts";
import { kindsOf, postgres } from "./every-database.ts";

describe.each(kindsOf())("$name", () => {
  test("a query without a response ends with its connection, so that the next one does not wait behind it", async () => {
    const url = await (await postgres()).database("hung");
    const one = createPool(url, { max: 1, query_timeout: 500 });
    const db = new Kysely<object>({ dialect: new PostgresDialect({ pool: endingHung(one) }) });
    onTestFinished(() => db.destroy());
    const connection = async (): Promise<unknown> =>
      (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]!.pid;
    const before = await connection();
    expect(await connection()).toBe(before);
    await expect(sql`select pg_sleep(3600)`.execute(db)).rejects.toThrow("Query read timeout");
    expect(await connection()).not.toBe(before);
  });
});
