import { expect, test } from "vitest";
import { LEASE_US } from "#src/gateway/management/events/courier.ts";
import { USUAL_BOUNDS } from "#src/gateway/management/records/bounds.ts";
import { recordsInMemory } from "#src/gateway/management/records/sqlite.node.ts";
import { event, headersIn, round, SECOND_US, setting, START_US } from "./couriers.ts";

test("a failed attempt is repeated with growing waits, the same id and body, and then given up (EVT-C2)", async () => {
  const { courier, keep, at, list } = await setting();
  await keep("one", { Events: ["StoreRecovered"] });
  courier.accept(event("StoreRecovered"));
  const sent = new Set<string>();
  const waits: number[] = [];
  let second = 0;
  for (;;) {
    at(second);
    const [letter] = await round(courier, 503);
    if (letter === undefined) break;
    sent.add(`${headersIn(letter)["webhook-id"]} ${letter.body}`);
    const [{ dueUs, state } = { dueUs: 0, state: null }] = await list();
    if (state !== "waiting") break;
    waits.push((dueUs - START_US) / SECOND_US - second);
    second += waits.at(-1)!;
    at(second - 0.001);
    expect((await courier.turn()).letters).toEqual([]);
  }
  expect(sent.size).toBe(1);
  expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600]);
  expect(await list()).toMatchObject([
    { state: "dead", attempts: 12, status: 503, error: "answered 503" },
  ]);
  expect(courier.counts).toMatchObject({ delivered: 0, failed: 12, dead: 1 });
});

test("the random part is at most half of a wait", async () => {
  const { courier, keep, list } = await setting({ random: () => 0 });
  await keep("one", { Events: ["StoreRecovered"] });
  courier.accept(event("StoreRecovered"));
  await round(courier, 500);
  expect((await list())[0]?.dueUs).toBe(START_US + 2.5 * SECOND_US);
});

test.each([200, 204, 299])("%i delivers", async (status) => {
  const { courier, keep, list } = await setting();
  await keep("one", { Events: ["StoreRecovered"] });
  courier.accept(event("StoreRecovered"));
  await round(courier, status);
  expect(await list()).toMatchObject([{ state: "delivered", status, endedUs: START_US }]);
});

test.each([199, 300, 302, 404, 410, 429, 500])("%i does not", async (status) => {
  const { courier, keep, list } = await setting();
  await keep("one", { Events: ["StoreRecovered"] });
  courier.accept(event("StoreRecovered"));
  await round(courier, status);
  expect(await list()).toMatchObject([{ state: "waiting", status, endedUs: null }]);
});

test("a slow receiver has four letters under way, and delays no other receiver", async () => {
  const { courier, keep } = await setting();
  await keep("quick", { Events: ["PolicyMissing"] });
  await keep("slow", { Events: ["StoreRecovered"] });
  for (let i = 0; i < 9; i++) courier.accept(event("StoreRecovered"));
  const { letters } = await courier.turn();
  expect(letters).toHaveLength(4);
  courier.accept(event("PolicyMissing"));
  const next = await courier.turn();
  expect(next.letters.map(({ delivery }) => delivery.webhook)).toEqual(["quick"]);
  await courier.recordReceipt(letters[0]!, { status: 200, error: null });
  expect((await courier.turn()).letters).toHaveLength(1);
});

test("a delivery without a receipt is claimed again when its lease ends", async () => {
  const { courier, another, keep, at, list } = await setting();
  await keep("one", { Events: ["StoreRecovered"] });
  courier.accept(event("StoreRecovered"));
  const [lost] = (await courier.turn()).letters;
  const other = another();
  at(LEASE_US / SECOND_US - 0.001);
  expect((await other.turn()).letters).toEqual([]);
  at(LEASE_US / SECOND_US);
  const [again] = (await other.turn()).letters;
  expect(again?.delivery.id).toBe(lost?.delivery.id);
  expect(again?.body).toBe(lost?.body);
  await courier.recordReceipt(lost!, { status: 500, error: "answered 500" }); // too late: the other gateway has claimed it
  await other.recordReceipt(again!, { status: 200, error: null });
  expect(await list()).toMatchObject([{ state: "delivered", attempts: 2 }]);
});

test("events that do not fit are counted by webhook, and take no space from other webhooks", async () => {
  const { courier, keep, records, list } = await setting({ mostWaiting: 3 });
  await keep("away", { Events: ["StoreRecovered"] });
  for (let i = 0; i < 5; i++) courier.accept(event("StoreRecovered"));
  await courier.write();
  courier.accept(event("StoreRecovered"));
  await courier.write();
  expect(courier.counts).toMatchObject({ accepted: 6, lost: 3 });
  expect(await records.deliveries.listLost()).toEqual([{ webhook: "away", count: 3 }]);
  await keep("other", { Events: ["StoreRecovered"] });
  courier.accept(event("StoreRecovered"));
  await courier.write();
  expect((await list()).map(({ webhook }) => webhook)).toEqual(["away", "away", "away", "other"]);
});

test("a database failure loses no accepted event, and later events are merged", async () => {
  const whole = await setting();
  let isAway = true;
  const { queue } = whole.records.deliveries;
  const away: typeof queue = (...values) =>
    isAway ? Promise.reject(new Error("the database is away")) : queue(...values);
  const deliveries = { ...whole.records.deliveries, queue: away };
  const { courier, keep, list } = await setting({ records: { ...whole.records, deliveries } });
  await keep("one", { Events: ["RatelimitExceeded", "StoreRecovered"] });
  courier.accept(event("StoreRecovered"));
  courier.accept(event("RatelimitExceeded"));
  const failing = courier.write();
  courier.accept(event("RatelimitExceeded"));
  courier.accept(event("StoreRecovered"));
  await expect(failing).rejects.toThrow("the database is away");
  isAway = false;
  await courier.turn();
  expect((await list()).map((each) => [each.event, each.count])).toEqual([
    ["StoreRecovered", 1],
    ["StoreRecovered", 1],
    ["RatelimitExceeded", 2],
  ]);
});

test.each(["due", "claim", "prune", "nextDueUs"] as const)(
  "claimed letters are sent even if %s fails afterwards",
  async (failing) => {
    const whole = await setting();
    const { deliveries } = whole.records;
    let fails = 0;
    const away = () => Promise.reject(new Error("the database is away"));
    const broken: typeof deliveries = {
      ...deliveries,
      [failing]: (...given: readonly unknown[]) =>
        fails-- > 0 || (failing === "claim" && given[0] === "two")
          ? away()
          : Reflect.apply(deliveries[failing], deliveries, given),
    };
    const { courier, keep, at, list } = await setting({
      records: { ...whole.records, deliveries: broken },
    });
    await keep("one", { Events: ["StoreRecovered"] });
    if (failing === "claim") await keep("two", { Events: ["StoreRecovered"] });
    courier.accept(event("StoreRecovered"));
    fails = failing === "claim" ? 0 : 1;
    const first = await courier.turn();
    expect(first.failure).toEqual(new Error("the database is away"));
    expect(first.letters.map(({ delivery }) => delivery.webhook)).toEqual(
      failing === "due" ? [] : ["one"],
    );
    for (const letter of first.letters)
      await courier.recordReceipt(letter, { status: 200, error: null });
    at(1);
    await round(courier, 200);
    expect((await list())[0]).toMatchObject({ webhook: "one", state: "delivered", attempts: 1 });
  },
);

test("ten thousand budgets fit into memory, and events of further ones are counted as lost", async () => {
  const { courier } = await setting();
  for (let i = 0; i < 10_001; i++) courier.accept(event("RatelimitExceeded", { budget: `b${i}` }));
  courier.accept(event("RatelimitExceeded", { budget: "b0" }));
  expect(courier.counts).toMatchObject({ accepted: 10_002, lost: 1 });
});

test("dead deliveries are sent again on request, one by its id or all of them", async () => {
  const { courier, keep, remove, records, list } = await setting();
  const { resend } = records.deliveries;
  await keep("one", { Events: ["StoreRecovered"] });
  for (let i = 0; i < 3; i++) courier.accept(event("StoreRecovered"));
  await courier.write();
  await remove("one");
  await courier.turn();
  const [first, second] = await list();
  expect(
    await Promise.all(["nothing", "zz-1", `${first?.id}0`].map((id) => resend(id, 0))),
  ).toEqual([0, 0, 0]);
  expect(await resend(first!.id, START_US)).toBe(1);
  expect(await resend(first!.id, START_US)).toBe(0); // it waits
  expect((await list())[0]).toMatchObject({ state: "waiting", attempts: 0, id: first?.id });
  expect(await resend(null, START_US)).toBe(2);
  await keep("one", { Events: ["StoreRecovered"] });
  expect((await round(courier, 200)).map(({ delivery }) => delivery.id)).toContain(second?.id);
  expect(await resend(second!.id, START_US)).toBe(1);
});

test("delivered rows are deleted after a day, and dead ones after thirty", async () => {
  const { courier, keep, remove, at, list } = await setting();
  const day = 24 * 3_600;
  await keep("good", { Events: ["StoreRecovered"] });
  await keep("bad", { Events: ["StoreUnavailable"] });
  courier.accept(event("StoreRecovered"));
  await round(courier, 200);
  courier.accept(event("StoreUnavailable"));
  await courier.write();
  await remove("bad");
  await courier.turn();
  const statesAt = async (seconds: number): Promise<readonly string[]> => {
    at(seconds);
    await courier.turn();
    return (await list()).map(({ state }) => state);
  };
  expect(await statesAt(day)).toEqual(["delivered", "dead"]);
  expect(await statesAt(day + 60)).toEqual(["dead"]);
  expect(await statesAt(30 * day)).toEqual(["dead"]);
  expect(await statesAt(30 * day + 60)).toEqual([]);
});

test("the newest ended deliveries are retained", async () => {
  const { courier, keep, records, list } = await setting();
  await keep("one", { Events: ["StoreRecovered"] });
  for (let i = 0; i < 6; i++) courier.accept(event("StoreRecovered"));
  await round(courier, 200); // four of them: the others wait
  const always = { deliveredSinceUs: 0, deadSinceUs: 0, mostDead: 0, mostBytes: 1_000_000 };
  await records.deliveries.prune({ ...always, mostDelivered: 3 });
  expect((await list()).map(({ state, row }) => [state, row])).toEqual([
    ["delivered", 4],
    ["waiting", 5],
    ["waiting", 6],
  ]);
});

test("above its bytes the queue drops the oldest rows, ended ones first, and counts waiting ones as lost", async () => {
  const { courier, keep, records, list } = await setting();
  await keep("one", { Events: ["StoreRecovered"] });
  for (let i = 0; i < 6; i++) courier.accept(event("StoreRecovered"));
  await round(courier, 200); // four of them: the others wait
  const always = { deliveredSinceUs: 0, deadSinceUs: 0, mostDead: 10, mostDelivered: 10 };
  const rows = async () => (await list()).map(({ state, row }) => [state, row]);
  // Each has about 120 bytes.
  expect(await records.deliveries.prune({ ...always, mostBytes: 400 })).toBe(0);
  expect((await rows()).slice(-2)).toEqual([
    ["waiting", 5],
    ["waiting", 6],
  ]);
  expect((await rows()).length).toBeLessThan(4);
  expect(await records.deliveries.listLost()).toEqual([]);
  expect(await records.deliveries.prune({ ...always, mostBytes: 150 })).toBe(1);
  expect(await rows()).toEqual([["waiting", 6]]);
  expect(await records.deliveries.listLost()).toEqual([{ webhook: "one", count: 1 }]);
});

test("the courier that drops rows for their bytes counts them as lost, and the newest waiting rows stay", async () => {
  const whole = await recordsInMemory({
    bounds: () => ({ ...USUAL_BOUNDS, deliveriesBytes: 3_000 }),
  });
  const { courier, keep, records, list } = await setting({ records: whole });
  await keep("away", { Events: ["StoreRecovered"] });
  const path = `/${"x".repeat(899)}`;
  for (let i = 0; i < 6; i++) courier.accept(event("StoreRecovered", { path: `${path}${i}` }));
  await courier.turn();
  expect((await list()).map(({ path }) => path?.slice(-1))).toEqual(["4", "5"]);
  expect(await records.deliveries.listLost()).toEqual([{ webhook: "away", count: 4 }]);
  expect(courier.counts).toMatchObject({ accepted: 6, lost: 4 });
});
