// A primary that is lost and replaced, and a node of a cluster that is lost, under load. What may be admitted is
// LIM-C11: a fixed window admits twice its rate less one in any second, and each change-over may grant one
// further budget.
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { describe, expect, test } from "vitest";
import { startCluster, type RedisCluster } from "./cluster.ts";
import { noteFigures } from "./figures.ts";
import { startControl, startFleet, type FleetGateway } from "./gateways.ts";
import {
  admissionsIn,
  load,
  mostInWindow,
  orHalfOf,
  quantile,
  tookMs,
  within,
  type Sent,
} from "./load.ts";
import { startSentinels } from "./sentinels.ts";
import { redisIsThere } from "./there.ts";

const RATE = 20;
const PER_MS = 1_000;
const GATEWAYS = 2;
const KEYS = ["ann", "bea", "cyd", "dot", "eve", "fay"];

const WORLD = {
  apis: { orders: { listen: "/orders" } },
  keys: Object.fromEntries(
    KEYS.map((key) => [key, { apis: ["orders"], rate: RATE, per: PER_MS / 1_000 }]),
  ),
  gateway: { algorithm: "fixed_window", drl_notification_frequency: 0.5, drl_expiry: 1.5 },
};

const BEFORE_MS = 1_200;
const AFTER_MS = 4_500;
const SETTLED_MS = 1_500; // at the end, and nothing has changed over for that long
const LATEST_MS = 50_000; // ends what hangs: a busy machine takes longer to agree on a new primary
const CHANGES = 2; // there and back

interface Observed {
  readonly gateways: readonly FleetGateway[];
  readonly sent: ReadonlyMap<string, readonly Sent[]>; // by key
  readonly control: readonly Sent[]; // of one that has no store
  readonly startMs: number;
  readonly lostMs: number;
  readonly endMs: number;
  readonly changedMs: ReadonlyMap<string, number>; // by key, when it last changed between with and without the store
}

type Later = (close: () => Promise<void>) => void;

async function observe(
  url: string,
  keys: readonly string[],
  later: Later,
  lose: () => Promise<void>,
): Promise<Observed> {
  const gateways = await startFleet({ url }, WORLD, GATEWAYS);
  later(async () => void (await Promise.all(gateways.map(({ close }) => close()))));
  const without = await startControl(WORLD);
  later(without.stop);
  const urls = gateways.map((one) => one.url);
  const startMs = performance.now();
  const loads = keys.map((key) => load(urls, 1, 25, key));
  const controls = load([without.url], 1, 25, keys[0]);
  await sleep(BEFORE_MS);
  const lostMs = performance.now();
  await lose();
  await sleep(AFTER_MS);
  const latestMs = performance.now() + LATEST_MS;
  const settlesMs = (): number =>
    Math.max(...keys.map((key) => lastChangeMs(gateways, key))) + SETTLED_MS;
  while (performance.now() < Math.min(latestMs, settlesMs())) await sleep(100);
  // The load stops a moment later, in which a busy machine may make a gateway decide without the store once more.
  const endMs = performance.now();
  const changedMs = new Map(keys.map((key) => [key, lastChangeMs(gateways, key)]));
  const control = await controls.stop();
  const all = await Promise.all(loads.map(({ stop }) => stop()));
  const sent = new Map(keys.map((key, index) => [key, all[index]!]));
  return { gateways, sent, control, startMs, lostMs, endMs, changedMs };
}

const lastChangeMs = (gateways: readonly FleetGateway[], key: string): number =>
  Math.max(...gateways.map((one) => one.lastChangeMs(key)));

const secondsOf = (fromMs: number, toMs: number): number => Math.ceil((toMs - fromMs) / PER_MS);

/** Every request got an answer, none waited for the loss to end, and no key got more than the specification allows. */
function holdsForAll({ sent, control, startMs, endMs, changedMs }: Observed): void {
  const all = [...sent.values()].flat();
  expect(all.filter(({ status }) => status !== 200 && status !== 429)).toEqual([]);
  const longestMs = (some: readonly Sent[]): number => Math.max(...some.map(tookMs));
  expect(longestMs(all)).toBeLessThan(2_000 + 5 * longestMs(control));
  for (const [key, ofKey] of sent) {
    const passed = admissionsIn(ofKey);
    expect([key, changedMs.get(key)! < endMs - SETTLED_MS]).toEqual([key, true]);
    const end = { fromMs: endMs - SETTLED_MS, toMs: endMs };
    const settled = within(passed, end);
    const least = orHalfOf(within(ofKey, end), PER_MS, RATE / 2);
    expect([key, mostInWindow(settled, PER_MS) <= 2 * RATE - 1]).toEqual([key, true]);
    expect([key, settled.length >= least]).toEqual([key, true]);
    const most = RATE * (secondsOf(startMs, endMs) + 1 + CHANGES);
    expect([key, passed.length <= most]).toEqual([key, true]);
  }
}

const changeOvers = ({ gateways }: Observed): number =>
  Math.max(...gateways.map(({ storeEvents }) => storeEvents.length));

function note(what: string, seen: Observed, key: string): void {
  const ofKey = seen.sent.get(key)!;
  const after = within(ofKey, { fromMs: seen.lostMs + 400, toMs: seen.endMs });
  noteFigures(what, {
    requests: [...seen.sent.values()].flat().length,
    mostInAnySecond: mostInWindow(admissionsIn(ofKey), PER_MS),
    longestMs: Math.max(...ofKey.map(tookMs)),
    medianMs: quantile(ofKey.map(tookMs), 0.5),
    medianAfterMs: quantile(after.map(tookMs), 0.5),
    changeOvers: changeOvers(seen),
  });
}

/** The keys whose budgets are on this node, read from the node itself. */
async function keysOn(cluster: RedisCluster, index: number): Promise<readonly string[]> {
  const client = new Redis(cluster.primaries[index]!.url);
  const names = await client.keys("*");
  client.disconnect();
  return KEYS.filter((key) => names.some((name) => name.includes(key)));
}

const LOSSES = [
  { how: "killed, with a replica", replicas: 1, isPaused: false },
  { how: "paused, with a replica", replicas: 1, isPaused: true },
  { how: "paused, without one", replicas: 0, isPaused: true },
] as const;

// They wait more than they work, so they run side by side.
describe.skipIf(!redisIsThere).concurrent("under load", () => {
  test("a primary that is killed is replaced by its replica", async ({ onTestFinished }) => {
    const setup = await startSentinels(3);
    onTestFinished(setup.stop);
    const places = setup.sentinels.map(({ port }) => `127.0.0.1:${port}`).join(",");
    const url = `redis+sentinel://${places}/${setup.name}`;
    const seen = await observe(url, ["ann"], onTestFinished, () => setup.primary.kill());
    note("Primary killed, replica in its place", seen, "ann");
    const last = seen.gateways.map(({ storeEvents }) => storeEvents.at(-1)!);
    noteFigures("Primary killed: store back after", {
      ms: Math.max(...last.map(({ atMs }) => atMs - seen.lostMs)),
    });
    expect(last.map(({ event }) => event)).toEqual(["StoreRecovered", "StoreRecovered"]);
    expect(changeOvers(seen)).toBeLessThanOrEqual(6);
    holdsForAll(seen);
  });

  test.for(LOSSES)("a node of a cluster is lost: $how", async (loss, { onTestFinished }) => {
    const { how, replicas, isPaused } = loss;
    const cluster = await startCluster({ replicas, needsAllSlots: false });
    onTestFinished(cluster.stop);
    const places = cluster.primaries.map(({ port }) => `127.0.0.1:${port}`).join(",");
    const node = cluster.primaries[1]!;
    let lost: readonly string[] = [];
    const seen = await observe(`redis+cluster://${places}`, KEYS, onTestFinished, async () => {
      lost = await keysOn(cluster, 1);
      if (isPaused) node.pause();
      else await node.kill();
    });
    expect(lost.length).toBeGreaterThan(0);
    expect(lost.length).toBeLessThan(KEYS.length);
    const other = KEYS.find((key) => !lost.includes(key))!;
    note(`Node ${how}: a key on it`, seen, lost[0]!);
    note(`Node ${how}: a key elsewhere`, seen, other);
    holdsForAll(seen);
    expect(changeOvers(seen)).toBeLessThan(60);
    // No request waits for it again and again. The control shows how long the machine alone makes requests wait, and one
    // that also waits for the store takes its 100 ms more. Of the keys on the lost node, all would.
    const late = (some: readonly Sent[]): readonly number[] =>
      some.filter(({ sentMs }) => sentMs > seen.lostMs + 400).map(tookMs);
    const [took, control] = [late([...seen.sent.values()].flat()), late(seen.control)];
    const waitedMs = 95 + quantile(control, 0.95);
    const slow = (some: readonly number[]): number =>
      some.filter((ms) => ms >= waitedMs).length / some.length;
    expect(quantile(took, 0.5)).toBeLessThan(50 + quantile(control, 0.9));
    for (const key of lost) {
      const share = slow(late(seen.sent.get(key)!));
      expect([key, share < 0.3]).toEqual([key, true]);
    }
  });
});
