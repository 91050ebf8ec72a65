// How long a client of upstreams waits: for a connection, a response, and another request.
import { once } from "node:events";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test, vi } from "vitest";
import type { ResponseControl, ResponseHandler } from "#src/gateway/upstream/exchange.node.ts";
import { message, rawUpstream } from "../http/wire.ts";
import { answer, GET, OK, poolTo, request, upstreamThat, whole, type Response } from "./pools.ts";

const GONE = new Error("gone");
const SILENT: ResponseHandler = {
  onRequestStart: () => {},
  onRequestSent: () => {},
  onResponseStart: () => {},
  onResponseData: () => {},
  onResponseEnd: () => {},
  onResponseError: () => {},
};

/** Listens, and blocks: the system accepts as many connections as wait at most, and drops what begins another one. */
const DEAF = `
  const { createServer } = require("node:net");
  const { parentPort } = require("node:worker_threads");
  const server = createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;

test("a connection that is not accepted in time fails, and its request was not sent", async () => {
  const worker = new Worker(DEAF, { eval: true });
  onTestFinished(() => void worker.terminate());
  const [port] = (await once(worker, "message")) as [number];
  const sockets = Array.from({ length: 4 }, () => connect(port, "127.0.0.1"));
  onTestFinished(() => sockets.forEach((socket) => socket.on("error", () => {}).destroy()));
  await Promise.all(sockets.slice(0, 2).map((socket) => once(socket, "connect")));
  await sleep(50);
  const url = new URL(`http://127.0.0.1:${port}`);
  const pool = poolTo({ url }, { connectTimeout: 100 });
  const body = Readable.from([Buffer.from("abc")]);
  expect(await request(pool, { method: "PUT", body })).toEqual({
    status: 0,
    body: "",
    failure: "UPSTREAM_CONNECT_TIMEOUT",
  });
});

test("a handshake that does not end in time fails as a connection does", async () => {
  const upstream = await rawUpstream(() => {});
  const url = new URL(upstream.url.href.replace("http:", "https:"));
  expect(await request(poolTo({ url }, { connectTimeout: 100 }))).toMatchObject({
    failure: "UPSTREAM_CONNECT_TIMEOUT",
  });
  expect(upstream.transcript()).not.toContain("GET");
});

test("a connection without a request is closed after four seconds, and sooner if its upstream closes sooner", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  for (const [lines, idleMs] of [
    [[], 4_000],
    [["Keep-Alive: timeout=3"], 1_000],
    [["Keep-Alive: timeout=100"], 98_000],
  ] as const) {
    const upstream = await rawUpstream((socket) =>
      socket.write(message(OK, ...lines, "Content-Length: 0")),
    );
    const pool = poolTo(upstream);
    expect(await request(pool)).toEqual(whole(""));
    vi.advanceTimersByTime(idleMs - 100);
    expect(await request(pool)).toEqual(whole(""));
    vi.advanceTimersByTime(idleMs - 100); // the second request began it anew
    await sleep(20);
    expect(upstream.sockets.map(({ destroyed }) => destroyed)).toEqual([false]);
    vi.advanceTimersByTime(700);
    await expect.poll(() => upstream.sockets[0]!.destroyed).toBe(true);
  }
});

test("the time of a client that sends slowly is not its upstream's", async () => {
  const upstream = await rawUpstream((socket, received) => {
    if (received.endsWith("0\r\n\r\n")) socket.write(answer("a"));
  });
  const body = new Readable({ read: () => {} });
  body.push("abc");
  const response = request(poolTo(upstream, { headersTimeout: 50 }), { method: "POST", body });
  await sleep(300);
  body.push(null);
  expect(await response).toEqual(whole("a"));
});

test("nor is it while an upstream has begun to respond", async () => {
  const upstream = await rawUpstream((socket, received) => {
    if (received.endsWith("0\r\n\r\n")) socket.write("a");
    else if (received.includes("abc")) socket.write(message(OK, "Content-Length: 1"));
  });
  const body = new Readable({ read: () => {} });
  body.push("abc");
  const response = request(poolTo(upstream, { bodyTimeout: 50 }), { method: "POST", body });
  await sleep(300);
  body.push(null);
  expect(await response).toEqual(whole("a"));
});

test("a request whose client has left keeps no body while no connection is free", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const upstream = await rawUpstream((socket) => socket.write(`${message(OK)}a`));
  const pool = poolTo(upstream, { headersTimeout: 50 });
  // Nothing is read, so its time does not end.
  pool.dispatch(GET, { ...SILENT, onResponseStart: (control) => control.pause() });
  const left = ((): WeakRef<Buffer> => {
    const body = Buffer.alloc(1_024);
    const abort = (control: ResponseControl): unknown => setTimeout(() => control.abort(GONE), 20);
    pool.dispatch({ ...GET, body }, { ...SILENT, onRequestStart: abort });
    return new WeakRef(body);
  })();
  const isCollected = (): boolean => {
    collect();
    return left.deref() === undefined;
  };
  await sleep(0); // a reference is kept until its turn is over
  expect(isCollected()).toBe(false);
  await expect.poll(isCollected).toBe(true);
});

test("an upstream that does not read a body has to respond in time", async () => {
  const upstream = await rawUpstream((socket) => socket.pause());
  const body = new Readable({ read: () => void body.push(Buffer.alloc(65_536)) });
  const response = request(poolTo(upstream, { headersTimeout: 200 }), { method: "POST", body });
  expect(await response).toMatchObject({ failure: "UPSTREAM_HEADERS_TIMEOUT" });
  expect(body.destroyed).toBe(true);
});

test.each<[string, string, Response]>([
  ["headers", "", { status: 0, body: "", failure: "UPSTREAM_HEADERS_TIMEOUT" }],
  [
    "a body",
    `${message(OK, "Content-Length: 2")}a`,
    { status: 200, body: "a", failure: "UPSTREAM_BODY_TIMEOUT" },
  ],
])("%s that do not arrive in time fail", async (_, text, response) => {
  const upstream = await upstreamThat((socket) => socket.write(text));
  const pool = poolTo(upstream, { headersTimeout: 50, bodyTimeout: 50 });
  expect(await request(pool)).toEqual(response);
});

test("time passes for no body while nothing is read", async () => {
  const upstream = await upstreamThat((socket) => {
    socket.write(`${message(OK, "Content-Length: 2")}a`);
    setTimeout(() => socket.write("b"), 20);
  });
  const pool = poolTo(upstream, { bodyTimeout: 40 });
  const received = new Promise<string>((resolve) => {
    let body = "";
    pool.dispatch(GET, {
      onRequestStart: () => {},
      onRequestSent: () => {},
      onResponseStart: (control) => {
        control.pause();
        setTimeout(() => control.resume(), 200);
      },
      onResponseData: (_, chunk) => (body += chunk.toString()),
      onResponseEnd: () => resolve(body),
      onResponseError: (_, error) => resolve(error.message),
    });
  });
  expect(await received).toBe("ab");
});

test("a connection is given up before its upstream does", async () => {
  const upstream = await rawUpstream((socket) =>
    socket.write(message(OK, "Keep-Alive: timeout=2", "Content-Length: 0")),
  );
  expect(await request(poolTo(upstream))).toEqual(whole(""));
  await expect.poll(() => upstream.sockets[0]!.destroyed).toBe(true);
});
