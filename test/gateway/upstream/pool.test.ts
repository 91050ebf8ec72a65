// A client of upstreams that do not behave, on sockets of this machine.
import { Readable } from "node:stream";
import type { Socket } from "node:net";
import { onTestFinished, expect, test } from "vitest";
import {
  UpstreamExchange,
  type ResponseControl,
  type UpstreamRequest,
} from "../../../src/gateway/upstream/exchange.node.ts";
import { ConnectionPool, type PoolOptions } from "../../../src/gateway/upstream/pool.node.ts";
import { message, rawUpstream, type RawUpstream } from "../http/wire.ts";

interface Response {
  readonly status: number;
  readonly body: string;
  readonly failure: string | null;
}

const GET: UpstreamRequest = { method: "GET", path: "/", headers: [], body: null };

function request(
  pool: ConnectionPool,
  request: Partial<UpstreamRequest> = {},
  onControl: (control: ResponseControl) => void = () => {},
): Promise<Response> {
  return new Promise((resolve) => {
    let [status, body] = [0, ""];
    pool.dispatch(
      { ...GET, ...request },
      {
        onRequestStart: onControl,
        onRequestSent: () => {},
        onResponseStart: (_, got) => (status = got),
        onResponseData: (_, chunk) => (body += chunk.toString("latin1")),
        onResponseEnd: () => resolve({ status, body, failure: null }),
        onResponseError: (_, error) =>
          resolve({ status, body, failure: "code" in error ? String(error.code) : error.message }),
      },
    );
  });
}

function poolTo({ url }: RawUpstream, options: Partial<PoolOptions> = {}): ConnectionPool {
  const pool = new ConnectionPool(url.origin, {
    connections: 1,
    connectTimeout: 5_000,
    headersTimeout: 5_000,
    bodyTimeout: 5_000,
    ...options,
  });
  onTestFinished(() => pool.destroy());
  return pool;
}

const OK = "HTTP/1.1 200 OK";
const answer = (body: string): string => message(OK, `Content-Length: ${body.length}`) + body;
const whole = (body: string): Response => ({ status: 200, body, failure: null });

/** Responds to the first request as `first` does, and to each further one with the number of its connection. */
async function upstreamThat(first: (socket: Socket) => void): Promise<RawUpstream> {
  let requests = 0;
  const upstream: RawUpstream = await rawUpstream((socket) => {
    if (requests++ === 0) first(socket);
    else socket.write(answer(`connection ${upstream.sockets.indexOf(socket) + 1}`));
  });
  return upstream;
}

test("a connection is used again after a whole response", async () => {
  const upstream = await upstreamThat((socket) => socket.write(answer("a")));
  const pool = poolTo(upstream);
  expect(await request(pool)).toEqual(whole("a"));
  expect(await request(pool)).toEqual(whole("connection 1"));
});

const POISON = answer("of another client");

test.each<[string, string, string, Response]>([
  ["in the same piece", answer("a") + POISON, "", whole("a")],
  ["a moment later", answer("a"), POISON, whole("a")],
  ["after chunks", `${message(OK, "Transfer-Encoding: chunked")}0\r\n\r\n`, POISON, whole("")],
  ["after 304", message("HTTP/1.1 304 Not Modified"), POISON, { ...whole(""), status: 304 }],
  [
    "after a close that is announced",
    message(OK, "Connection: close", "Content-Length: 0"),
    POISON,
    whole(""),
  ],
])("bytes that follow a response %s answer no other request", async (_, text, later, first) => {
  const upstream = await upstreamThat((socket) => {
    socket.write(text);
    if (later !== "") setImmediate(() => socket.write(later));
  });
  const pool = poolTo(upstream);
  expect(await request(pool)).toEqual(first);
  const [second, third] = await Promise.all([request(pool), request(pool)]);
  expect([second, third]).toEqual([whole("connection 2"), whole("connection 2")]);
});

test("bytes on an idle connection close it", async () => {
  // It would be kept for longer than this test waits.
  const long = message(OK, "Keep-Alive: timeout=600", "Content-Length: 0");
  const upstream = await upstreamThat((socket) => socket.write(long));
  const pool = poolTo(upstream);
  await request(pool);
  upstream.sockets[0]!.write(POISON);
  await expect.poll(() => upstream.sockets[0]!.destroyed).toBe(true);
  expect(await request(pool)).toEqual(whole("connection 2"));
});

test.each<[string, Partial<UpstreamRequest>]>([
  ["HEAD", { method: "HEAD" }],
  ["GET with a body", { body: Buffer.from("abc") }],
])("a connection is not used again after %s", async (_, sent) => {
  const upstream = await upstreamThat((socket) => socket.write(message(OK, "Content-Length: 0")));
  const pool = poolTo(upstream);
  expect(await request(pool, sent)).toEqual(whole(""));
  expect(await request(pool)).toEqual(whole("connection 2"));
});

test("a malformed response fails, and the next request has another connection", async () => {
  const upstream = await upstreamThat((socket) =>
    socket.write(message(OK, "Content-Length: 1", "Content-Length: 2") + "ab"),
  );
  const pool = poolTo(upstream);
  expect(await request(pool)).toMatchObject({ status: 0, failure: "UPSTREAM_INVALID" });
  expect(await request(pool)).toEqual(whole("connection 2"));
});

test("the end of a connection ends a body without a length, and a reset breaks it off", async () => {
  const upstream = await rawUpstream((socket, received) => {
    socket.write(`${message(OK)}abc`, () => {
      if (received.includes("/end")) socket.end();
      else setTimeout(() => socket.resetAndDestroy(), 20);
    });
  });
  const pool = poolTo(upstream);
  expect(await request(pool, { path: "/end" })).toEqual(whole("abc"));
  expect(await request(pool, { path: "/reset" })).toEqual({
    ...whole("abc"),
    failure: "ECONNRESET",
  });
});

test("a half-closed connection gets no other request", async () => {
  const upstream = await upstreamThat((socket) => socket.end(answer("a")));
  const pool = poolTo(upstream);
  expect(await request(pool)).toEqual(whole("a"));
  expect(await request(pool)).toEqual(whole("connection 2"));
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

test("a chunk stays as it is, whatever arrives later", async () => {
  const upstream = await upstreamThat((socket) => {
    socket.write(`${message(OK, "Content-Length: 6")}abc`);
    setTimeout(() => socket.write("xyz"), 30);
  });
  const pool = poolTo(upstream);
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve, reject) =>
    pool.dispatch(GET, {
      onRequestStart: () => {},
      onRequestSent: () => {},
      onResponseStart: () => {},
      onResponseData: (_, chunk) => void chunks.push(chunk),
      onResponseEnd: resolve,
      onResponseError: (_, error) => reject(error),
    }),
  );
  await request(pool);
  expect(chunks.map(String)).toEqual(["abc", "xyz"]);
});

test("a connection whose response ended while it was paused is read on", async () => {
  const upstream = await upstreamThat((socket) => socket.write(answer("a")));
  const pool = poolTo(upstream);
  await new Promise<void>((resolve, reject) =>
    pool.dispatch(GET, {
      onRequestStart: () => {},
      onRequestSent: () => {},
      onResponseStart: () => {},
      onResponseData: (control) => control.pause(),
      onResponseEnd: resolve,
      onResponseError: (_, error) => reject(error),
    }),
  );
  expect(await request(pool)).toEqual(whole("connection 1"));
});

test("a control of a request that is over controls nothing", async () => {
  const upstream = await upstreamThat((socket) => socket.write(answer("a")));
  const pool = poolTo(upstream);
  let first: ResponseControl | null = null;
  await request(pool, {}, (control) => (first = control));
  const second = request(pool, {}, () => {
    first!.abort(new Error("late"));
    first!.pause();
  });
  expect(await second).toEqual(whole("connection 1"));
});

test("a request that is aborted while it waits is not sent, and its handler is not called", async () => {
  const upstream = await upstreamThat((socket) => setTimeout(() => socket.write(answer("a")), 30));
  const pool = poolTo(upstream);
  const first = request(pool);
  const silent = request(pool, { path: "/aborted" }, (control) =>
    setImmediate(() => control.abort(new Error("gone"))),
  );
  expect(await first).toEqual(whole("a"));
  expect(await request(pool)).toEqual(whole("connection 1"));
  expect(upstream.transcript()).not.toContain("/aborted");
  expect(await Promise.race([silent, Promise.resolve("nothing")])).toBe("nothing");
});

test("a handler that throws fails alone", async () => {
  const upstream = await upstreamThat((socket) => socket.write(answer("a")));
  const pool = poolTo(upstream);
  const failed = new Promise<Error>((resolve) =>
    pool.dispatch(GET, {
      onRequestStart: () => {},
      onRequestSent: () => {},
      onResponseStart: () => {
        throw new Error("of the handler");
      },
      onResponseData: () => {},
      onResponseEnd: () => {},
      onResponseError: (control, error) => {
        expect(control).toBeInstanceOf(UpstreamExchange);
        resolve(error);
      },
    }),
  );
  expect((await failed).message).toBe("of the handler");
  expect(await request(pool)).toEqual(whole("connection 2"));
});

const streamOf = (...chunks: readonly string[]): Readable =>
  Readable.from(chunks.map((chunk) => Buffer.from(chunk)));

test.each<[string, Partial<UpstreamRequest>, RegExp]>([
  [
    "chunks",
    { body: streamOf("abc", "", "d") },
    /transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n1\r\nd\r\n0\r\n\r\n$/,
  ],
  [
    "a length",
    { body: streamOf("ab", "c"), headers: ["Content-Length", "3"] },
    /content-length: 3\r\n\r\nabc$/,
  ],
  ["nothing", { body: streamOf() }, /content-length: 0\r\n\r\n$/],
  ["one piece", { body: Buffer.from("abc") }, /content-length: 3\r\n\r\nabc$/],
  ["no body", {}, /content-length: 0\r\n\r\n$/],
])("a body is sent as %s", async (_, sent, expected) => {
  const upstream: RawUpstream = await rawUpstream((socket, received) => {
    if (expected.test(received)) socket.write(answer("a"));
  });
  expect(await request(poolTo(upstream), { method: "POST", ...sent })).toEqual(whole("a"));
});

test.each([
  ["longer", streamOf("abcd")],
  ["shorter", streamOf("ab")],
])("of a body that is %s than declared no byte can become another request", async (_, body) => {
  const upstream = await rawUpstream(() => {});
  const sent = request(poolTo(upstream), {
    method: "POST",
    body,
    headers: ["Content-Length", "3"],
  });
  expect(await sent).toMatchObject({ failure: "UPSTREAM_INVALID" });
  expect(upstream.transcript()).not.toContain("abcd");
});

test("after a response to a body that is still being sent the connection is closed", async () => {
  const upstream = await upstreamThat((socket) => socket.write(answer("early")));
  const pool = poolTo(upstream);
  const body = new Readable({ read: () => {} });
  body.push("begin");
  expect(await request(pool, { method: "POST", body })).toEqual(whole("early"));
  expect(body.destroyed).toBe(true);
  expect(await request(pool)).toEqual(whole("connection 2"));
});

test("closing finishes what waits and takes nothing more; destroying breaks it off", async () => {
  const slow = (socket: Socket): unknown => setTimeout(() => socket.write(answer("a")), 30);
  const upstream = await rawUpstream(slow);
  const pool = poolTo(upstream);
  const both = [request(pool), request(pool)];
  pool.close();
  expect(await request(pool)).toMatchObject({ failure: "UPSTREAM_INVALID" });
  expect(await Promise.all(both)).toEqual([whole("a"), whole("a")]);
  await expect.poll(() => upstream.sockets.every(({ destroyed }) => destroyed)).toBe(true);
  const other = poolTo(upstream);
  const broken = [request(other), request(other)];
  setTimeout(() => other.destroy(), 10);
  expect((await Promise.all(broken)).map(({ failure }) => failure)).toEqual(
    Array(2).fill("UPSTREAM_DESTROYED"),
  );
});

test("a connection is given up before its upstream does", async () => {
  const upstream = await rawUpstream((socket) =>
    socket.write(message(OK, "Keep-Alive: timeout=2", "Content-Length: 0")),
  );
  expect(await request(poolTo(upstream))).toEqual(whole(""));
  await expect.poll(() => upstream.sockets[0]!.destroyed).toBe(true);
});
