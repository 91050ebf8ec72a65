// A request that a leaky bucket delays waits in the gateway until its turn (ALG-C10).
import { request } from "node:http";
import { performance } from "node:perf_hooks";
import { expect, test } from "vitest";
import type { Exchange, Observer } from "#src/gateway/http/observer.ts";
import type { RequestOutcome } from "#src/gateway/outcome.ts";
import { gatewayTo, readWorld } from "./wire.ts";

/** One request leaves each second, so that all of a test are sent before the next turn; two may wait. */
const world = (queue = 2) => ({
  apis: { orders: { listen: "/orders" } },
  keys: { alice: { apis: ["orders"], rate: 10, per: 10 } },
  gateway: { algorithm: "leaky_bucket", queue },
});

interface Sent {
  readonly response: Promise<{ readonly status: number; readonly afterMs: number } | "lost">;
  readonly leave: () => void;
}

function send(url: URL): Sent {
  const startMs = performance.now();
  const sent = request(new URL("/orders", url), { headers: { authorization: "alice" } });
  const response = new Promise<Awaited<Sent["response"]>>((resolve) => {
    sent.on("error", () => resolve("lost"));
    sent.on("response", (message) => {
      message.resume();
      const afterMs = performance.now() - startMs;
      message.on("end", () => resolve({ status: message.statusCode!, afterMs }));
    });
  });
  sent.end();
  return { response, leave: () => sent.destroy() };
}

async function startGateway(queue = 2) {
  const decided: RequestOutcome[] = [];
  const exchanges: Exchange[] = [];
  const observer: Observer = {
    onEvent: () => {},
    onDecision: (outcome) => void decided.push(outcome),
    onExchange: (exchange) => void exchanges.push(exchange),
  };
  return { ...(await gatewayTo(null, {}, world(queue), new Map(), observer)), decided, exchanges };
}

const delaysOf = (outcomes: readonly RequestOutcome[]): readonly (number | undefined)[] =>
  outcomes.map(({ decision }) => decision?.delayUs);

test("a delayed request gets its response at its turn, and one beyond the queue gets 429 at once", async () => {
  const { url, decided } = await startGateway();
  const all = [];
  for (let i = 0; i < 4; i++) {
    all.push(send(url));
    await expect.poll(() => decided.length).toBe(i + 1); // in this order
  }
  const [first, second, third, fourth] = await Promise.all(all.map(({ response }) => response));
  expect([first, second, third, fourth]).toMatchObject([
    { status: 200 },
    { status: 200 },
    { status: 200 },
    { status: 429 },
  ]);
  const [none = 0, one = 0, two = 0] = delaysOf(decided);
  expect(none).toBe(0);
  expect(one).toBeGreaterThan(0);
  expect(two).toBeGreaterThan(one);
  const waits = [second, third].map((each) => (each === "lost" ? 0 : (each?.afterMs ?? 0)));
  expect(waits[0]).toBeGreaterThanOrEqual(one / 1_000);
  expect(waits[1]).toBeGreaterThanOrEqual(two / 1_000);
});

test("a client that leaves while its request waits keeps its turn, and the access log has the request", async () => {
  const { url, decided, exchanges } = await startGateway(1);
  const first = send(url);
  await expect.poll(() => decided.length).toBe(1);
  const waiting = send(url);
  await expect.poll(() => decided.length).toBe(2);
  waiting.leave();
  expect(await waiting.response).toBe("lost");
  await expect.poll(() => exchanges.length).toBe(2);
  const lost = exchanges.find(({ status }) => status === 0)!;
  expect(lost).toMatchObject({ isWhole: false, upstream: null });
  expect(lost.outcome?.decision?.delayUs).toBeGreaterThan(0);
  expect(await send(url).response).toMatchObject({ status: 429 });
  expect(await first.response).toMatchObject({ status: 200 });
});

test("a gateway that drains lets requests wait for their turns", async () => {
  const { url, decided, drain } = await startGateway();
  const first = send(url);
  await expect.poll(() => decided.length).toBe(1);
  const waiting = send(url);
  await expect.poll(() => decided.length).toBe(2);
  const drained = drain();
  expect([await first.response, await waiting.response]).toMatchObject([
    { status: 200 },
    { status: 200 },
  ]);
  await drained;
});

test("a request that waits while the limit is lifted leaves at its turn", async () => {
  const { url, decided, reload } = await startGateway();
  const first = send(url);
  await expect.poll(() => decided.length).toBe(1);
  const waiting = send(url);
  await expect.poll(() => decided.length).toBe(2);
  const { apis } = world();
  reload(readWorld({ apis, keys: { alice: { apis: ["orders"], rate: -1, per: 1 } } }));
  expect(await send(url).response).toMatchObject({ status: 200 });
  expect([await first.response, await waiting.response]).toMatchObject([
    { status: 200 },
    { status: 200 },
  ]);
});
