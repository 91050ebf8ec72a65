import { createServer, request as send, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import type { LimiterEvent } from "#src/limiter/core/events.ts";
import { readConfiguration } from "#src/limiter/world/read.ts";
import { micros } from "#src/kit/units.ts";
import {
  serveGateway,
  type GatewayServer,
  type ServeOptions,
} from "#src/gateway/http/gateway.node.ts";

const WORLD = {
  apis: { orders: { listen: "/orders" }, notes: { listen: "/notes" } },
  keys: {
    alice: { apis: ["orders"], rate: 2, per: 60 },
    patient: { apis: ["notes"], rate: 1, per: 1, throttle_interval: 0.5, throttle_retry_limit: 4 },
  },
};

const open: { readonly close: () => unknown }[] = [];
afterEach(async () => {
  for (const { close } of open.splice(0)) await close();
});

async function upstream(
  answer: (
    from: IncomingMessage,
    body: string,
  ) => readonly [number, Record<string, string | string[]>, string],
): Promise<URL> {
  const server: Server = createServer((from, to) => {
    let body = "";
    from.setEncoding("utf8");
    from.on("data", (chunk: string) => (body += chunk));
    from.on("end", () => {
      const [status, headers, text] = answer(from, body);
      to.writeHead(status, headers);
      to.end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push({ close: () => (server.closeAllConnections(), server.close()) });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

async function serveTo(
  to: URL | null,
  emit: (event: LimiterEvent) => void = () => {},
  more: Partial<ServeOptions> = {},
): Promise<GatewayServer> {
  const { configuration, problems } = readConfiguration(WORLD);
  if (configuration === null) throw new Error(JSON.stringify(problems));
  const server = await serveGateway({
    configuration,
    upstream: to,
    host: "127.0.0.1",
    port: 0,
    store: null,
    observer: { onEvent: emit, onExchange: null },
    ...more,
  });
  open.push({ close: server.stop });
  return server;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

/** By node:http, because fetch sends no header of a single connection and tidies paths by itself. */
const request = (
  url: URL,
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
  body?: string,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const onward = send(
      { host: url.hostname, port: url.port, path, method, headers, agent: false },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (chunk: string) => (text += chunk));
        answer.on("end", () =>
          resolve({ status: answer.statusCode!, headers: answer.headers, text }),
        );
      },
    );
    onward.on("error", reject);
    onward.end(body);
  });

test("the third request of two a minute is refused, with the reason and when to come back", async () => {
  const events: LimiterEvent[] = [];
  const { url } = await serveTo(null, (event) => events.push(event));
  const answers = [];
  for (let i = 0; i < 3; i++)
    answers.push(await request(url, "/orders", { authorization: "alice" }));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect(answers.map(({ headers }) => headers["x-ratelimit-remaining"])).toEqual(["1", "0", "0"]);
  const last = answers[2]!;
  expect(JSON.parse(last.text)).toEqual({ error: "Rate Limit Exceeded" });
  expect(last.headers["content-type"]).toBe("application/json");
  expect(Number(last.headers["retry-after"])).toBeGreaterThan(58);
  expect(Number(last.headers["retry-after"])).toBeLessThanOrEqual(60);
  expect(events.map(({ event, key }) => [event, key])).toEqual([["RatelimitExceeded", "alice"]]);
});

test.each([
  ["no credential", "/orders", {}, 401],
  ["an unknown one", "/orders", { authorization: "mallory" }, 403],
  ["one in Authorization", "/orders", { authorization: "alice" }, 200],
  ["a bearer token", "/orders", { authorization: "Bearer alice" }, 200],
  ["one in X-API-Key", "/orders", { "x-api-key": "alice" }, 200],
  ["a path that hides a slash", "/orders%2f1", { authorization: "alice" }, 400],
  ["a path that nothing listens on", "/elsewhere", { authorization: "alice" }, 404],
])("%s is answered by its status", async (_, path, headers: Record<string, string>, status) => {
  const { url } = await serveTo(null);
  expect((await request(url, path, headers)).status).toBe(status);
});

test("an admitted request goes on with its normalised path, query, body and its own headers alone", async () => {
  const to = await upstream((from, body) => [
    201,
    {
      "content-type": "text/plain",
      "set-cookie": ["a=1", "b=2"],
      connection: "x-hop",
      "x-hop": "here",
      "x-own": "kept",
    },
    `${from.method} ${from.url} ${body} ${JSON.stringify(from.headers)}`,
  ]);
  const { url } = await serveTo(to);
  const headers = {
    authorization: "alice",
    "x-mine": "kept",
    connection: "close, x-once",
    "x-once": "gone",
    te: "trailers",
  };
  const {
    status,
    text,
    headers: back,
  } = await request(url, "/orders/../orders//7?x=%2f#", headers, "POST", "hello");
  expect(status).toBe(201);
  expect(text).toContain("POST /orders/7?x=%2f hello");
  const seen = JSON.parse(text.slice(text.indexOf("{"))) as Record<string, string>;
  expect(seen).toMatchObject({ "x-mine": "kept", host: to.host, "content-length": "5" });
  expect(Object.keys(seen)).not.toEqual(expect.arrayContaining(["authorization"]));
  expect([seen["x-once"], seen["te"]]).toEqual([undefined, undefined]);
  expect(back).toMatchObject({
    "x-own": "kept",
    "set-cookie": ["a=1", "b=2"],
    "x-ratelimit-limit": "2",
  });
  expect(back["x-hop"]).toBeUndefined();
});

test("limits of the upstream are not forwarded, its Retry-After is", async () => {
  const to = await upstream(() => [
    503,
    {
      "X-RateLimit-Limit": "1000",
      "x-ratelimit-reset": "7",
      RateLimit: '"own";r=999',
      "RateLimit-Policy": '"own";q=1000',
      "Retry-After": "5",
    },
    "busy",
  ]);
  const { url } = await serveTo(to);
  const { headers } = await request(url, "/orders", { authorization: "alice" });
  expect(headers).toMatchObject({ "x-ratelimit-limit": "2", "retry-after": "5" });
  expect([headers["ratelimit"], headers["ratelimit-policy"]]).toEqual([undefined, undefined]);
  expect(headers["x-ratelimit-reset"]).not.toContain("7,");
});

test("a refused request does not reach the upstream", async () => {
  let seen = 0;
  const { url } = await serveTo(await upstream(() => [++seen && 200, {}, ""]));
  for (let i = 0; i < 5; i++) await request(url, "/orders", { authorization: "alice" });
  expect(seen).toBe(2);
});

test("an upstream that is away makes a 502, and what was spent stays spent", async () => {
  const gone = await upstream(() => [200, {}, ""]);
  await open.pop()!.close();
  const { url } = await serveTo(gone);
  const answers = [];
  for (let i = 0; i < 3; i++)
    answers.push(await request(url, "/orders", { authorization: "alice" }));
  expect(answers.map(({ status }) => status)).toEqual([502, 502, 429]);
  expect(JSON.parse(answers[0]!.text)).toEqual({ error: "The upstream does not answer" });
});

test("a throttled request waits and passes (LIM-C9)", async () => {
  const { url, gateway } = await serveTo(null);
  const both = await Promise.all(
    [1, 2].map(() => request(url, "/notes", { authorization: "patient" })),
  );
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  expect(gateway.waiting).toBe(0);
});

/** Responds when `answer` is called. */
async function slowUpstream(): Promise<{ url: URL; arrived: Promise<void>; answer: () => void }> {
  let arrive!: () => void;
  let answer!: () => void;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const server = createServer((_, to) => {
    answer = () => to.end("done");
    arrive();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push({ close: () => (server.closeAllConnections(), server.close()) });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return { url, arrived, answer: () => answer() };
}

test("a gateway that drains finishes what is running and takes nothing new", async () => {
  const slow = await slowUpstream();
  const { url, drain } = await serveTo(slow.url);
  const running = request(url, "/orders", { authorization: "alice" });
  await slow.arrived;
  const drained = drain();
  await expect(request(url, "/orders", { authorization: "alice" })).rejects.toThrow("ECONNREFUSED");
  slow.answer();
  expect(await running).toMatchObject({ status: 200, text: "done" });
  await drained;
});

test("a gateway that is stopped breaks off what is running, also while it drains", async () => {
  const slow = await slowUpstream();
  const { url, drain, stop } = await serveTo(slow.url);
  const running = request(url, "/orders", { authorization: "alice" });
  await slow.arrived;
  const drained = drain();
  await Promise.all([expect(running).rejects.toThrow("socket hang up"), stop(), drained]);
});

test("a gateway that drains for too long stops", async () => {
  const slow = await slowUpstream();
  const { url, drain } = await serveTo(slow.url, () => {}, {
    wire: { drainTimeoutUs: micros(50_000) },
  });
  const running = request(url, "/orders", { authorization: "alice" });
  await slow.arrived;
  await Promise.all([expect(running).rejects.toThrow("socket hang up"), drain()]);
});

test("a new configuration governs the next request, and what was spent stays spent", async () => {
  const slow = await slowUpstream();
  const { url, reload } = await serveTo(slow.url);
  const running = request(url, "/orders", { authorization: "alice" });
  await slow.arrived;
  const { keys, apis } = WORLD;
  const next = readConfiguration({ apis, keys: { ...keys, alice: { ...keys.alice, rate: 1 } } });
  reload(next.configuration!);
  expect((await request(url, "/orders", { authorization: "alice" })).status).toBe(429);
  slow.answer();
  expect((await running).status).toBe(200);
});
