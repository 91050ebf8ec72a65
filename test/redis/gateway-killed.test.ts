// Gateways of a fleet that are killed, and that leave in good order, under load: real processes over a real
// Redis. Alice's budget is in shares (ALG-C4), Bob's is in the store.
import { describe, expect, onTestFinished, test } from "vitest";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { channelName } from "#src/limiter/store/redis-channel.node.ts";
import { DEFAULT_PREFIX } from "#src/limiter/store/redis.node.ts";
import { AS_IT_IS, sendRequest, CONFIG, serving, SETTINGS } from "../cli/serving.ts";
import { folderWith } from "../cli/weir.ts";
import { until } from "./cluster.ts";
import { noteFigures } from "./figures.ts";
import {
  admissionsIn,
  answersSince,
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
    const countGateways = async (index: number): Promise<number> => {
      const { text } = await sendRequest(`${fleet[index]!.gateway}/ready`);
      return (JSON.parse(text) as { readonly gateways: number }).gateways;
    };
    await until(async () =>
      (await Promise.all([0, 1, 2].map(countGateways))).every((n) => n === 3),
    );

    const heartbeats = await listening(redis.url);
    const urls = fleet.map(({ gateway }) => new URL(gateway));
    const startMs = performance.now();
    const [alice, bob] = [load(urls, 2, 10, "alice"), load(urls, 1, 240, "bob")];
    await sleep(1_500);
    await answersSince([alice], startMs, ENOUGH);
    const killedMs = performance.now();
    const countBefore = heartbeats();
    fleet[2]!.kill("SIGKILL");
    let stillCounted = 0; // heartbeats when the dead one was last seen to count: a look takes long on a busy machine
    await until(async () => {
      const before = heartbeats() - countBefore;
      const isGone = (await countGateways(0)) === 2 && (await countGateways(1)) === 2;
      if (!isGone) stillCounted = before;
      return isGone;
    });
    const untilExpired = heartbeats() - countBefore;
    const expiredMs = performance.now();
    await sleep(1_500);
    await answersSince([alice], expiredMs, ENOUGH);
    const endingMs = performance.now();
    fleet[1]!.kill("SIGTERM");
    expect(await fleet[1]!.exit).toBe(0);
    const endedMs = performance.now();
    const countAtItsEnd = heartbeats();
    await until(async () => (await countGateways(0)) === 1);
    const untilGoodbye = heartbeats() - countAtItsEnd;
    const goodbyeMs = performance.now();
    await sleep(1_500);
    await answersSince([alice], goodbyeMs, ENOUGH);
    const [ofAlice, ofBob] = [await alice.stop(), await bob.stop()];
    const stopMs = performance.now();
    const all = [...ofAlice, ...ofBob];
    noteFigures("Gateway killed", {
      requests: all.length,
      leftAfterMs: expiredMs - killedMs,
      goodbyeAfterEndMs: goodbyeMs - endedMs,
      longestMs: Math.max(...of(all, 0).map(tookMs)),
      mostInAnySecondShared: mostInWindow(admissionsIn(ofAlice), PER_MS),
      mostInAnySecondStored: mostInWindow(admissionsIn(ofBob), PER_MS),
    });

    // Counted in the heartbeats of those who live: a busy machine sends them later, and forgets the dead later.
    expect(untilExpired).toBeGreaterThanOrEqual(2);
    expect(stillCounted).toBeLessThanOrEqual(2 * (EXPIRY_MS / HEARTBEAT_MS + 2));
    expect(untilGoodbye).toBeLessThan(EXPIRY_MS / HEARTBEAT_MS);

    // A gateway that lives answers every request; one that ends answers the requests that have reached it.
    const unanswered = all.filter(({ status }) => status === 0);
    expect(of(unanswered, 0)).toEqual([]);
    expect(of(unanswered, 1).filter(({ sentMs }) => sentMs < endingMs)).toEqual([]);
    expect(of(unanswered, 2).filter(({ answeredMs }) => answeredMs < killedMs)).toEqual([]);
    expect(all.filter(({ status }) => ![0, 200, 429].includes(status))).toEqual([]);

    // Shares of a third, then of a half, then the whole.
    const toFirst = of(ofAlice, 0);
    const most = (fromMs: number, toMs: number): number =>
      mostInWindow(within(admissionsIn(toFirst), { fromMs, toMs }), PER_MS);
    const least = (count: number, fromMs: number, toMs: number): number =>
      orHalfOf(within(toFirst, { fromMs, toMs }), PER_MS, count);
    expect(most(startMs, killedMs)).toBeLessThanOrEqual((2 * ALICE) / 3 - 1);
    expect(most(expiredMs, endingMs)).toBeLessThanOrEqual((2 * ALICE) / 2 - 1);
    expect(most(expiredMs, endingMs)).toBeGreaterThanOrEqual(least(ALICE / 3, expiredMs, endingMs));
    expect(most(goodbyeMs, stopMs)).toBeGreaterThanOrEqual(least(ALICE / 2, goodbyeMs, stopMs));
    const seconds = Math.ceil((stopMs - startMs) / PER_MS);
    expect(admissionsIn(ofAlice).length).toBeLessThanOrEqual(ALICE * (seconds + 1 + CHANGES));

    // Budgets in the store do not depend on the number of gateways.
    expect(mostInWindow(admissionsIn(ofBob), PER_MS)).toBeLessThanOrEqual(BOB);
    expect(admissionsIn(ofBob).length).toBeGreaterThan(BOB);
  });
});
