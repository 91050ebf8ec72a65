// Clients that leave, or send a body, while their requests wait in a queue (ALG-C10): nothing of them is left, and each
// keeps its turn.
import { createServer } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { micros } from "#src/kit/units.ts";
import type { ServeOptions } from "#src/gateway/http/gateway.node.ts";
import type { RequestOutcome } from "#src/gateway/outcome.ts";
import { gatewayTo, message, statuses } from "./wire.ts";

const TURN_MS = 500;

/** One request leaves each turn, and one may wait. */
const world = (turnMs: number) => ({
  apis: { orders: { listen: "/orders" } },
  keys: { alice: { apis: ["orders"], rate: 1, per: turnMs / 1_000 } },
  gateway: { algorithm: "leaky_bucket", queue: 1 },
});

/** No turn comes during a test. */
const NO_TURN_MS = 600_000;

/** More than the gateway, its sockets and those of the client buffer. */
const LARGE_BYTES = 16 * 1024 * 1024;

interface Client {
  readonly socket: Socket;
  readonly text: () => string;
  readonly isClosed: () => boolean;
}

/** What of each request has arrived, by its path. */
async function countingUpstream() {
  const bytes = new Map<string, number>();
  const server = createServer((from, to) => {
    const path = from.url!;
    bytes.set(path, 0);
    from.on("data", (chunk: Buffer) => bytes.set(path, bytes.get(path)! + chunk.length));
    from.on("error", () => {});
    from.on("end", () => to.end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const bytesOf = (name: string): number | undefined => bytes.get(`/orders/${name}`);
  return { url: new URL(`http://127.0.0.1:${port}`), bytesOf };
}

async function serveQueue(turnMs = TURN_MS, wire: ServeOptions["wire"] = {}) {
  const upstream = await countingUpstream();
  const decided: RequestOutcome[] = [];
  const observer: ServeOptions["observer"] = {
    onEvent: () => {},
    onDecision: (outcome) => void decided.push(outcome),
    onExchange: null,
  };
  const server = await gatewayTo(upstream.url, wire, world(turnMs), new Map(), observer);
  const send = async (head: string, body = ""): Promise<Client> => {
    const before = decided.length;
    const socket = connect(Number(server.url.port), server.url.hostname);
    onTestFinished(() => void socket.destroy());
    let text = "";
    let isClosed = false;
    socket.on("data", (chunk) => (text += chunk.toString("latin1")));
    socket.on("error", () => {});
    socket.on("close", () => (isClosed = true));
    socket.write(head + body, "latin1");
    await expect.poll(() => decided.length, { interval: 5 }).toBe(before + 1);
    return { socket, text: () => text, isClosed: () => isClosed };
  };
  const get = (name: string): Promise<Client> => send(request(`GET /orders/${name}`));
  return { server, upstream, decided, send, get };
}

const request = (line: string, ...headers: readonly string[]): string =>
  message(`${line} HTTP/1.1`, "Host: a", "Authorization: alice", ...headers);
const post = (name: string, bytes: number, ...headers: readonly string[]): string =>
  request(`POST /orders/${name}`, `Content-Length: ${bytes}`, ...headers);

const afterTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2 * TURN_MS));

test("a client that leaves frees everything but its turn at once", async () => {
  const { server, upstream, get } = await serveQueue(NO_TURN_MS, { requestsInFlight: 1 });
  const first = await get("first");
  await expect.poll(() => statuses(first.text())).toEqual([200]);
  const waiting = await get("waiting");
  expect(server.gateway.delayed).toBe(1);
  waiting.socket.destroy();
  await expect.poll(() => server.gateway.delayed, { interval: 5 }).toBe(0);
  // The place among the requests in flight is free, and the one in the queue is not.
  const next = await get("next");
  await expect.poll(() => statuses(next.text())).toEqual([429]);
  expect(upstream.bytesOf("waiting")).toBeUndefined();
});

test("a body is read at the turn of its request, whole", async () => {
  const { upstream, get, send } = await serveQueue();
  await get("first");
  const body = "x".repeat(LARGE_BYTES);
  const waiting = await send(post("waiting", LARGE_BYTES), body);
  expect(waiting.socket.writableLength).toBeGreaterThan(0); // the gateway does not collect it
  expect(upstream.bytesOf("waiting")).toBeUndefined();
  await expect.poll(() => statuses(waiting.text()), { timeout: 10_000 }).toEqual([200]);
  expect(upstream.bytesOf("waiting")).toBe(LARGE_BYTES);
});

test("a client that leaves with an unread body is gone by its turn", async () => {
  const { server, upstream, get, send } = await serveQueue();
  await get("first");
  const waiting = await send(post("waiting", LARGE_BYTES), "x".repeat(LARGE_BYTES));
  waiting.socket.resetAndDestroy();
  await expect.poll(() => server.gateway.delayed, { timeout: 10_000 }).toBe(0);
  await afterTurn();
  expect(upstream.bytesOf("waiting") ?? 0).toBeLessThan(LARGE_BYTES);
  const last = await get("last");
  await expect.poll(() => statuses(last.text())).toEqual([200]);
});

test("a client that expects 100 gets it at its turn", async () => {
  const { server, get, send } = await serveQueue();
  await get("first");
  const waiting = await send(post("waiting", 2, "Expect: 100-continue"));
  expect([server.gateway.delayed, waiting.text()]).toEqual([1, ""]);
  await expect.poll(waiting.text).toMatch(/^HTTP\/1\.1 100 /);
  expect(server.gateway.delayed).toBe(0);
  waiting.socket.write("ok");
  await expect.poll(() => statuses(waiting.text())).toEqual([100, 200]);
});

test("the time in the queue is not the time of the exchange", async () => {
  const { get } = await serveQueue(TURN_MS, { exchangeTimeoutUs: micros(TURN_MS * 500) });
  await get("first");
  const waiting = await get("waiting");
  await expect.poll(() => statuses(waiting.text())).toEqual([200]);
});

test("a body that is unread for longer than a request may take gives 408, and nothing waits any more", async () => {
  const { server, upstream, get, send } = await serveQueue(NO_TURN_MS, {
    requestHeadersTimeoutUs: micros(200_000),
    requestTimeoutUs: micros(200_000),
  });
  await get("first");
  const waiting = await send(post("waiting", LARGE_BYTES), "x".repeat(LARGE_BYTES));
  await expect.poll(() => server.gateway.delayed, { timeout: 10_000 }).toBe(0);
  await expect.poll(() => statuses(waiting.text())).toEqual([408]);
  expect(upstream.bytesOf("waiting")).toBeUndefined();
});

test("a gateway that stops leaves no request waiting", async () => {
  const { server, upstream, get } = await serveQueue(NO_TURN_MS);
  await get("first");
  const waiting = await get("waiting");
  await server.stop();
  await expect.poll(() => server.gateway.delayed, { interval: 5 }).toBe(0);
  await expect.poll(waiting.isClosed).toBe(true);
  expect([waiting.text(), upstream.bytesOf("waiting")]).toEqual(["", undefined]);
});

test("a gateway that drains breaks off what waits longer than it drains", async () => {
  const { server, upstream, get } = await serveQueue(NO_TURN_MS, {
    drainTimeoutUs: micros(50_000),
  });
  await get("first");
  const waiting = await get("waiting");
  await server.drain();
  await expect.poll(() => server.gateway.delayed, { interval: 5 }).toBe(0);
  expect(waiting.text()).toBe("");
  expect(upstream.bytesOf("waiting")).toBeUndefined();
});
