// Redis killed and restarted empty, and Redis paused, under load, with each setting of on_store_error
// (ALG-C8). A fixed window admits twice its rate less one in any second, and each change-over may grant one
// further budget (LIM-C11).
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { until } from "./cluster.ts";
import { noteFigures } from "./figures.ts";
import {
  startControl,
  startFleet,
  startGateway,
  type FleetGateway,
  type StoreEvent,
} from "./gateways.ts";
import {
  admissionsIn,
  sendOne,
  answersSince,
  load,
  mostInWindow,
  orHalfOf,
  quantile,
  tookMs,
  within,
  type Sent,
} from "./load.ts";
import { startRedis, type RedisServer } from "./server.ts";
import { redisIsThere } from "./there.ts";

const RATE = 40;
const PER_MS = 1_000;
const GATEWAYS = 2;
const STORE_TIMEOUT_MS = 250; // a busy machine is no outage
const SHARE = RATE / GATEWAYS;
const SETTINGS = ["local", "allow", "deny"] as const;
type Setting = (typeof SETTINGS)[number];

const world = (onStoreError: string) => ({
  apis: { orders: { listen: "/orders" } },
  keys: { alice: { apis: ["orders"], rate: RATE, per: PER_MS / 1_000 } },
  gateway: {
    algorithm: "fixed_window",
    on_store_error: onStoreError,
    store_timeout: STORE_TIMEOUT_MS / 1_000,
    drl_notification_frequency: 0.2,
    drl_expiry: 0.6,
  },
});

interface Outage {
  readonly away: (redis: RedisServer) => Promise<void>;
  readonly back: (redis: RedisServer) => Promise<void>;
}

const OUTAGES: Readonly<Record<string, Outage>> = {
  killed: { away: (redis) => redis.kill(), back: (redis) => redis.restart() },
  paused: { away: async (redis) => redis.pause(), back: async (redis) => redis.resume() },
};

const BEFORE_MS = 1_200;
const AWAY_MS = 2_500;
const AFTER_MS = 2_800;
const SETTLED_MS = 1_500; // at the end
const ENOUGH = 150; // answers, however long they take
const CLIENTS = 3; // at each gateway
const CHANGES = 2; // there and back: one further budget each (LIM-C11)

interface Observed {
  readonly gateways: readonly FleetGateway[];
  readonly sent: readonly Sent[];
  readonly passed: readonly Sent[];
  readonly known: readonly Sent[]; // sent when its gateway knew that the store was away
  readonly startMs: number;
  readonly awayMs: number;
  readonly knownMs: number; // to each gateway
  readonly backMs: number;
  readonly endMs: number;
}

const closing: (() => Promise<unknown>)[] = [];

async function observe({ away, back }: Outage): Promise<Record<Setting, Observed>> {
  const redis = await startRedis();
  closing.push(redis.stop);
  const fleets = await Promise.all(
    SETTINGS.map((setting) =>
      startFleet({ url: redis.url, prefix: `${setting}:` }, world(setting), GATEWAYS),
    ),
  );
  closing.push(...fleets.flat().map(({ close }) => close));
  const startMs = performance.now();
  const loads = fleets.map((fleet) =>
    load(
      fleet.map(({ url }) => url),
      CLIENTS,
      20,
    ),
  );
  await sleep(BEFORE_MS);
  await answersSince(loads, startMs, ENOUGH);
  const awayMs = performance.now();
  await away(redis);
  await waitForEvent(fleets.flat(), "StoreUnavailable", awayMs);
  const allKnowMs = performance.now();
  await sleep(AWAY_MS);
  await answersSince(loads, allKnowMs, ENOUGH);
  const backMs = performance.now();
  await back(redis);
  await waitForEvent(fleets.flat(), "StoreRecovered", backMs);
  const allHaveItMs = performance.now();
  await sleep(AFTER_MS);
  await answersSince(loads, allHaveItMs, ENOUGH);
  const all = await Promise.all(loads.map(({ stop }) => stop()));
  const endMs = performance.now();
  const of = (index: number): Observed => {
    const [gateways, sent] = [fleets[index]!, all[index]!];
    const knownMs = Math.max(
      ...gateways.map((one) => since(one, "StoreUnavailable", awayMs)!.atMs),
    );
    const known = within(sent, { fromMs: knownMs, toMs: backMs });
    const passed = admissionsIn(sent);
    return { gateways, sent, passed, known, startMs, awayMs, knownMs, backMs, endMs };
  };
  return { local: of(0), allow: of(1), deny: of(2) };
}

const since = (
  { storeEvents }: FleetGateway,
  event: StoreEvent["event"],
  fromMs: number,
): StoreEvent | undefined => storeEvents.find((one) => one.event === event && one.atMs >= fromMs);

const waitForEvent = (
  gateways: readonly FleetGateway[],
  event: StoreEvent["event"],
  fromMs: number,
) => until(() => gateways.every((one) => since(one, event, fromMs) !== undefined));

const secondsOf = (fromMs: number, toMs: number): number => Math.ceil((toMs - fromMs) / PER_MS);

describe.skipIf(!redisIsThere).each(Object.entries(OUTAGES))(
  "under load, Redis %s",
  (how, outage) => {
    let all: Record<Setting, Observed>;
    beforeAll(async () => {
      all = await observe(outage);
    });
    afterAll(async () => {
      for (const close of closing.splice(0).toReversed()) await close();
    });

    test.each(SETTINGS)("costs no request its answer (%s)", (setting) => {
      const { gateways, sent, passed, known, startMs, awayMs, backMs, endMs } = all[setting];
      noteFigures(`Redis ${how}, on_store_error: ${setting}`, {
        requests: sent.length,
        mostInAnySecond: mostInWindow(passed, PER_MS),
        mostInAnySecondAway: mostInWindow(admissionsIn(known), PER_MS),
        longestMs: Math.max(...sent.map(tookMs)),
        medianMs: quantile(sent.map(tookMs), 0.5),
        medianAwayMs: quantile(known.map(tookMs), 0.5),
        changeOvers: Math.max(...gateways.map(({ storeEvents }) => storeEvents.length)),
        recoveredAfterMs: Math.max(
          ...gateways.map(({ storeEvents }) => storeEvents.at(-1)!.atMs - backMs),
        ),
      });
      // No request waits for the store to come back: those sent during the outage were answered during it.
      expect(known.length).toBeGreaterThanOrEqual(ENOUGH);
      const waiting = sent.filter(
        ({ sentMs, answeredMs }) => sentMs < backMs && answeredMs > backMs,
      );
      expect(waiting.length).toBeLessThanOrEqual(GATEWAYS * CLIENTS);
      expect(sent.filter(({ status }) => status === 0)).toEqual([]);
      for (const span of [
        { fromMs: startMs, toMs: awayMs },
        { fromMs: endMs - SETTLED_MS, toMs: endMs },
      ]) {
        const most = mostInWindow(within(passed, span), PER_MS);
        expect(most).toBeGreaterThanOrEqual(orHalfOf(within(sent, span), PER_MS, RATE / 2));
        expect(most).toBeLessThanOrEqual(2 * RATE - 1);
      }
    });

    test.each(SETTINGS)("is reported as a change-over, there and back (%s)", (setting) => {
      const { gateways, knownMs, backMs } = all[setting];
      for (const { storeEvents } of gateways) {
        expect(storeEvents[0]?.event).toBe("StoreUnavailable");
        expect(storeEvents.at(-1)?.event).toBe("StoreRecovered");
        // Before and after it a store may also be too slow on a busy machine, and is reported for that.
        expect(storeEvents.filter(({ atMs }) => atMs > knownMs && atMs < backMs)).toEqual([]);
      }
    });

    test("and local: each gateway gives out its share and no more", () => {
      const { known, passed, startMs, knownMs, backMs, endMs } = all.local;
      const seconds = secondsOf(knownMs, backMs);
      for (const gateway of [0, 1]) {
        const here = admissionsIn(known).filter((one) => one.gateway === gateway);
        expect(here.length).toBeGreaterThanOrEqual(SHARE); // of the ENOUGH that are sent
        expect(here.length).toBeLessThanOrEqual(SHARE * (seconds + 1));
        expect(mostInWindow(here, PER_MS)).toBeLessThanOrEqual(2 * SHARE - 1);
      }
      expect(passed.length).toBeLessThanOrEqual(RATE * (secondsOf(startMs, endMs) + 1 + CHANGES));
    });

    test("and allow: all are admitted", () => {
      expect(all.allow.known.every(({ status }) => status === 200)).toBe(true);
    });

    test("and deny: none is admitted, and each gets a Retry-After", () => {
      const { known, passed, startMs, endMs } = all.deny;
      expect(known.every(({ status }) => status === 503)).toBe(true);
      expect(known.every(({ retryAfter }) => retryAfter === "1")).toBe(true);
      expect(mostInWindow(passed, PER_MS)).toBeLessThanOrEqual(2 * RATE - 1);
      expect(passed.length).toBeLessThanOrEqual(RATE * (secondsOf(startMs, endMs) + 1 + CHANGES));
    });
  },
);

describe.skipIf(!redisIsThere)("a paused Redis", () => {
  test("costs a request less than 5 ms once it is known to", async () => {
    const redis = await startRedis();
    onTestFinished(redis.stop);
    const unlimited = {
      ...world("local"),
      keys: { alice: { apis: ["orders"], rate: 1e6, per: 1 } },
    };
    const gateway = await startGateway({ url: redis.url }, unlimited);
    onTestFinished(gateway.close);
    const control = await startControl(unlimited);
    onTestFinished(control.stop);
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const took = async (url: URL): Promise<number> => tookMs(await sendOne(agent, url, 0, "alice"));

    redis.pause();
    const learning: number[] = [];
    for (let i = 0; i < 6; i++) learning.push(await took(gateway.url));
    const without: number[] = [];
    const dead: number[] = [];
    for (let i = 0; i < 300; i++) {
      without.push(await took(control.url));
      dead.push(await took(gateway.url));
    }
    const figures = {
      learningMs: Math.max(...learning),
      medianControlMs: quantile(without, 0.5),
      medianMs: quantile(dead, 0.5),
      p99ControlMs: quantile(without, 0.99),
      p99Ms: quantile(dead, 0.99),
    };
    noteFigures("A dead store once known", figures);
    expect(figures.learningMs).toBeGreaterThanOrEqual(0.9 * STORE_TIMEOUT_MS); // it is waited for
    // A machine that is busy slows both.
    const mostMs = 5 + quantile(without, 0.9);
    expect(figures.medianMs).toBeLessThan(mostMs);
    expect(quantile(dead, 0.9)).toBeLessThan(5 + 2 * quantile(without, 0.99));
  });
});
