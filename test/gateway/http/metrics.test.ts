import { afterEach, describe, expect, test } from "vitest";
import { readConfiguration } from "#src/limiter/world/read.ts";
import { emptyReply } from "#src/limiter/core/store.ts";
import { micros } from "#src/kit/units.ts";
import {
  serveGateway,
  type GatewayServer,
  type ServeOptions,
} from "#src/gateway/http/gateway.node.ts";
import { metricsPage } from "#src/gateway/http/metrics-page.node.ts";
import { metrics, metricsOf } from "#src/gateway/http/metrics.node.ts";
import {
  countTime,
  extremesAt,
  kindAt,
  kindOf,
  newExtremes,
  newTimes,
  recordExtreme,
} from "#src/gateway/http/metric-counts.ts";
import { levelOf } from "#src/limiter/core/select.ts";
import { ALGORITHMS } from "#src/limiter/core/algorithms.ts";
import { limitOf } from "#src/limiter/core/limit.ts";
import { configurationOf } from "../../limiter/core/limiters.ts";
import { message, readWorld, speak } from "./wire.ts";

const open: GatewayServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.stop();
});

const WORLD = {
  apis: {
    orders: {
      listen: "/orders",
      endpoints: [{ path: "/trial", method: "GET", rate: 1, per: 60, shadow: true }],
    },
  },
  keys: {
    alice: { apis: ["orders"], rate: 5, per: 60 },
    smooth: {
      apis: ["orders"],
      rate: 9,
      per: 60,
      smoothing: { enabled: true, threshold: 4, step: 1, trigger: 0.5, delay: 1 },
    },
  },
  gateway: { algorithm: "sliding_log" },
};

async function serveMeasured(more: Partial<ServeOptions> = {}) {
  const measured = metrics({ ofProcess: false });
  const server = await serveGateway({
    configuration: readConfiguration(WORLD).configuration!,
    upstream: null,
    host: "127.0.0.1",
    port: 0,
    store: null,
    observer: measured.observer,
    ...more,
  });
  measured.watch(server.gateway, server.memorySize);
  open.push(server);
  const send = async (path: string, credential = "alice"): Promise<number> => {
    const answer = await fetch(new URL(path, server.url), {
      headers: { Authorization: credential },
    });
    await answer.text();
    return answer.status;
  };
  /** Names with their labels, and values. */
  const read = async (): Promise<Record<string, number>> => {
    const lines = (await measured.text()).split("\n").filter((line) => line.startsWith("weir_"));
    return Object.fromEntries(
      lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]),
    );
  };
  return { measured, server, send, read };
}

test("decisions by algorithm, level and outcome, and what came near its limit", async () => {
  const { send, read } = await serveMeasured();
  for (let i = 0; i < 7; i++) await send("/orders");
  const found = await read();
  const kind = 'algorithm="sliding_log",level="key"';
  expect(found[`weir_decisions_total{${kind},outcome="admitted"}`]).toBe(5);
  expect(found[`weir_decisions_total{${kind},outcome="refused"}`]).toBe(2);
  expect(found[`weir_near_limit_total{${kind}}`]).toBe(2); // the fourth leaves 1 of 5, the fifth none
  expect(found['weir_events_total{event="RatelimitExceeded"}']).toBe(2);
  expect(found["weir_gateways"]).toBe(1);
  expect(found["weir_throttled_requests"]).toBe(0);
});

test("delayed requests are counted, near their limit too, and while they wait (ALG-C10)", async () => {
  const { send, read } = await serveMeasured({
    configuration: readWorld({
      apis: { orders: { listen: "/orders" } },
      keys: { alice: { apis: ["orders"], rate: 5, per: 1 } },
      gateway: { algorithm: "leaky_bucket", queue: 2 },
    }),
  });
  const sent = [1, 2, 3, 4].map(() => send("/orders"));
  const waiting = async (): Promise<number | undefined> => (await read())["weir_delayed_requests"];
  await expect.poll(waiting, { interval: 5 }).toBe(2);
  expect((await Promise.all(sent)).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 429]);
  const found = await read();
  const kind = 'algorithm="leaky_bucket",level="key"';
  expect(found["weir_delayed_requests"]).toBe(0);
  expect(found[`weir_decisions_total{${kind},outcome="admitted"}`]).toBe(1);
  expect(found[`weir_decisions_total{${kind},outcome="delayed"}`]).toBe(2);
  expect(found[`weir_decisions_total{${kind},outcome="refused"}`]).toBe(1);
  expect(found[`weir_near_limit_total{${kind}}`]).toBe(2); // those that leave 1 and 0 places of 5
});

test("requests by API and status, those of no API among them", async () => {
  const { send, read } = await serveMeasured();
  await send("/orders");
  await send("/nothing");
  await send("/orders", "mallory");
  const found = await read();
  expect(found['weir_requests_total{api="orders",status="200"}']).toBe(1);
  expect(found['weir_requests_total{api="orders",status="403"}']).toBe(1);
  expect(found['weir_requests_total{api="none",status="404"}']).toBe(1);
});

test("shadows and allowances", async () => {
  const { send, read } = await serveMeasured();
  for (let i = 0; i < 3; i++) await send("/orders/trial", "smooth");
  const found = await read();
  const kind = 'algorithm="sliding_log",level="api-endpoint"';
  expect(found[`weir_shadow_decisions_total{${kind},outcome="admitted"}`]).toBe(1);
  expect(found[`weir_shadow_decisions_total{${kind},outcome="would_refuse"}`]).toBe(2);
  expect(found['weir_events_total{event="ShadowLimitExceeded"}']).toBe(2);
  expect(found['weir_allowance_lowest{api="orders"}']).toBe(4);
  expect(found['weir_allowance_highest{api="orders"}']).toBeGreaterThanOrEqual(4);
});

test("deliveries to webhooks, if there are records", async () => {
  const measured = metrics({ ofProcess: false });
  expect(await measured.text()).not.toContain("webhook");
  measured.watchWebhooks({ delivered: 5, failed: 3, dead: 1, lost: 2 });
  const found = (await measured.text())
    .split("\n")
    .filter((line) => line.startsWith("weir_webhook"));
  expect(found).toEqual([
    'weir_webhook_deliveries_total{outcome="delivered"} 5',
    'weir_webhook_deliveries_total{outcome="failed"} 3',
    'weir_webhook_deliveries_total{outcome="dead"} 1',
    "weir_webhook_events_lost_total 2",
  ]);
});

test("a store elsewhere: how long it takes, how often it fails, whether it is there", async () => {
  let fails = false;
  const { send, read } = await serveMeasured({
    store: {
      send: (_op, _us, receive) =>
        void setImmediate(() => receive(fails ? { failed: "timeout" } : { ...emptyReply() })),
      close: async () => {},
      isSplit: false,
    },
  });
  await send("/orders");
  const up = await read();
  expect(up["weir_store_seconds_count"]).toBeGreaterThanOrEqual(1);
  expect(up['weir_store_seconds_bucket{le="+Inf"}']).toBe(up["weir_store_seconds_count"]);
  expect(up["weir_store_up"]).toBe(1);
  fails = true;
  await send("/orders");
  const down = await read();
  expect(down['weir_store_failures_total{failure="timeout"}']).toBeGreaterThanOrEqual(1);
  expect(down["weir_store_up"]).toBe(0);
  expect(down["weir_decisions_without_store_total"]).toBe(1);
});

test("the budgets in memory: one for each key, and each timestamp of its log", async () => {
  const { send, read } = await serveMeasured();
  for (let i = 0; i < 3; i++) await send("/orders");
  expect(await read()).toMatchObject({ weir_memory_budgets: 1, weir_memory_entries: 3 });
});

test("how long the upstream takes", async () => {
  const upstream = await serveMeasured();
  const { send, read } = await serveMeasured({ upstream: upstream.server.url });
  expect(await send("/orders")).toBe(401); // the upstream requires a key, which is not forwarded
  const found = await read();
  expect(found['weir_upstream_seconds_count{api="orders"}']).toBe(1);
  expect(found['weir_requests_total{api="orders",status="401"}']).toBe(1);
});

test("no label grows with keys, and no credential is in any line", async () => {
  const { send, measured } = await serveMeasured();
  await send("/orders");
  await send("/orders", "somebody-elses-secret");
  const text = await measured.text();
  expect(text).not.toMatch(/alice|secret/);
});

test("several gateways add up, and the fleet is no sum", async () => {
  const [one, two] = [await serveMeasured(), await serveMeasured()];
  await one.send("/orders");
  await two.send("/orders");
  const text = await metricsOf([await one.measured.parts(), await two.measured.parts()]);
  expect(text).toContain('weir_requests_total{api="orders",status="200"} 2');
  expect(text).toMatch(/^weir_gateways 1$/m);
  expect(text).toMatch(/^weir_store_seconds_count 0$/m);
});

test("metrics of the process come with the others", async () => {
  expect(await metrics().text()).toMatch(/^process_resident_memory_bytes \d/m);
});

describe("the page", () => {
  const readPage = async (access: "loopback" | "everyone", host: string) => {
    const pages = new Map([["/metrics", metricsPage(() => Promise.resolve("weir 1\n"), access)]]);
    const { server } = await serveMeasured({ pages, host });
    return fetch(new URL("/metrics", server.url));
  };

  test.each(["loopback", "everyone"] as const)("%s reads it from this machine", async (access) => {
    const answer = await readPage(access, "127.0.0.1");
    expect([answer.status, await answer.text()]).toEqual([200, "weir 1\n"]);
    expect(answer.headers.get("content-type")).toContain("version=0.0.4");
  });

  test("metrics that cannot be read are a 503 without an internal text", async () => {
    const page = metricsPage(() => Promise.reject(new Error("inner")), "everyone");
    const { server } = await serveMeasured({ pages: new Map([["/metrics", page]]) });
    const answer = await fetch(new URL("/metrics", server.url));
    expect([answer.status, await answer.text()]).toEqual([
      503,
      '{"error":"Metrics cannot be read now"}',
    ]);
  });
});

test("a pipeline of scrapes is answered whole, and costs few of them", async () => {
  const SCRAPES = 1_000;
  let written = 0;
  const text = () => Promise.resolve(`weir ${++written}\n`);
  const { server } = await serveMeasured({
    pages: new Map([["/metrics", metricsPage(text, "everyone")]]),
  });
  const scrapes = message("GET /metrics HTTP/1.1", "Host: localhost").repeat(SCRAPES);
  const last = message("GET /hello HTTP/1.1", "Host: localhost", "Connection: close");
  const { text: answers } = await speak(server.url, scrapes + last);
  expect(answers.match(/^weir \d+$/gm)).toHaveLength(SCRAPES);
  expect(written).toBeLessThan(SCRAPES / 4);
});

describe("what they are made of", () => {
  test("each algorithm and level has a place of its own", () => {
    const { options } = configurationOf({});
    const scopes = ["api", "api-endpoint", "key", "key-api", "key-endpoint"] as const;
    const seen = new Set<number>();
    for (const algorithm of ALGORITHMS)
      for (const scope of scopes) {
        const budget = { space: "", scope, limit: limitOf(1, 1), because: [] };
        const level = levelOf({ ...options, algorithm }, budget, 1);
        seen.add(kindOf(level));
        expect(kindAt(kindOf(level))).toEqual({ algorithm, level: scope });
      }
    expect(seen.size).toBe(ALGORITHMS.length * scopes.length);
    expect(kindAt(kindOf(null))).toEqual({ algorithm: "none", level: "none" });
  });

  test("a time counts up to its bound, the bound included", () => {
    const times = newTimes([0.001, 0.01]);
    for (const us of [1, 1_000, 1_001, 10_000, 10_001]) countTime(times, us);
    expect([...times.counts]).toEqual([2, 2, 1]);
    expect(times.sumUs).toBe(22_003);
  });

  test("extremes are remembered for half a minute at least, and for a whole one at most", () => {
    const extremes = newExtremes();
    const at = (seconds: number) => micros(seconds * 1e6);
    recordExtreme(extremes, 5, at(29));
    recordExtreme(extremes, 7, at(31));
    expect(extremesAt(extremes, at(59))).toEqual({ lowest: 5, highest: 7 });
    expect(extremesAt(extremes, at(61))).toEqual({ lowest: 7, highest: 7 });
    expect(extremesAt(extremes, at(200))).toBeNull();
  });
});
