import { describe, expect, test } from "vitest";
import { LEASE_US } from "#src/gateway/management/events/courier.ts";
import type { Letter } from "#src/gateway/management/events/letter.ts";
import { recordsInPlainMemory } from "#src/gateway/management/records/plain.ts";
import type { Records } from "#src/gateway/management/records/records.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import { inFile, kindsOf, type DatabaseKind } from "../records/every-database.ts";
import { bodyIn, event, round, SECOND_US, setting, START_US, type Features } from "./couriers.ts";

const recordsIn = async ({ place }: DatabaseKind): Promise<Records> =>
  requireValue(await (await place()).open());

/** Several gateways: each has records of its own over one database. */
async function gateways(kind: DatabaseKind, count: number, features: Features = {}) {
  const place = await kind.place();
  const all = [];
  for (let i = 0; i < count; i++)
    all.push(await setting({ ...features, records: requireValue(await place.open()) }));
  return all;
}

const KINDS = kindsOf(inFile);
const OPENERS = [
  ...KINDS.map((kind) => ({ name: kind.name, open: () => recordsIn(kind) })),
  { name: "plain memory", open: async () => recordsInPlainMemory() },
];

describe.each(OPENERS)("the queue in $name", ({ open }) => {
  test("merges the events of one budget, and sends them with one id until they are delivered", async () => {
    const records = await open();
    const { courier, keep, at, list } = await setting({ records });
    await keep("one", { Events: ["RatelimitExceeded", "StoreRecovered"] });
    for (const key of ["alice", "bob"])
      for (let i = 0; i < 3; i++) courier.accept(event("RatelimitExceeded", { key, budget: key }));
    courier.accept(event("StoreRecovered", { key: null, api: null, budget: null, path: null }));
    expect((await round(courier, 200)).map((letter) => bodyIn(letter)["event"])).toEqual([
      "StoreRecovered",
    ]);
    courier.accept(event("RatelimitExceeded", { key: "carol", budget: "bob", atS: 30 }));
    await courier.write();
    at(60);
    const first = await round(courier, 500);
    expect(first.map((letter) => [bodyIn(letter)["key"], bodyIn(letter)["meta"]])).toMatchObject([
      ["alice", { count: 3 }],
      [null, { count: 4, last: "2023-11-14T22:13:50.000Z" }],
    ]);
    at(65);
    const second = await round(courier, 200);
    expect(second.map(({ body }) => body)).toEqual(first.map(({ body }) => body));
    const states = (await list()).map(({ state, attempts }) => `${state} ${attempts}`);
    expect(states).toEqual(["delivered 1", "delivered 2", "delivered 2"]);
    await records.close();
  });

  test("a webhook gets the events since it was created", async () => {
    const records = await open();
    const { courier, keep, list } = await setting({ records });
    const createdUs = START_US + 10 * SECOND_US;
    await keep("one", {
      Events: ["RatelimitExceeded"],
      CreatedAt: new Date(createdUs / 1_000).toISOString(),
    });
    const atS = { before: [5, 6], "before and after": [5, 12, 13], after: [10, 12] };
    for (const [budget, seconds] of Object.entries(atS))
      for (const each of seconds)
        courier.accept(event("RatelimitExceeded", { key: budget, budget, atS: each }));
    await courier.write();
    expect(
      (await list()).map(({ key, count, firstUs }) => [key, count, firstUs - createdUs]),
    ).toEqual([
      ["after", 2, 0],
      ["before and after", 2, 0],
    ]);
    await records.close();
  });

  test("bounds, resends and prunes", async () => {
    const records = await open();
    const { courier, keep, remove, at, list } = await setting({ records, mostWaiting: 2 });
    await keep("one", { Events: ["StoreRecovered"] });
    for (let i = 0; i < 5; i++) courier.accept(event("StoreRecovered"));
    await courier.write();
    courier.accept(event("StoreRecovered"));
    await courier.write();
    expect(await records.deliveries.listLost()).toEqual([{ webhook: "one", count: 4 }]);
    await remove("one");
    await courier.turn();
    const [first] = await list();
    expect(first).toMatchObject({ state: "dead", webhook: "one", count: 1, attempts: 1 });
    expect(await records.deliveries.list("dead", 1)).toHaveLength(1);
    expect(await records.deliveries.resend(first!.id, 0)).toBe(1);
    expect(await records.deliveries.resend(null, 0)).toBe(1);
    await courier.turn();
    at(31 * 24 * 3_600);
    await courier.turn();
    expect(await list()).toEqual([]);
    await records.close();
  });

  test("a receipt after the next attempt has begun changes nothing", async () => {
    const records = await open();
    const { courier, keep, at, list } = await setting({ records });
    await keep("one", { Events: ["StoreRecovered"] });
    courier.accept(event("StoreRecovered"));
    const [first] = (await courier.turn()).letters;
    at(LEASE_US / SECOND_US);
    const [second] = (await courier.turn()).letters;
    expect([first, second].map((letter) => letter?.delivery.attempts)).toEqual([1, 2]);
    const claimed = await list();
    await courier.recordReceipt(first!, { status: 500, error: null });
    expect(await list()).toEqual(claimed);
    await courier.recordReceipt(second!, { status: 200, error: null });
    expect(await list()).toMatchObject([{ state: "delivered", attempts: 2, status: 200 }]);
    await courier.recordReceipt(first!, { status: 500, error: null });
    expect(await list()).toMatchObject([{ state: "delivered", attempts: 2, status: 200 }]);
    await records.close();
  });

  test("the events of a write are stored with it", async () => {
    const records = await open();
    const { courier, keep } = await setting({ records });
    await keep("one", { Events: ["CredentialRegistered"] });
    const audited = { actor: "test", operation: "createKey", atUs: 0 };
    await records.write(audited, async ({ insert }) => {
      await insert("keys", "k1", { rate: 5 }, { unique: null, text: null });
    });
    expect((await courier.turn()).letters.map(bodyIn)).toMatchObject([{ key: "k1" }]);
    await records.close();
  });

  test("characters and bytes of every kind are returned unchanged", async () => {
    const records = await open();
    const { courier, keep, at } = await setting({ records });
    await keep("one", { Events: ["RatelimitExceeded"] });
    const strange = `"'\\\n\u2028 \u00e4 \u{1f600} %_;--${"x".repeat(5_000)}`;
    courier.accept(event("RatelimitExceeded", { budget: strange, key: strange }));
    courier.accept(event("RatelimitExceeded", { budget: "\0 and \ud800", path: "/\u00e9" }));
    await courier.write();
    at(60);
    const { letters } = await courier.turn();
    expect(letters.map((letter) => bodyIn(letter)["meta"])).toMatchObject([
      { budget: strange },
      { budget: "\0 and \ud800" },
    ]);
    await records.close();
  });
});

const SHARED = KINDS.filter(({ name }) => name === "PostgreSQL");

describe.each(SHARED)("gateways that share $name", (kind) => {
  test("merge events together, and send each delivery once", async () => {
    const all = await gateways(kind, 3, { mostWaiting: 1_000 });
    await all[0]!.keep("one", { Events: ["StoreRecovered", "RatelimitExceeded"] });
    await Promise.all(
      all.map(async ({ courier }) => {
        for (let i = 0; i < 20; i++) {
          courier.accept(event("StoreRecovered"));
          courier.accept(event("RatelimitExceeded", { budget: `b${i % 5}` }));
          await courier.write();
        }
      }),
    );
    for (const { at } of all) at(60);
    const sent: Letter[] = [];
    const work = all.map(async ({ courier }) => {
      for (;;) {
        const letters = await round(courier, 200);
        if (letters.length === 0) return;
        sent.push(...letters);
      }
    });
    await Promise.all(work);
    expect(sent).toHaveLength(60 + 5);
    expect(new Set(sent.map(({ delivery }) => delivery.id)).size).toBe(65);
    const merged = sent.filter(({ delivery }) => delivery.event === "RatelimitExceeded");
    expect(merged.map(({ delivery }) => delivery.count)).toEqual([12, 12, 12, 12, 12]);
    for (const { records } of all) await records.close();
  });

  test("take over the deliveries of one that is gone", async () => {
    const [gone, other] = await gateways(kind, 2);
    await gone!.keep("one", { Events: ["StoreRecovered"] });
    gone!.courier.accept(event("StoreRecovered"));
    const [lost] = (await gone!.courier.turn()).letters;
    await gone!.records.close();
    expect((await other!.courier.turn()).letters).toEqual([]);
    other!.at(LEASE_US / SECOND_US);
    const [taken] = await round(other!.courier, 200);
    expect(taken?.delivery.id).toBe(lost?.delivery.id);
    await other!.records.close();
  });
});
