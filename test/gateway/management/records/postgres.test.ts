import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { recordsInPostgres } from "#src/gateway/management/records/postgres.node.ts";
import type { Records } from "#src/gateway/management/records/records.ts";
import { isFailure, requireValue } from "#src/kit/reading/failure.ts";
import { kindsOf, opener, postgres } from "./every-database.ts";
import { PASSWORD } from "./postgres-server.ts";

const AUDITED = { actor: "somebody", operation: "something", atUs: 1 };
const AWAY = {
  status: 503,
  message: "The records cannot be reached now",
  headers: { "Retry-After": "1" },
};

const insert = (records: Records, id: string): Promise<unknown> =>
  records.write(AUDITED, (writing) => writing.insert("keys", id, {}, { unique: null, text: null }));

/** Until it is so, for as long as a busy machine may need. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let waitedMs = 0; !(await isSo()); waitedMs += 20) {
    if (waitedMs > 20_000) throw new Error("it does not become so");
    await sleep(20);
  }
}

describe.each(kindsOf())("$name", () => {
  const open = opener();
  const at = (url: string, report?: (line: string) => void): Promise<Records> =>
    open(recordsInPostgres(url, report === undefined ? {} : { report }));
  const problemOf = async (url: string): Promise<string> => {
    const answer = await recordsInPostgres(url);
    return isFailure(answer) ? answer.message : "opened";
  };

  test("gateways that start at once make the tables once", async () => {
    const { database, query } = await postgres();
    const url = await database("at_once");
    const all = await Promise.all(Array.from({ length: 4 }, () => at(url)));
    await Promise.all(all.map((records, index) => insert(records, `k${index}`)));
    expect((await all[0]!.list("keys", null)).total).toBe(4);
    const steps = await query("select name from kysely_migration order by name", "at_once");
    expect(steps.map(({ name }) => name)).toEqual([
      "001-records",
      "002-deliveries",
      "003-sealed-2",
    ]);
  });

  test("a gateway is notified of the writes of another one", async () => {
    const url = await (await postgres()).database("heard");
    const [one, other] = [await at(url), await at(url)];
    let notices = 0;
    other.onRemoteChange(() => void notices++);
    await until(() => notices > 0); // it has been away until now
    const before = notices;
    await insert(one, "a");
    await until(() => notices > before);
    expect(await other.changesSince(0)).toHaveLength(1);
  });

  test("changes are read in their order, however many gateways write", async () => {
    const url = await (await postgres()).database("ordered");
    const writers = await Promise.all([at(url), at(url), at(url)]);
    const reader = await at(url);
    const seen: number[] = [];
    const reading = (async () => {
      while (seen.length < 60)
        for (const { seq } of (await reader.changesSince(seen.at(-1) ?? 0))!) seen.push(seq);
    })();
    await Promise.all(
      writers.flatMap((records, from) =>
        Array.from({ length: 20 }, (_, index) => insert(records, `${from} ${index}`)),
      ),
    );
    await reading;
    const all = (await reader.changesSince(0))!.map(({ seq }) => seq);
    expect(seen).toEqual(all);
  });

  test("each rejection is one sentence without the password", async () => {
    const { database, query, port } = await postgres();
    const url = await database("plain");
    await query("create role poor login password 'poor'");
    await query("grant create on schema public to poor", "plain");
    await query("create database letters encoding 'SQL_ASCII' locale 'C' template template0");
    await query("create database later");
    await requireValue(await recordsInPostgres(url.replace("/plain", "/later"))).close();
    await query(
      "insert into kysely_migration values ('999-later', '2099-01-01T00:00:00.000Z')",
      "later",
    );
    const where = (name: string): string => `the database ${name} at 127.0.0.1:${port}`;
    const poor = url.replace(`weir:${PASSWORD}`, "poor:poor");
    const wrong: readonly (readonly [url: string, message: string])[] = [
      ["redis://127.0.0.1", "the address of the records is no postgres:// URL"],
      [url.replace(PASSWORD, "wrong"), `${where("plain")} rejects the user name or the password`],
      [url.replace("/plain", "/none"), `${where("none")} does not exist: create it with createdb`],
      [url.replace(`:${port}`, ":1"), "the database plain at 127.0.0.1:1 cannot be reached"],
      [
        url.replace("/plain", "/letters"),
        `${where("letters")} has the encoding SQL_ASCII: create it with UTF8`,
      ],
      [
        url.replace("/plain", "/later"),
        `${where("later")} was written by a newer version of Weir, with the schema step 999-later: use that version`,
      ],
      [
        poor,
        `${where("plain")} lacks the extension pg_trgm, which searches need: an administrator has to install it and run "create extension pg_trgm"`,
      ],
    ];
    for (const [from, message] of wrong) expect(await problemOf(from)).toBe(message);
    // Nothing is left half done: it starts once the missing part exists.
    await query("create extension pg_trgm", "plain");
    await at(poor);
  });

  test("an outage is a 503 until the database is back, without a restart", async () => {
    const server = await postgres();
    const reports: string[] = [];
    const records = await at(await server.database("away"), (line) => reports.push(line));
    let notices = 0;
    records.onRemoteChange(() => void notices++);
    await insert(records, "before");
    await until(() => notices > 0);
    await server.kill();
    await expect(insert(records, "lost")).rejects.toMatchObject(AWAY);
    await expect(records.read("keys", "before")).rejects.toMatchObject(AWAY);
    await expect(records.list("keys", null)).rejects.toMatchObject(AWAY);
    const before = notices;
    await server.restart();
    await until(() =>
      insert(records, "behind").then(
        () => true,
        () => false,
      ),
    );
    await until(() => notices > before);
    const { records: stored } = await records.list("keys", null);
    expect(stored.map(({ id }) => id)).toEqual(["before", "behind"]);
    expect(reports).toContain("records: the database cannot be reached");
    expect(reports).toContain("records: the database responds again");
  });
});
