// Gateways of a fleet that are killed, and that leave in good order, under load: real processes over a real
// Redis. Alice's budget is in shares (ALG-C4), Bob's is in the store.
import { describe, expect, onTestFinished, test } from "vitest";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { channelName } from "../../src/store/redis-channel.node.ts";
import { DEFAULT_PREFIX } from "../../src/store/redis.node.ts";
import { AS_IT_IS, sendRequest, CONFIG, serving, SETTINGS } from "../cli/serving.ts";
import { folderWith } from "../cli/weir.ts";
import { until } from "./cluster.ts";
import { noteFigures } from "./figures.ts";
import {
  onlyAdmitted,
  waitForResponses,
  load,
  mostInWindow,
  orHalfOf,
  tookMs,
  within,
  type Sent,
} from "./load.ts";
import { startRedis } from "./server.ts";
import { redisIsThere } from "./there.ts";

const ALICE = 60;
const BOB = 10;
const PER_MS = 1_000;
const HEARTBEAT_MS = 500;
const EXPIRY_MS = 1_500;
const WORLD = `apis:
  orders: { listen: /orders }
keys:
  alice: { apis: [orders], rate: ${ALICE}, per: 1 }
  bob: { apis: [orders], rate: ${BOB}, per: 1 }
gateway: { drl_threshold: 15, drl_notification_frequency: ${HEARTBEAT_MS / 1_000}, drl_expiry: ${EXPIRY_MS / 1_000} }
`;
const FILES = { "conf/weir.yaml": SETTINGS, "conf/world.yaml": WORLD };
const ENOUGH = 100; // answers to Alice, however long they take
const CHANGES = 2; // of the number of gateways: one further budget each (LIM-C11)

const of = (sent: readonly Sent[], gateway: number): readonly Sent[] =>
  sent.filter((one) => one.gateway === gateway);

/** How many messages its gateways have sent each other by now. */
async function listening(url: string): Promise<() => number> {
  const client = new Redis(url);
  onTestFinished(() => client.disconnect());
  let count = 0;
  client.on("message", () => count++);
  await client.subscribe(channelName(DEFAULT_PREFIX, 0));
  return () => count;
}

describe.skipIf(!redisIsThere)("under load, a gateway", () => {
  test("that is killed leaves within drl_expiry, and one that ends in good order at once", async () => {
    const redis = await startRedis();
    onTestFinished(redis.stop);
    const folder = folderWith(FILES);
    const store = [...CONFIG, "--store", redis.url];
    const fleet = await Promise.all([0, 1, 2].map(() => serving(folder, store, AS_IT_IS)));
    const gatewaysKnownTo = async (index: number): Promise<number> => {
      const { text } = await sendRequest(`${fleet[index]!.gateway}/ready`);
      return (JSON.parse(text) as { readonly gateways: number }).gateways;
    };
    await until(async () =>
      (await Promise.all([0, 1, 2].map(gatewaysKnownTo))).every((n) => n === 3),
    );

    const heartbeats = await listening(redis.url);
    const urls = fleet.map(({ gateway }) => new URL(gateway));
    const startMs = performance.now();
    const [alice, bob] = [load(urls, 2, 10, "alice"), load(urls, 1, 240, "bob")];
    await sleep(1_500);
    await waitForResponses([alice], startMs, ENOUGH);
    const killedMs = performance.now();
    const countBefore = heartbeats();
    fleet[2]!.kill("SIGKILL");
    await until(async () => (await gatewaysKnownTo(0)) === 2 && (await gatewaysKnownTo(1)) === 2);
    const untilExpired = heartbeats() - countBefore;
    const expiredMs = performance.now();
    await sleep(1_500);
    await waitForResponses([alice], expiredMs, ENOUGH);
    const endingMs = performance.now();
    fleet[1]!.kill("SIGTERM");
    expect(await fleet[1]!.exit).toBe(0);
    const endedMs = performance.now();
    const countAtItsEnd = heartbeats();
    await until(async () => (await gatewaysKnownTo(0)) === 1);
    const untilGoodbye = heartbeats() - countAtItsEnd;
    const leftMs = performance.now();
    await sleep(1_500);
    await waitForResponses([alice], leftMs, ENOUGH);
    const [ofAlice, ofBob] = [await alice.stop(), await bob.stop()];
    const stopMs = performance.now();
    const all = [...ofAlice, ...ofBob];
    noteFigures("Gateway killed", {
      requests: all.length,
      leftAfterMs: expiredMs - killedMs,
      goodbyeAfterEndMs: leftMs - endedMs,
      longestMs: Math.max(...of(all, 0).map(tookMs)),
      mostInAnySecondShared: mostInWindow(onlyAdmitted(ofAlice), PER_MS),
      mostInAnySecondStored: mostInWindow(onlyAdmitted(ofBob), PER_MS),
    });

    // Counted in the heartbeats of those who live: a busy machine sends them later, and forgets the dead later.
    expect(untilExpired).toBeGreaterThanOrEqual(2);
    expect(untilExpired).toBeLessThanOrEqual(2 * (EXPIRY_MS / HEARTBEAT_MS + 2));
    expect(untilGoodbye).toBeLessThan(EXPIRY_MS / HEARTBEAT_MS);

    // A live gateway responds to every request; one that ends responds to those that have reached it.
    const unanswered = all.filter(({ status }) => status === 0);
    expect(of(unanswered, 0)).toEqual([]);
    expect(of(unanswered, 1).filter(({ sentMs }) => sentMs < endingMs)).toEqual([]);
    expect(of(unanswered, 2).filter(({ receivedMs }) => receivedMs < killedMs)).toEqual([]);
    expect(all.filter(({ status }) => ![0, 200, 429].includes(status))).toEqual([]);

    // Shares of a third, then of a half, then the whole.
    const ofLive = of(ofAlice, 0);
    const most = (fromMs: number, toMs: number): number =>
      mostInWindow(within(onlyAdmitted(ofLive), { fromMs, toMs }), PER_MS);
    const least = (count: number, fromMs: number, toMs: number): number =>
      orHalfOf(within(ofLive, { fromMs, toMs }), PER_MS, count);
    expect(most(startMs, killedMs)).toBeLessThanOrEqual((2 * ALICE) / 3 - 1);
    expect(most(expiredMs, endingMs)).toBeLessThanOrEqual((2 * ALICE) / 2 - 1);
    expect(most(expiredMs, endingMs)).toBeGreaterThanOrEqual(least(ALICE / 3, expiredMs, endingMs));
    expect(most(leftMs, stopMs)).toBeGreaterThanOrEqual(least(ALICE / 2, leftMs, stopMs));
    const seconds = Math.ceil((stopMs - startMs) / PER_MS);
    expect(onlyAdmitted(ofAlice).length).toBeLessThanOrEqual(ALICE * (seconds + 1 + CHANGES));

    // The budget in the store is not affected.
    expect(mostInWindow(onlyAdmitted(ofBob), PER_MS)).toBeLessThanOrEqual(BOB);
    expect(onlyAdmitted(ofBob).length).toBeGreaterThan(BOB);
  });
});
