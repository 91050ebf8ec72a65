import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { decodeFromCompressedBase64 } from "hdr-histogram-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  errorsOf,
  keyAt,
  type Load,
  type LoadOrder,
  type LoadProgress,
} from "#src/studies/bench/load/load.ts";
import { startLoad } from "#src/studies/bench/load/start-load.node.ts";
import { micros } from "#src/kit/units.ts";

type Answer = (from: IncomingMessage, to: ServerResponse) => void;

const HELD_MS = 200;
const ok: Answer = (_, to) => to.end("{}");

let load: Load;
let server: Server;
let answer: Answer = ok;
let url = "";

beforeAll(async () => {
  load = startLoad();
  server = createServer((from, to) => answer(from, to));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders/7`;
  // The first of each is cold.
  for (const order of [orderClosed(0.1), orderConstant(100, 0.1)]) await load.run(order);
});

afterAll(async () => {
  await load.stop();
  server.closeAllConnections();
  server.close();
});

const common = { connections: 4, keys: "one", keyCount: 1, keyPrefix: "key-", seed: 7 } as const;

const orderClosed = (seconds: number): LoadOrder => ({
  ...common,
  url,
  loadModel: "closed",
  perSecond: null,
  lastsUs: micros(seconds * 1e6),
});

/** However slow the machine is, all of them are sent. */
const orderAtMost = (atMost: number): LoadOrder => ({ ...orderClosed(120), atMost });

const orderConstant = (perSecond: number, seconds: number): LoadOrder => ({
  ...common,
  url,
  loadModel: "constant",
  perSecond,
  lastsUs: micros(seconds * 1e6),
});

/** From that request on, all that arrive within that time wait for its end. */
function holdingUp(fromRequest: number, heldMs: number): Answer {
  let count = 0;
  let untilMs: number | null = null;
  return (from, to) => {
    if (++count < fromRequest) return ok(from, to);
    untilMs ??= performance.now() + heldMs;
    setTimeout(() => ok(from, to), Math.max(0, untilMs - performance.now()));
  };
}

test("a stall is in the latency of every request planned during it, while a closed loop sends almost nothing", async () => {
  answer = holdingUp(10, HELD_MS);
  const open = await load.run(orderConstant(200, 1));
  // A fifth of all arrivals were planned within the stall, and those at its beginning waited for nearly all of it.
  expect(open.latency.all!.p99Us).toBeGreaterThan(HELD_MS * 1_000 * 0.9);
  expect(open.latency.all!.p90Us).toBeGreaterThan(HELD_MS * 1_000 * 0.4);
  expect(open).toMatchObject({
    answers: 200,
    unanswered: 0,
    sending: { planned: 200, dropped: 0 },
  });

  answer = holdingUp(10, HELD_MS);
  const { latency } = await load.run({ ...orderClosed(0.6), connections: 1 });
  expect(latency.all!.maxUs).toBeGreaterThan(HELD_MS * 1_000 * 0.9);
  expect(latency.all!.p90Us).toBeLessThan(HELD_MS * 1_000 * 0.4);
});

test("a load generator that was held up reports it, and its late requests count from their planned time", async () => {
  answer = ok;
  const pid = load.pidOf("constant");
  const playing = load.run(orderConstant(200, 0.6));
  await sleep(200);
  process.kill(pid, "SIGSTOP");
  const sinceMs = performance.now();
  await sleep(HELD_MS);
  const heldMs = performance.now() - sinceMs;
  process.kill(pid, "SIGCONT");
  const { histogram, sending, answers } = await playing;
  expect(sending!.late!.p99Us).toBeGreaterThan(HELD_MS * 1_000 * 0.7);
  // Requests planned during the stop are the slowest, and half of them waited for at least half of it. Counted from the
  // send time, only the few in flight would be slow.
  const planned = (heldMs / 1_000) * 200;
  const middle = decodeFromCompressedBase64(histogram!).getValueAtPercentile(
    100 * (1 - planned / 2 / answers),
  );
  expect(middle).toBeGreaterThan(heldMs * 1_000 * 0.4);
  expect(sending!.overran).toContain("ms or more after its time");
});

test("responses are counted and timed by status", async () => {
  let count = 0;
  answer = (from, to) => {
    to.statusCode = [200, 429, 200, 503][count++ % 4]!;
    ok(from, to);
  };
  for (const order of [orderAtMost(200), orderConstant(200, 0.2)]) {
    const figures = await load.run(order);
    const { statuses, latency, answers } = figures;
    expect(Object.keys(statuses)).toEqual(["200", "429", "503"]);
    expect(latency.admitted!.count).toBeGreaterThan(latency.refused!.count);
    expect(errorsOf(figures)).toBe(statuses["503"]);
    expect(answers).toBe(statuses["200"]! + statuses["429"]! + statuses["503"]!);
    expect(figures.cpuUs).toBeGreaterThan(0);
  }
});

test("all of many keys occur, in a closed and in an open loop", async () => {
  for (const order of [orderAtMost(400), orderConstant(400, 0.3)]) {
    const keys = new Map<string, number>();
    answer = (from, to) => {
      const key = from.headers.authorization ?? "";
      keys.set(key, (keys.get(key) ?? 0) + 1);
      ok(from, to);
    };
    await load.run({ ...order, keys: "many", keyCount: 40 });
    expect(keys.size).toBe(40);
    expect(keys.has(keyAt("key-", 39))).toBe(true);
  }
});

test("arrivals that find too many in flight are dropped and counted", async () => {
  answer = holdingUp(1, 1_700);
  const { sending, answers } = await load.run(orderConstant(50, 1.3));
  // As many as arrive in a second may be in flight.
  expect(sending).toMatchObject({ planned: 65, dropped: 15 });
  expect(answers).toBe(50);
});

test("requests without a response are counted, in a closed and in an open loop", async () => {
  let count = 0;
  answer = (from, to) => {
    if (++count % 10 === 0) from.socket.destroy();
    else ok(from, to);
  };
  for (const order of [orderAtMost(200), orderConstant(200, 0.2)])
    expect((await load.run(order)).unanswered).toBeGreaterThan(0);
  const unreachable = { url: "http://127.0.0.1:1/" };
  for (const order of [orderClosed(0.2), orderConstant(200, 0.2)]) {
    const { answers, unanswered } = await load.run({ ...order, ...unreachable });
    expect(answers).toBe(0);
    expect(unanswered).toBeGreaterThan(0);
  }
});

test("at most the number of requests of an order is sent, for any duration and number of connections", async () => {
  let count = 0;
  answer = (from, to) => {
    count++;
    // A connection that breaks reconnects, and sends again.
    if (count % 10 === 0) from.socket.destroy();
    else ok(from, to);
  };
  for (const atMost of [3, 101])
    for (const order of [orderClosed(5), orderConstant(1e6, 90)]) {
      count = 0;
      const { sent, isCut } = await load.run({ ...order, atMost });
      expect({ count, sent, isCut }).toEqual({ count: sent, sent: atMost, isCut: true });
    }
  const { sent, isCut } = await load.run({ ...orderConstant(100, 0.1), atMost: 11 });
  expect([sent, isCut]).toEqual([10, false]);
});

test("progress is reported during the run", async () => {
  answer = ok;
  const reports: LoadProgress[] = [];
  const { answers } = await load.run(orderConstant(200, 0.6), (progress) => reports.push(progress));
  expect(reports.length).toBeGreaterThan(0);
  expect(reports[0]!.answers).toBeLessThan(answers);
});

test("requests in flight are no errors in the progress of a run, closed or open", async () => {
  answer = (from, to) => void setTimeout(() => ok(from, to), HELD_MS / 4);
  for (const order of [orderClosed(0.6), orderConstant(50, 0.6)]) {
    const reports: LoadProgress[] = [];
    await load.run(order, (progress) => reports.push(progress));
    expect(new Set(reports.map(({ errors }) => errors))).toEqual(new Set([0]));
  }
});

test("a load generator that ended is an error, and both end with their channel", async () => {
  answer = ok;
  const own = startLoad();
  const pid = own.pidOf("closed");
  await Promise.all([expect(own.run(orderClosed(20))).rejects.toThrow("is gone"), own.stop()]);
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  await expect(own.run(orderClosed(1))).rejects.toThrow("is gone");
});
