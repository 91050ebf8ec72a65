import { describe, expect, onTestFinished, test } from "vitest";
import { exportWorld } from "#src/gateway/management/export-world.ts";
import { liveConfiguration } from "#src/gateway/management/live-configuration.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import { caller, PLAIN } from "./app.ts";
import { event, setting } from "./events/couriers.ts";
import { inFile, kindsOf } from "./records/every-database.ts";

test("one record that cannot be unsealed hides no other, and is reported to the operator", async () => {
  const { dashboard, broker, keep, reports } = await caller();
  for (const [id, access_key] of Object.entries({ a: "damaged", b: "of-b" }))
    await keep("users", id, { email_address: `${id}@example.com`, access_key });
  const secret = { "oauth-client-secret": "damaged" };
  await keep("profiles", "p", { Name: "p", IdentityHandlerConfig: secret });
  const users = [
    { id: "a", access_key: "" },
    { id: "b", access_key: "of-b" },
  ];
  for (const what of ["GET /api/users", "GET /api/users?p=-1"])
    expect((await dashboard(what)).body).toMatchObject({ users });
  expect((await dashboard("POST /api/users/search", { filters: {} })).body).toMatchObject({
    users,
  });
  expect((await broker("GET /api/profiles")).body).toMatchObject({ Data: [{ ID: "p" }] });
  expect([...new Set(reports)]).toEqual([
    "users a: access_key does not open: Error: is damaged",
    "profiles p: IdentityHandlerConfig.oauth-client-secret does not open: Error: is damaged",
  ]);
});

describe.each(kindsOf(inFile))("a row in $name that is not JSON", ({ place }) => {
  const recordsWithDamage = async (rows: Readonly<Record<string, string>>) => {
    const { open, query } = await place();
    const reports: string[] = [];
    const records = requireValue(await open((line) => void reports.push(line)));
    onTestFinished(() => records.close());
    const damage = async (): Promise<void> => {
      for (const [id, text] of Object.entries(rows))
        await query(`update records set document = '${text}' where id = '${id}'`);
    };
    return { records, reports, damage, query };
  };
  const reportsOf = (...what: readonly string[]): readonly string[] =>
    what.map(
      (one) =>
        `records: ${one} is damaged and ignored: it is not valid JSON; restore it from a backup, or delete it`,
    );

  test("is reported once, and lists continue after it", async () => {
    const { records, reports, damage } = await recordsWithDamage({ u10: "{", u49: "[]", u60: "" });
    const { dashboard, keep } = await caller({}, undefined, records);
    for (let i = 10; i < 70; i++)
      await keep("users", `u${i}`, { email_address: `${i}@example.com`, first_name: "Who" });
    await damage();
    const userIds = async (what: string, body?: object): Promise<readonly string[]> => {
      const { users } = (await dashboard(what, body)).body as { users: readonly { id: string }[] };
      return users.map(({ id }) => id);
    };
    const whole = Array.from({ length: 60 }, (_, i) => `u${i + 10}`).filter(
      (id) => !["u10", "u49", "u60"].includes(id),
    );
    expect(await userIds("GET /api/users?p=-1")).toEqual(whole);
    expect(await userIds("POST /api/users/search?p=-1", { filters: { query: "who" } })).toEqual(
      whole,
    );
    expect(await userIds("GET /api/users?p=1")).toEqual(whole.slice(0, 9));
    expect((await dashboard("GET /api/users/u10")).status).toBe(500);
    expect((await dashboard("PUT /api/users/u10", { first_name: "X" })).status).toBe(500);
    expect((await dashboard("DELETE /api/users/u10")).status).toBe(200);
    expect((await dashboard("GET /api/users/u10")).status).toBe(404);
    expect(reports).toEqual(reportsOf("users u10", "users u49", "users u60"));
  });

  test("has no effect: its key is unknown, its policy does not exist, and others stay", async () => {
    const { records, reports, damage } = await recordsWithDamage({
      k: "{",
      p: "null",
      gateway: "4",
    });
    const write = (family: "gateway" | "keys" | "policies", id: string): Promise<unknown> =>
      records.write({ actor: "t", operation: "t", atUs: 1 }, ({ insert }) =>
        insert(family, id, { rate: 5, per: 1 }, { unique: PLAIN.hashOf(id), text: null }),
      );
    for (const id of ["k", "l"]) await write("keys", id);
    for (const id of ["p", "q"]) await write("policies", id);
    await write("gateway", "gateway");
    await damage();
    const force = await liveConfiguration(records, PLAIN);
    for (const id of ["k", "l"]) await force.learn(id);
    const { keys, policies } = force.configuration();
    expect([[...keys.keys()], [...policies.keys()]]).toEqual([["l"], ["q"]]);
    expect(force.isKnown("k")).toBe(true);
    expect(force.status()).toBe("answers");
    const { world } = await exportWorld(records, PLAIN);
    expect(Object.keys(world["keys"] as object)).toEqual(["l"]);
    expect(reports.toSorted()).toEqual(reportsOf("gateway gateway", "keys k", "policies p"));
  });

  test("delays no other webhook, and no entry of a log", async () => {
    const { records, reports, damage, query } = await recordsWithDamage({ torn: "no" });
    const { courier, keep } = await setting({ records, cooldownUs: 0 });
    for (const id of ["torn", "whole"]) await keep(id, { Events: ["RatelimitExceeded"] });
    courier.accept(event("RatelimitExceeded"));
    await courier.write(); // queued for both
    await damage();
    await query("update deliveries set meta = 'no' where webhook = 'whole'");
    await query("update audit set after = 'no' where id = 'torn'");
    courier.accept(event("RatelimitExceeded"));
    const { letters, failure } = await courier.turn();
    expect(failure).toBeUndefined();
    expect(letters.map(({ delivery }) => delivery.webhook)).toEqual(["whole", "whole"]);
    const [torn] = (await records.deliveries.list(null, 10)).filter(
      ({ webhook }) => webhook === "torn",
    );
    expect(torn).toMatchObject({ state: "waiting", error: "the webhook's record is damaged" });
    expect((await records.listAudit(10)).map(({ id, after }) => [id, after !== null])).toEqual([
      ["whole", true],
      ["torn", true],
    ]);
    expect(new Set(reports).size).toBe(reports.length);
    expect(reports.filter((line) => line.includes("webhooks torn"))).toEqual(
      reportsOf("webhooks torn"),
    );
    expect(reports).toHaveLength(3);
  });
});
