import { expect, test } from "vitest";
import { LEASE_US } from "../../../src/management/events/courier.ts";
import { USUAL_BOUNDS } from "../../../src/management/records/bounds.ts";
import { recordsInMemory } from "../../../src/management/records/sqlite.node.ts";
import { event, headersIn, round, SECOND_US, setting, START_US } from "./couriers.ts";

test("a failed attempt is made again, later each time, with the same id and body, and then given up (EVT-C2)", async () => {
  const { courier, keep, at, listed } = await setting();
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
    const [{ dueUs, state } = { dueUs: 0, state: null }] = await listed();
    if (state !== "waiting") break;
    waits.push((dueUs - START_US) / SECOND_US - second);
    second += waits.at(-1)!;
    at(second - 0.001);
    expect((await courier.turn()).letters).toEqual([]);
  }
  expect(sent.size).toBe(1);
  expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600]);
  expect(await listed()).toMatchObject([
    { state: "dead", attempts: 12, status: 503, error: "answered 503" },
  ]);
  expect(courier.counts).toMatchObject({ delivered: 0, failed: 12, dead: 1 });
});

test("chance takes half of a wait at most", async () => {
  const { courier, keep, listed } = await setting({ random: () => 0 });
  await keep("one", { Events: ["StoreRecovered"] });
  courier.accept(event("StoreRecovered"));
  await round(courier, 500);
  expect((await listed())[0]?.dueUs).toBe(START_US + 2.5 * SECOND_US);
});

test.each([200, 204, 299])("%i delivers", async (status) => {
  const { courier, keep, listed } = await setting();
  await keep("one", { Events: ["StoreRecovered"] });
  courier.accept(event("StoreRecovered"));
  await round(courier, status);
  expect(await listed()).toMatchObject([{ state: "delivered", status, endedUs: START_US }]);
});

test.each([199, 300, 302, 404, 410, 429, 500])("%i does not", async (status) => {
  const { courier, keep, listed } = await setting();
  await keep("one", { Events: ["StoreRecovered"] });
  courier.accept(event("StoreRecovered"));
  await round(courier, status);
  expect(await listed()).toMatchObject([{ state: "waiting", status, endedUs: null }]);
});

test("a slow receiver keeps four of its own, and none of another's", async () => {
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

test("what somebody took and never answered for is taken again when the lease is over", async () => {
  const { courier, another, keep, at, listed } = await setting();
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
  await courier.recordReceipt(lost!, { status: 500, error: "answered 500" }); // too late: it is the other's
  await other.recordReceipt(again!, { status: 200, error: null });
  expect(await listed()).toMatchObject([{ state: "delivered", attempts: 2 }]);
});

test("what does not fit is counted by webhook, and takes no room from others", async () => {
  const { courier, keep, records, listed } = await setting({ mostWaiting: 3 });
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
  expect((await listed()).map(({ webhook }) => webhook)).toEqual(["away", "away", "away", "other"]);
});

test("a database that fails loses nothing that was accepted, and merges what comes meanwhile", async () => {
  const whole = await setting();
  let isAway = true;
  const { queue } = whole.records.deliveries;
  const away: typeof queue = (...said) =>
    isAway ? Promise.reject(new Error("the database is away")) : queue(...said);
  const deliveries = { ...whole.records.deliveries, queue: away };
  const { courier, keep, listed } = await setting({ records: { ...whole.records, deliveries } });
  await keep("one", { Events: ["RatelimitExceeded", "StoreRecovered"] });
  courier.accept(event("StoreRecovered"));
  courier.accept(event("RatelimitExceeded"));
  const failing = courier.write();
  courier.accept(event("RatelimitExceeded"));
  courier.accept(event("StoreRecovered"));
  await expect(failing).rejects.toThrow("the database is away");
  isAway = false;
  await courier.turn();
  expect((await listed()).map((each) => [each.event, each.count])).toEqual([
    ["StoreRecovered", 1],
    ["StoreRecovered", 1],
    ["RatelimitExceeded", 2],
  ]);
});

test.each(["due", "claim", "prune", "nextDueUs"] as const)(
  "what was taken is sent, whatever becomes of %s afterwards",
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
    const { courier, keep, at, listed } = await setting({
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
    expect((await listed())[0]).toMatchObject({ webhook: "one", state: "delivered", attempts: 1 });
  },
);

test("ten thousand budgets are held in memory, and what is beyond them is counted", async () => {
  const { courier } = await setting();
  for (let i = 0; i < 10_001; i++) courier.accept(event("RatelimitExceeded", { budget: `b${i}` }));
  courier.accept(event("RatelimitExceeded", { budget: "b0" }));
  expect(courier.counts).toMatchObject({ accepted: 10_002, lost: 1 });
});

test("what is dead is sent again when somebody asks, by id or all of it", async () => {
  const { courier, keep, remove, records, listed } = await setting();
  const { resend } = records.deliveries;
  await keep("one", { Events: ["StoreRecovered"] });
  for (let i = 0; i < 3; i++) courier.accept(event("StoreRecovered"));
  await courier.write();
  await remove("one");
  await courier.turn();
  const [first, second] = await listed();
  expect(
    await Promise.all(["nothing", "zz-1", `${first?.id}0`].map((id) => resend(id, 0))),
  ).toEqual([0, 0, 0]);
  expect(await resend(first!.id, START_US)).toBe(1);
  expect(await resend(first!.id, START_US)).toBe(0); // it waits
  expect((await listed())[0]).toMatchObject({ state: "waiting", attempts: 0, id: first?.id });
  expect(await resend(null, START_US)).toBe(2);
  await keep("one", { Events: ["StoreRecovered"] });
  expect((await round(courier, 200)).map(({ delivery }) => delivery.id)).toContain(second?.id);
  expect(await resend(second!.id, START_US)).toBe(1);
});

test("what is over is forgotten after a day, and what is dead after thirty", async () => {
  const { courier, keep, remove, at, listed } = await setting();
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
    return (await listed()).map(({ state }) => state);
  };
  expect(await statesAt(day)).toEqual(["delivered", "dead"]);
  expect(await statesAt(day + 60)).toEqual(["dead"]);
  expect(await statesAt(30 * day)).toEqual(["dead"]);
  expect(await statesAt(30 * day + 60)).toEqual([]);
});

test("of what is over, the newest are kept", async () => {
  const { courier, keep, records, listed } = await setting();
  await keep("one", { Events: ["StoreRecovered"] });
  for (let i = 0; i < 6; i++) courier.accept(event("StoreRecovered"));
  await round(courier, 200); // four of them: the others wait
  const always = { deliveredSinceUs: 0, deadSinceUs: 0, mostDead: 0, mostBytes: 1_000_000 };
  await records.deliveries.prune({ ...always, mostDelivered: 3 });
  expect((await listed()).map(({ state, row }) => [state, row])).toEqual([
    ["delivered", 4],
    ["waiting", 5],
    ["waiting", 6],
  ]);
});

test("beyond so many bytes the oldest go, first those that are over, and what nobody is told of is counted", async () => {
  const { courier, keep, records, listed } = await setting();
  await keep("one", { Events: ["StoreRecovered"] });
  for (let i = 0; i < 6; i++) courier.accept(event("StoreRecovered"));
  await round(courier, 200); // four of them: the others wait
  const always = { deliveredSinceUs: 0, deadSinceUs: 0, mostDead: 10, mostDelivered: 10 };
  const rows = async () => (await listed()).map(({ state, row }) => [state, row]);
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

test("what had to go by its bytes is counted by whoever takes it away, and the newest that wait stay", async () => {
  const whole = await recordsInMemory({
    bounds: () => ({ ...USUAL_BOUNDS, deliveriesBytes: 3_000 }),
  });
  const { courier, keep, records, listed } = await setting({ records: whole });
  await keep("away", { Events: ["StoreRecovered"] });
  const path = `/${"x".repeat(899)}`;
  for (let i = 0; i < 6; i++) courier.accept(event("StoreRecovered", { path: `${path}${i}` }));
  await courier.turn();
  expect((await listed()).map(({ path }) => path?.slice(-1))).toEqual(["4", "5"]);
  expect(await records.deliveries.listLost()).toEqual([{ webhook: "away", count: 4 }]);
  expect(courier.counts).toMatchObject({ accepted: 6, lost: 4 });
});
