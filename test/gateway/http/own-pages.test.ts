import { afterEach, expect, test } from "vitest";
import { readConfiguration } from "#src/limiter/world/read.ts";
import { type StoreResult, emptyReply } from "#src/limiter/core/store.ts";
import { micros } from "#src/kit/units.ts";
import { serveGateway, type GatewayServer } from "#src/gateway/http/gateway.node.ts";
import { type Exchange, combineObservers } from "#src/gateway/http/observer.ts";
import { answerPage } from "#src/gateway/http/own-pages.node.ts";
import { readinessOf } from "#src/gateway/http/readiness.node.ts";

const open: GatewayServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.stop();
});

async function serveWith(
  gateway: object = {},
  answer: (() => StoreResult) | null = null,
  more: Partial<Parameters<typeof serveGateway>[0]> = {},
): Promise<GatewayServer> {
  const { configuration } = readConfiguration({
    apis: { all: { listen: "/", keyless: true, rate: 1, per: 60 } },
    gateway,
  });
  const server = await serveGateway({
    configuration: configuration!,
    upstream: null,
    host: "127.0.0.1",
    port: 0,
    store:
      answer === null
        ? null
        : {
            send: (_op, _us, receive) => void setImmediate(() => receive(answer())),
            close: async () => {},
          },
    observer: { onEvent: () => {}, onExchange: null },
    ...more,
  });
  open.push(server);
  return server;
}

const get = async ({ url }: GatewayServer, path: string, init: RequestInit = {}) => {
  const answer = await fetch(new URL(path, url), init);
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? null : (JSON.parse(text) as unknown) };
};

test("the gateway lives: before every API, and without spending", async () => {
  const server = await serveWith();
  for (const path of ["/hello", "/hello?x=1"])
    expect(await get(server, path)).toEqual({ status: 200, body: { status: "ok" } });
  expect(await get(server, "/hello", { method: "HEAD" })).toEqual({ status: 200, body: null });
  expect((await get(server, "/hello", { method: "POST" })).status).toBe(405);
  expect((await get(server, "/anything")).status).toBe(200); // the one of its minute
  expect((await get(server, "/hello/")).status).toBe(429); // another path is an API's
  expect((await get(server, "/hello")).status).toBe(200);
});

test("a gateway that counts in memory is ready", async () => {
  expect(await get(await serveWith(), "/ready")).toEqual({
    status: 200,
    body: { status: "ready", reason: null, store: "memory", gateways: 1 },
  });
});

test.each([
  ["that answers", {}, emptyReply(), 200, "answers", null],
  ["that is away, with a share that is known", { expected_gateways: 2 }, null, 200, "away", null],
  ["that was never reached", {}, null, 503, "away", "the store was never reached"],
  ["that is away, all allowed", { on_store_error: "allow" }, null, 200, "away", null],
  ["that is away, none allowed", { on_store_error: "deny" }, null, 503, "away", "is deny"],
])("a store elsewhere %s", async (_, options, reply, status, store, reason) => {
  const server = await serveWith(options, () => reply ?? { failed: "error" });
  const found = await get(server, "/ready");
  expect(found.status).toBe(status);
  expect(found.body).toMatchObject({ store });
  const stated = (found.body as { readonly reason: string | null }).reason;
  expect(stated ?? "ready").toContain(reason ?? "ready");
});

test("the store gets one operation, however many requests for /ready arrive within a second", async () => {
  let operations = 0;
  let nowUs = 1e15;
  const server = await serveWith({}, () => (operations++, emptyReply()), {
    clock: () => micros(nowUs),
  });
  await Promise.all([get(server, "/ready"), get(server, "/ready"), get(server, "/ready")]);
  await get(server, "/ready");
  expect(operations).toBe(1);
  nowUs += 1e6;
  await get(server, "/ready");
  expect(operations).toBe(2);
});

test("a gateway has more pages if it is given some", async () => {
  const server = await serveWith({}, null, {
    pages: new Map([["/more", (from, to) => answerPage(from, to, 200, '"more"')]]),
  });
  expect(await get(server, "/more")).toEqual({ status: 200, body: "more" });
  expect([...server.pages.keys()]).toEqual(["/hello", "/ready", "/more"]);
});

test("an observer gets decisions, exchanges and store replies, and none of the gateway's own pages", async () => {
  const observed: string[] = [];
  const exchanges: Exchange[] = [];
  const server = await serveWith({}, () => emptyReply(), {
    observer: combineObservers([
      { onEvent: ({ event }) => void observed.push(event), onExchange: null },
      {
        onEvent: () => {},
        onDecision: ({ refused }) => void observed.push(`decided ${refused?.status ?? 200}`),
        onExchange: (exchange) => void exchanges.push(exchange),
        onStoreReply: (us, failed) => void observed.push(`asked ${failed ?? us >= 0}`),
      },
    ]),
  });
  await get(server, "/hello");
  await get(server, "/a", { headers: { "X-Request-Id": "r1" } });
  expect(observed).toEqual(["asked true", "decided 200"]);
  await expect.poll(() => exchanges).toHaveLength(1);
  const { bytesSent, ...rest } = exchanges[0]!;
  expect(rest).toMatchObject({
    status: 200,
    requestId: "r1",
    clientAddress: "127.0.0.1",
    upstreamUs: -1,
    isWhole: true,
  });
  expect(bytesSent).toBeGreaterThan(50);
});

test("a gateway that drains gets no more requests", async () => {
  const { gateway } = await serveWith();
  expect(readinessOf(gateway, false, false, true)).toMatchObject({
    isReady: false,
    reason: "draining",
  });
});
