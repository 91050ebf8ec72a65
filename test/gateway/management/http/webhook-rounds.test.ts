import { performance } from "node:perf_hooks";
import { afterEach, expect, test } from "vitest";
import type { Courier } from "#src/gateway/management/events/courier.ts";
import { Rejection } from "#src/gateway/management/rejection.ts";
import { webhookRounds } from "#src/gateway/management/http/webhook-rounds.node.ts";
import { webhookSender } from "#src/gateway/management/http/webhook-sender.node.ts";
import { event, setting, type Setting } from "../events/couriers.ts";
import { atEnd, endAll, HERE, receiver } from "./receivers.ts";

afterEach(endAll);

const NOW_US = 1_700_000_000_000_000;

/** A queue whose clock stays at one time, and rounds in real time. */
function running(on: Setting, courier: Courier = on.courier) {
  const lines: string[] = [];
  const sender = webhookSender({ readAllowedReceivers: () => HERE });
  const rounds = webhookRounds({
    courier,
    sender,
    nowUs: () => NOW_US,
    log: (line) => lines.push(line),
  });
  let isStopped = false;
  const stop = async (withinMs = 0): Promise<void> => {
    isStopped = true;
    await rounds.stop(withinMs);
  };
  atEnd(async () => {
    if (!isStopped) await stop();
  });
  return { ...rounds, stop, lines };
}

const states = async ({ list }: Setting): Promise<readonly string[]> =>
  (await list()).map(({ webhook, state }) => `${webhook} ${state}`);

test("an event reaches its receiver soon", async () => {
  const { url, received } = await receiver();
  const on = await setting();
  await on.keep("one", { URL: url, Events: ["StoreRecovered"] });
  running(on).event(event("StoreRecovered"));
  await expect.poll(() => states(on)).toEqual(["one delivered"]);
  expect(received).toHaveLength(1);
});

test("receivers that hang, reset or fail delay no other receiver", async () => {
  const hanging = await receiver(() => {});
  const resetting = await receiver((from) => from.socket.resetAndDestroy());
  const refusing = await receiver((_, to) => to.writeHead(500).end());
  const good = await receiver();
  const on = await setting();
  for (const [id, { url }] of Object.entries({ hanging, resetting, refusing, good }))
    await on.keep(id, { URL: url, Events: ["StoreRecovered"] });
  const { event: emit } = running(on);
  for (let i = 0; i < 20; i++) emit(event("StoreRecovered"));
  await expect.poll(() => good.received.length).toBe(20);
  expect(hanging.received).toHaveLength(4);
  await expect.poll(() => refusing.received.length).toBe(20);
  expect(new Set(refusing.received.map(({ id }) => id)).size).toBe(20);
});

test("accepting an event costs a request no noticeable time", async () => {
  const { url } = await receiver(() => {});
  const on = await setting();
  await on.keep("slow", { URL: url, Events: ["RatelimitExceeded"] });
  const { event: emit } = running(on);
  const exceeded = event("RatelimitExceeded");
  const beganMs = performance.now();
  for (let i = 0; i < 100_000; i++) emit(exceeded);
  expect((performance.now() - beganMs) / 100_000).toBeLessThan(0.05); // ms: fifty times what it takes
});

test("stopping writes accepted events, and lets letters under way end", async () => {
  const { url, received } = await receiver((_, to) => void setTimeout(() => to.end("late"), 100));
  const on = await setting();
  await on.keep("one", { URL: url, Events: ["StoreRecovered", "StoreUnavailable"] });
  const { event: emit, stop } = running(on);
  emit(event("StoreRecovered"));
  await expect.poll(() => received.length).toBe(1);
  emit(event("StoreUnavailable"));
  await stop(5_000);
  expect(await states(on)).toEqual(["one delivered", "one waiting"]);
  expect(received).toHaveLength(1);
});

test("a letter that does not end in time breaks off, and is sent again later", async () => {
  const { url, received } = await receiver(() => {});
  const on = await setting();
  await on.keep("one", { URL: url, Events: ["StoreRecovered"] });
  const { event: emit, stop } = running(on);
  emit(event("StoreRecovered"));
  await expect.poll(() => received.length).toBe(1);
  await stop(50);
  expect(await states(on)).toEqual(["one waiting"]);
  expect((await on.list())[0]?.error).not.toBe(null);
});

test("an outage of the database is reported once, and loses no event", async () => {
  const { url, received } = await receiver();
  const whole = await setting();
  let attempts = 0;
  const { queue } = whole.records.deliveries;
  const away: typeof queue = (...given) =>
    ++attempts < 3 ? Promise.reject(new Rejection(503, "the database is away")) : queue(...given);
  const deliveries = { ...whole.records.deliveries, queue: away };
  const on = await setting({ records: { ...whole.records, deliveries } });
  await on.keep("one", { URL: url, Events: ["StoreRecovered"] });
  const { event: emit, lines } = running(on);
  emit(event("StoreRecovered"));
  await expect.poll(() => attempts).toBeGreaterThan(1);
  await expect.poll(() => received.length).toBe(1);
  expect(lines).toEqual(["weir: events for webhooks wait: the database is away"]);
});

test("an internal error is reported with its trace", async () => {
  const whole = await setting();
  const nextDueUs = (): Promise<never> => Promise.reject(new RangeError("inside"));
  const deliveries = { ...whole.records.deliveries, nextDueUs };
  const { lines } = running(await setting({ records: { ...whole.records, deliveries } }));
  await expect.poll(() => lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^weir: events for webhooks wait: RangeError: inside\n +at .*nextDueUs/);
});

test("events that do not fit are reported", async () => {
  const on = await setting({ mostWaiting: 2 });
  const { url } = await receiver(() => {});
  await on.keep("one", { URL: url, Events: ["StoreRecovered"] });
  const { event: emit, lines } = running(on);
  for (let i = 0; i < 5; i++) emit(event("StoreRecovered"));
  await expect
    .poll(() => lines)
    .toEqual(["weir: the queue of webhooks is full, and has lost 3 events"]);
});

test("a receiver that is killed with a letter in its hands gets it again when it is back", async () => {
  const first = await receiver(() => {});
  const on = await setting();
  await on.keep("one", { URL: first.url, Events: ["StoreRecovered"] });
  const sender = webhookSender({ readAllowedReceivers: () => HERE });
  atEnd(sender.close);
  const sendAt = async (seconds: number): Promise<void> => {
    on.at(seconds);
    const { letters } = await on.courier.turn();
    for (const letter of letters) await on.courier.recordReceipt(letter, await sender.send(letter));
  };
  on.courier.accept(event("StoreRecovered"));
  const sending = sendAt(0);
  await expect.poll(() => first.received.length).toBe(1);
  await first.kill();
  await sending;
  await sendAt(5); // no server listens there
  const errors = (await on.list()).map(({ attempts, error }) => `${attempts} ${error}`);
  expect(errors).toEqual([expect.stringMatching(/^2 .*ECONNREFUSED/)]);
  const back = await receiver(undefined, first.port);
  await sendAt(15);
  expect(await states(on)).toEqual(["one delivered"]);
  expect(back.received.map(({ id, body }) => [id, body])).toEqual(
    first.received.map(({ id, body }) => [id, body]),
  );
});
