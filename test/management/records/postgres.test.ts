import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { recordsInPostgres } from "../../../src/management/records/postgres.node.ts";
import type { Records } from "../../../src/management/records/records.ts";
import { kindsOf, opened, opener, postgres } from "./every-database.ts";
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
  const at = (url: string, report?: (said: string) => void): Promise<Records> =>
    open(recordsInPostgres(url, report === undefined ? {} : { report }));
  const fault = async (url: string): Promise<string> => {
    const answer = await recordsInPostgres(url);
    return "problem" in answer ? answer.problem : "opened";
  };

  test("gateways that start at once make the tables once", async () => {
    const { database, ask } = await postgres();
    const url = await database("at_once");
    const all = await Promise.all(Array.from({ length: 4 }, () => at(url)));
    await Promise.all(all.map((records, index) => insert(records, `k${index}`)));
    expect((await all[0]!.list("keys", null)).total).toBe(4);
    const steps = await ask("select name from kysely_migration order by name", "at_once");
    expect(steps.map(({ name }) => name)).toEqual([
      "001-records",
      "002-deliveries",
      "003-sealed-2",
    ]);
  });

  test("whoever listens hears of what another gateway writes", async () => {
    const url = await (await postgres()).database("heard");
    const [one, other] = [await at(url), await at(url)];
    let heard = 0;
    other.onRemoteChange(() => void heard++);
    await until(() => heard > 0); // it has been away until now
    const before = heard;
    await insert(one, "a");
    await until(() => heard > before);
    expect(await other.changesSince(0)).toHaveLength(1);
  });

  test("changes are seen in their order, however many gateways write", async () => {
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

  test("what it refuses is said in one sentence, without the password", async () => {
    const { database, ask, port } = await postgres();
    const url = await database("plain");
    await ask("create role poor login password 'poor'");
    await ask("grant create on schema public to poor", "plain");
    await ask("create database letters encoding 'SQL_ASCII' locale 'C' template template0");
    await ask("create database later");
    await opened(await recordsInPostgres(url.replace("/plain", "/later"))).close();
    await ask(
      "insert into kysely_migration values ('999-later', '2099-01-01T00:00:00.000Z')",
      "later",
    );
    const where = (name: string): string => `the database ${name} at 127.0.0.1:${port}`;
    const poor = url.replace(`weir:${PASSWORD}`, "poor:poor");
    const wrong: readonly (readonly [url: string, said: string])[] = [
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
        `${where("later")} is of a newer version of Weir, which has the step 999-later: use that version`,
      ],
      [
        poor,
        `${where("plain")} lacks the extension pg_trgm, which searches need: an administrator has to install it and run "create extension pg_trgm"`,
      ],
    ];
    for (const [from, said] of wrong) expect(await fault(from)).toBe(said);
    // Nothing is half made: once there is what was missing, it starts.
    await ask("create extension pg_trgm", "plain");
    await at(poor);
  });

  test("one that goes away is a 503 until it is back, and nobody has to start again", async () => {
    const server = await postgres();
    const told: string[] = [];
    const records = await at(await server.database("away"), (said) => told.push(said));
    let heard = 0;
    records.onRemoteChange(() => void heard++);
    await insert(records, "before");
    await until(() => heard > 0);
    await server.kill();
    await expect(insert(records, "lost")).rejects.toMatchObject(AWAY);
    await expect(records.read("keys", "before")).rejects.toMatchObject(AWAY);
    await expect(records.list("keys", null)).rejects.toMatchObject(AWAY);
    const before = heard;
    await server.restart();
    await until(() =>
      insert(records, "behind").then(
        () => true,
        () => false,
      ),
    );
    await until(() => heard > before);
    const { records: kept } = await records.list("keys", null);
    expect(kept.map(({ id }) => id)).toEqual(["before", "behind"]);
    expect(told).toContain("records: the database cannot be reached");
    expect(told).toContain("records: the database responds again");
  });
});
