// The store of a run is cleared between injected faults and at its end, over connections that a busy machine may lose.
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { checkVariant } from "#src/lab/check/run.ts";
import { SECOND } from "#src/kit/units.ts";
import { redis, waitForStore } from "#src/lab/drivers/redis.node.ts";
import { startOwnRedis } from "#src/lab/drivers/own-redis.node.ts";
import { playVirtual } from "#src/lab/drivers/virtual.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";
import { NO_GATEWAY, isLost, type History } from "#src/lab/scenario/history.ts";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import { redisIsThere } from "../../redis/there.ts";

const text = `id: limits/restart
title: a store that restarts
proves: [LIM-1]
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 1, per: 60 } }
  gateway: { store_timeout: 60 } # a busy machine is no outage
faults: [{ at: 1ms, store: restart }]
traffic: [{ name: only, as: alice, send: GET /orders, trace: { times: [0s, 2ms] } }]
expect: [{ id: admitted again, sequence: { flow: only }, equals: 2*200 }]
`;

/** A way to the store. `between`: what becomes of what both ends send. */
async function wayTo(url: string, between: (from: Socket, to: Socket) => void): Promise<string> {
  const server = createServer((from) => {
    const to = connect(Number(new URL(url).port), "127.0.0.1");
    from.on("error", () => to.destroy()).on("close", () => to.destroy());
    to.on("error", () => from.destroy()).on("close", () => from.destroy());
    between(from, to);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The first connections that look for keys are lost. */
function wayThatLoses(url: string, losses: number): Promise<string> {
  let left = losses;
  return wayTo(url, (from, to) => {
    from.on("data", (bytes) => {
      if (bytes.includes("\r\nscan\r\n") && left-- > 0) from.destroy();
      else to.write(bytes);
    });
    to.pipe(from);
  });
}

const REPLY_MS = 100;

/** Replies come later, in their order. */
const wayThatDelays = (url: string): Promise<string> =>
  wayTo(url, (from, to) => {
    from.pipe(to);
    to.on("data", (bytes) => setTimeout(() => from.write(bytes), REPLY_MS));
  });

describe.skipIf(!redisIsThere)("a store that is to be cleared", () => {
  const historyAfter = async (losses: number): Promise<History> => {
    const store = await startOwnRedis();
    onTestFinished(store.stop);
    const { scenario, problems } = decode("restart.yaml", text);
    expect(problems).toEqual([]);
    const [variant] = scenario!.variants;
    const world = await redis(await wayThatLoses(store.url, losses)).apply(variant!);
    try {
      return await world.play(plan(variant!, scenario!.id, 1));
    } finally {
      await world.close();
    }
  };

  test("is cleared over a new connection where one is lost, between the requests before and after", async () => {
    const { requests, events, spans } = await historyAfter(2);
    expect([...requests.status]).toEqual([200, 200]);
    expect(events).toEqual([]); // the store decided both
    const restart = spans.find(({ text }) => text === "store_restart")!;
    expect(requests.answeredUs[0]).toBeLessThanOrEqual(restart.toUs);
    expect(requests.sentUs[1]).toBeGreaterThanOrEqual(restart.toUs);
  });

  test("is reported where no connection lasts, also if that happens long before the end", async () => {
    await expect(historyAfter(3)).rejects.toThrow(
      "the connection to the store was lost 3 times while keys were deleted",
    );
  });
});

const smoothed = `id: limits/smoothed
title: a sentinel raises its allowance in the background
proves: [SMO-C2]
world:
  apis: { orders: { listen: /orders } }
  keys:
    alice: { apis: [orders], rate: 3, per: 60, smoothing: { enabled: true, threshold: 1, step: 2, trigger: 0.1, delay: 1 } }
  gateway: { algorithm: sentinel, store_timeout: 60 }
traffic: [{ name: only, as: alice, send: GET /orders, trace: { times: [0s, 1500ms] } }]
expect: [{ id: refused, sequence: { flow: only }, equals: 2*200 }]
`;

test.skipIf(!redisIsThere)(
  "a run ends after its background writes, whose events are in its history",
  async () => {
    const store = await startOwnRedis();
    onTestFinished(store.stop);
    const { scenario, problems } = decode("smoothed.yaml", smoothed);
    expect(problems).toEqual([]);
    const [variant] = scenario!.variants;
    const world = await redis(await wayThatDelays(store.url)).apply(variant!);
    onTestFinished(world.close);
    const { requests, events } = await world.play(plan(variant!, scenario!.id, 1));
    expect(requests.status).toHaveLength(2);
    expect(events.length).toBeGreaterThan(0);
    expect(events.at(-1)!.atUs).toBeGreaterThan(requests.answeredUs[1]!);
  },
);

test.skipIf(!redisIsThere)(
  "after a crash requests are lost, over HTTP as in virtual time, and their clients know it",
  async () => {
    const crashing = decode(
      "scenarios/limits/crashing.yaml",
      `id: limits/crashing
title: a gateway crashes and restarts
proves: [LIM-C18]
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 9, per: 100 } }
traffic:
  - { name: before, as: alice, send: GET /orders, burst: 2 }
  - { name: lost, as: alice, send: GET /orders, burst: 2, at: 800ms }
  - name: retried
    as: alice
    send: GET /orders
    burst: 1
    at: 800ms
    behaviour: { backoff: { base: 1s, factor: 1, maxAttempts: 3 } }
faults:
  - { at: 400ms, gateway: crash, node: 0 }
  - { at: 1300ms, gateway: restart, node: 0 }
expect:
  - { id: three are lost, count: { status: lost }, equals: 3 }
  - { id: the retry is admitted, gaveUp: { flow: retried }, equals: 0 }
  - { id: each is there, invariant: requests }
  - { id: the text says the same, decisions: {}, agreeWith: oracle }
`,
    );
    const variant = crashing.scenario!.variants[0]!;
    const planned = plan(variant, "limits/crashing", 1);
    const store = await startOwnRedis();
    onTestFinished(store.stop);
    const world = await redis(store.url).apply(variant);
    const real = await world.play(planned);
    await world.close();
    const virtual = playVirtual(variant, planned);
    for (const history of [real, virtual]) {
      expect(checkVariant(variant, history).map(({ outcome }) => outcome)).toEqual(
        Array(4).fill("pass"),
      );
      const { requests, header } = history;
      const lost = [...requests.status.keys()].filter((row) => isLost(requests.status[row]!));
      expect(lost.map((row) => requests.gateway[row])).toEqual(Array(3).fill(NO_GATEWAY));
      expect(lost.map((row) => header.keys[requests.key[row]!])).toEqual(Array(3).fill("alice"));
      expect(lost.map((row) => header.apis[requests.api[row]!])).toEqual(Array(3).fill("orders"));
    }
  },
);

test("a gateway waits for a busy store, unless the scenario takes the store away", () => {
  const timeouts = (faults: string): number[] => {
    const changed = text
      .replace(/ {2}gateway: .*\n/, "")
      .replace(/^faults: .*$/m, `faults: [{ at: 1s, configure: {} }${faults}]`);
    const { variants } = decode("restart.yaml", changed).scenario!;
    const { world, faults: injected } = waitForStore(variants[0]!);
    return [
      world.configuration!.options.storeTimeoutUs,
      ...injected.flatMap((one) =>
        one.kind === "configure" ? [one.configuration.options.storeTimeoutUs] : [],
      ),
    ];
  };
  expect(timeouts("")).toEqual([10 * SECOND, 10 * SECOND]);
  expect(timeouts(", { at: 2s, store: restart }")).toEqual([SECOND / 10, SECOND / 10]);
});
