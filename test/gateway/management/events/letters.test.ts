import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { recordsInMemory } from "#src/gateway/management/records/sqlite.node.ts";
import {
  bodyIn,
  event,
  headersIn,
  IN_BRACES,
  round,
  SECOND_US,
  setting,
  START_US,
} from "./couriers.ts";

test("each webhook that lists an event gets it, and no other (EVT-2)", async () => {
  const { courier, keep } = await setting();
  await keep("one", { Events: ["RateLimitSmoothingUp", "RateLimitSmoothingDown"] });
  await keep("two", { Events: ["RateLimitSmoothingUp", "PolicyMissing"] });
  await keep("none", { Events: [] });
  courier.accept(event("RateLimitSmoothingUp", { value: 12 }));
  courier.accept(event("ShadowLimitExceeded"));
  courier.accept(event("StoreUnavailable"));
  const { letters } = await courier.turn();
  expect(letters.map(({ delivery }) => delivery.webhook)).toEqual(["one", "two"]);
});

test("a letter has the address, method, headers and time of its webhook (EVT-3)", async () => {
  const { courier, keep } = await setting();
  await keep("one", {
    URL: "https://elsewhere.example/a?b=c",
    Method: "PUT",
    Timeout: 7,
    Headers: [
      { ID: "h1", Name: "X-Team", Value: "gold" },
      { ID: "h2", Name: "Content-Type", Value: "application/vnd.of.them+json" },
      { ID: "h3", Name: "Webhook-Id", Value: "forged" },
    ],
    Events: ["PolicyMissing"],
  });
  courier.accept(event("PolicyMissing", { budget: "gold" }));
  const [letter] = (await courier.turn()).letters;
  expect(letter).toMatchObject({
    url: "https://elsewhere.example/a?b=c",
    method: "PUT",
    timeoutUs: 7 * SECOND_US,
    headers: [
      ["user-agent", "weir"],
      ["X-Team", "gold"],
      ["Content-Type", "application/vnd.of.them+json"],
      ["webhook-id", letter?.delivery.id],
      ["webhook-timestamp", "1700000000"],
    ],
  });
});

test.each([
  [
    event("RateLimitSmoothingUp", { value: 12 }),
    {
      message: "Smoothing has raised an allowance",
      meta: { budget: "key/orders|alice", allowance: 12 },
    },
  ],
  [
    event("RateLimitSmoothingDown", { value: 10 }),
    {
      message: "Smoothing has lowered an allowance",
      meta: { budget: "key/orders|alice", allowance: 10 },
    },
  ],
  [
    event("PolicyMissing", { budget: "gold" }),
    { message: "A key names a policy that does not exist", meta: { policy: "gold" } },
  ],
  [
    event("StoreUnavailable", { key: null, api: null, path: null, budget: null }),
    {
      message: "The store does not respond to a gateway",
      api_id: null,
      key: null,
      path: null,
      meta: {},
    },
  ],
])("$event has a message and its data (EVT-C2)", async (limiterEvent, expected) => {
  const { courier, keep } = await setting();
  await keep("one", { Events: [limiterEvent.event] });
  courier.accept(limiterEvent);
  const [letter] = (await courier.turn()).letters;
  expect(bodyIn(letter!)).toEqual({
    event: limiterEvent.event,
    timestamp: "2023-11-14T22:13:20.000Z",
    api_id: "orders",
    key: "alice",
    path: "/orders/7",
    ...expected,
  });
});

test("exceeded limits are merged by webhook and budget until the cooldown ends (EVT-C2)", async () => {
  const { courier, keep, at } = await setting();
  await keep("one", { Events: ["RatelimitExceeded", "QuotaExceeded"] });
  await keep("two", {});
  for (let i = 0; i < 5; i++) courier.accept(event("RatelimitExceeded", { atS: i / 10 }));
  courier.accept(event("RatelimitExceeded", { budget: "of-bob", key: "bob" }));
  courier.accept(event("QuotaExceeded"));
  expect(await courier.turn()).toEqual({ letters: [], againUs: START_US + 60 * SECOND_US });
  at(59.9);
  courier.accept(event("RatelimitExceeded", { atS: 59.9, key: "carol", path: "/orders/8" }));
  expect((await courier.turn()).letters).toEqual([]);
  at(60);
  const { letters } = await courier.turn();
  const bodies = letters.map((letter) => ({ webhook: letter.delivery.webhook, ...bodyIn(letter) }));
  const ofAlice = {
    event: "RatelimitExceeded",
    message: "Requests were refused because a rate limit was exceeded",
    timestamp: "2023-11-14T22:13:20.000Z",
    api_id: "orders",
    key: null, // alice's and carol's
    path: null,
    meta: { budget: "key/orders|alice", count: 6, last: "2023-11-14T22:14:19.900Z" },
  };
  const ofBob = { key: "bob", path: "/orders/7", meta: { budget: "of-bob", count: 1 } };
  expect(bodies).toHaveLength(5);
  expect(bodies.filter(({ webhook }) => webhook === "two")).toMatchObject([ofAlice, ofBob]);
  expect(bodies.find((each) => JSON.stringify(each).includes("Quota"))).toMatchObject({
    webhook: "one",
    event: "QuotaExceeded",
    message: "Requests were refused because a quota was spent",
    meta: { count: 1 },
  });
});

test("after a cooldown the next one begins", async () => {
  const { courier, keep, at, list } = await setting();
  await keep("one", {});
  for (const second of [0, 61, 62]) {
    at(second);
    courier.accept(event("RatelimitExceeded", { atS: second }));
    await round(courier, 200);
  }
  at(121);
  await round(courier, 200);
  expect((await list()).map(({ count, state }) => [count, state])).toEqual([
    [1, "delivered"],
    [2, "delivered"],
  ]);
});

test("without a cooldown, each written event is a delivery", async () => {
  const { courier, keep, list } = await setting({ cooldownUs: 0 });
  await keep("one", {});
  for (const second of [0, 1]) {
    courier.accept(event("RatelimitExceeded", { atS: second }));
    await courier.write();
  }
  expect(await list()).toMatchObject([{ count: 1 }, { count: 1 }]);
});

test("gateways that share records merge together", async () => {
  const { courier, another, keep, at, list } = await setting();
  await keep("one", {});
  const other = another();
  courier.accept(event("RatelimitExceeded"));
  other.accept(event("RatelimitExceeded"));
  await Promise.all([courier.turn(), other.turn()]);
  at(60);
  const both = await Promise.all([courier.turn(), other.turn()]);
  expect(both.flatMap(({ letters }) => letters)).toHaveLength(1);
  expect(await list()).toMatchObject([{ count: 2, attempts: 1 }]);
});

test("a signature is over id, timestamp and body, and each attempt has its own (EVT-C2)", async () => {
  const { courier, keep, at } = await setting();
  await keep("one", { Events: ["StoreRecovered"], Secret: "{one: s3cret}" });
  courier.accept(event("StoreRecovered"));
  const [first] = await round(courier, 500);
  at(5);
  const [second] = await round(courier, 500);
  for (const letter of [first!, second!]) {
    const { "webhook-id": id, "webhook-timestamp": time, ...rest } = headersIn(letter);
    const signature = createHmac("sha256", "s3cret")
      .update(`${id}.${time}.${letter.body}`)
      .digest("base64");
    expect(rest["webhook-signature"]).toBe(`v1,${signature}`);
  }
  expect(headersIn(second!)["webhook-timestamp"]).toBe("1700000005");
});

test("a letter uses the present settings of a changed webhook", async () => {
  const { courier, keep, change, at } = await setting();
  await keep("one", { Events: ["StoreRecovered"] });
  courier.accept(event("StoreRecovered"));
  await round(courier, 500);
  await change("one", { URL: "https://moved.example/", Method: "PATCH", Secret: "{one: new}" });
  at(5);
  const [letter] = (await courier.turn()).letters;
  expect(letter).toMatchObject({ url: "https://moved.example/", method: "PATCH" });
  expect(headersIn(letter!)["webhook-signature"]).toBeDefined();
});

test("an event is not sent if its webhook is gone or no longer lists it", async () => {
  const { courier, keep, change, remove, at, list } = await setting();
  for (const id of ["changed", "removed"]) await keep(id, { Events: ["StoreRecovered"] });
  courier.accept(event("StoreRecovered"));
  await round(courier, 500);
  await change("changed", { Events: ["StoreUnavailable"] });
  await remove("removed");
  at(5);
  expect((await courier.turn()).letters).toEqual([]);
  expect(await list()).toMatchObject([
    { state: "dead", error: "the webhook lists this no longer" },
    { state: "dead", error: "the webhook is gone" },
  ]);
});

test("budgets by credential are stored without the credentials, and stay distinct", async () => {
  const secrets = ["s3cret-one", "s3cret-two"];
  const records = await recordsInMemory();
  const queued: (string | null)[] = [];
  const { queue } = records.deliveries;
  const deliveries = {
    ...records.deliveries,
    queue: (...given: Parameters<typeof queue>) => {
      queued.push(...given[0].map(({ budget }) => budget));
      return queue(...given);
    },
  };
  const { courier, keep, list } = await setting({
    records: { ...records, deliveries },
    isCredential: (text) => secrets.includes(text),
  });
  await keep("one", { Events: ["RatelimitExceeded"] });
  for (const secret of [...secrets, ...secrets])
    courier.accept(event("RatelimitExceeded", { budget: `key/60|header:x-key:${secret}` }));
  await courier.write();
  expect((await list()).map(({ count }) => count)).toEqual([2, 2]);
  const before = "key/60|header:x-key:";
  expect(queued).toEqual(
    secrets.map((secret) => `${before}*** ${IN_BRACES.hashOf(before + secret)}`),
  );
});

test("a path contains no credential, and has a bounded length", async () => {
  const { courier, keep, list } = await setting({ isCredential: (text) => text === "s3cret" });
  await keep("one", { Events: ["PolicyMissing"] });
  courier.accept(event("PolicyMissing", { path: "/orders/s3cret/7" }));
  courier.accept(event("PolicyMissing", { path: `/orders/${"a".repeat(9_000)}` }));
  const around = `/${"a".repeat(2_042)}/s3cret`; // half of it would be left
  courier.accept(event("PolicyMissing", { path: around }));
  await courier.write();
  const [first, second, third] = await list();
  expect([first?.path, second?.path]).toEqual(["/orders/***/7", "/orders/"]);
  expect(third?.path).toBe(around.slice(0, -"s3cret".length));
});

test("a record that cannot be unsealed is the error of its delivery, and delays no other", async () => {
  const { courier, keep, list } = await setting();
  await keep("bad", { Events: ["StoreRecovered"], Secret: "of another key" });
  await keep("good", { Events: ["StoreRecovered"] });
  courier.accept(event("StoreRecovered"));
  expect((await round(courier, 200)).map(({ delivery }) => delivery.webhook)).toEqual(["good"]);
  expect(await list()).toMatchObject([
    { state: "waiting", error: "Error: bad does not open" },
    { state: "delivered" },
  ]);
});
