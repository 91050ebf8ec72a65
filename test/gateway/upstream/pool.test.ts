// A client of upstreams that do not behave, over TCP and over TLS.
import { Readable } from "node:stream";
import type { Socket } from "node:net";
import type { TlsOptions } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  UpstreamExchange,
  type ResponseControl,
  type UpstreamRequest,
} from "#src/gateway/upstream/exchange.node.ts";
import { message, rawUpstream, type RawUpstream } from "../http/wire.ts";
import {
  answer,
  GET,
  inTime,
  OK,
  poolTo,
  request,
  trustCertificate,
  upstreamThat,
  whole,
  type Response,
} from "./pools.ts";

let trusted: Awaited<ReturnType<typeof trustCertificate>>;
beforeAll(async () => {
  trusted = await trustCertificate();
});
afterAll(() => trusted.remove());

const POISON = answer("of another client");
const UNENDED = `${message(OK)}abc`;
const streamOf = (...chunks: readonly string[]): Readable =>
  Readable.from(chunks.map((chunk) => Buffer.from(chunk)));

describe.each(["TCP", "TLS"])("over %s", (transport) => {
  const certificate = (): TlsOptions | null => (transport === "TLS" ? trusted : null);
  const upstreamOf = (first: (socket: Socket) => void): Promise<RawUpstream> =>
    upstreamThat(first, certificate());

  test("a connection is used again after a whole response", async () => {
    const upstream = await upstreamOf((socket) => socket.write(answer("a")));
    const pool = poolTo(upstream);
    expect(await request(pool)).toEqual(whole("a"));
    expect(await request(pool)).toEqual(whole("connection 1"));
  });

  const following: readonly [string, string, string, Response][] = [
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
  ];

  // Over TLS the second write leaves a turn later, when the next request may be under way: no client can see it before.
  const sent = following.filter(([, , later]) => later === "" || transport === "TCP");
  test.each(sent)(
    "bytes that follow a response %s answer no other request",
    async (_, text, later, first) => {
      const upstream = await upstreamOf((socket) => {
        socket.write(text);
        if (later !== "") setImmediate(() => socket.write(later));
      });
      const pool = poolTo(upstream);
      expect(await request(pool)).toEqual(first);
      const [second, third] = await Promise.all([request(pool), request(pool)]);
      expect([second, third]).toEqual([whole("connection 2"), whole("connection 2")]);
    },
  );

  test("bytes on an idle connection close it", async () => {
    // It would be kept for longer than this test waits.
    const long = message(OK, "Keep-Alive: timeout=600", "Content-Length: 0");
    const upstream = await upstreamOf((socket) => socket.write(long));
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
    const upstream = await upstreamOf((socket) => socket.write(message(OK, "Content-Length: 0")));
    const pool = poolTo(upstream);
    expect(await request(pool, sent)).toEqual(whole(""));
    expect(await request(pool)).toEqual(whole("connection 2"));
  });

  test("a malformed response fails, and the next request has another connection", async () => {
    const upstream = await upstreamOf((socket) =>
      socket.write(message(OK, "Content-Length: 1", "Content-Length: 2") + "ab"),
    );
    const pool = poolTo(upstream);
    expect(await request(pool)).toMatchObject({ status: 0, failure: "UPSTREAM_INVALID" });
    expect(await request(pool)).toEqual(whole("connection 2"));
  });

  test("a half-closed connection gets no other request", async () => {
    const upstream = await upstreamOf((socket) => socket.end(answer("a")));
    const pool = poolTo(upstream);
    expect(await request(pool)).toEqual(whole("a"));
    expect(await request(pool)).toEqual(whole("connection 2"));
  });

  test("a chunk stays as it is, whatever arrives later", async () => {
    const upstream = await upstreamOf((socket) => {
      socket.write(`${message(OK, "Content-Length: 6")}abc`);
      setTimeout(() => socket.write("xyz"), 30);
    });
    const pool = poolTo(upstream);
    const chunks: Buffer[] = [];
    const ended = new Promise<void>((resolve, reject) =>
      pool.dispatch(GET, {
        onRequestStart: () => {},
        onRequestSent: () => {},
        onResponseStart: () => {},
        onResponseData: (_, chunk) => void chunks.push(chunk),
        onResponseEnd: resolve,
        onResponseError: (_, error) => reject(error),
      }),
    );
    await inTime(ended, "a response in two pieces");
    await request(pool);
    expect(chunks.map(String)).toEqual(["abc", "xyz"]);
  });

  test("a connection whose response ended while it was paused is read on", async () => {
    const upstream = await upstreamOf((socket) => socket.write(answer("a")));
    const pool = poolTo(upstream);
    const ended = new Promise<void>((resolve, reject) =>
      pool.dispatch(GET, {
        onRequestStart: () => {},
        onRequestSent: () => {},
        onResponseStart: () => {},
        onResponseData: (control) => control.pause(),
        onResponseEnd: resolve,
        onResponseError: (_, error) => reject(error),
      }),
    );
    await inTime(ended, "a paused response");
    expect(await request(pool)).toEqual(whole("connection 1"));
  });

  test("a control of a request that is over controls nothing", async () => {
    const upstream = await upstreamOf((socket) => socket.write(answer("a")));
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
    const upstream = await upstreamOf((socket) => setTimeout(() => socket.write(answer("a")), 30));
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

  test.each(["onRequestSent", "onResponseStart", "onResponseData", "onResponseEnd"] as const)(
    "a handler whose %s throws fails alone",
    async (step) => {
      // Without a length the end of the connection ends the response: another event than one with its last byte.
      for (const first of [
        (to: Socket) => to.write(answer("a")),
        (to: Socket) => to.end(UNENDED),
      ]) {
        const upstream = await upstreamOf(first);
        const pool = poolTo(upstream);
        const failed = new Promise<Error>((resolve) =>
          pool.dispatch(GET, {
            onRequestStart: () => {},
            onRequestSent: () => {},
            onResponseStart: () => {},
            onResponseData: () => {},
            onResponseEnd: () => {},
            onResponseError: (control, error) => {
              expect(control).toBeInstanceOf(UpstreamExchange);
              resolve(error);
            },
            [step]: () => {
              throw new Error("of the handler");
            },
          }),
        );
        expect((await inTime(failed, step)).message).toBe("of the handler");
        expect(await request(pool)).toEqual(whole(expect.stringMatching(/^connection [12]$/)));
      }
    },
  );

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
    }, certificate());
    expect(await request(poolTo(upstream), { method: "POST", ...sent })).toEqual(whole("a"));
  });

  test.each([
    ["longer", streamOf("abcd")],
    ["shorter", streamOf("ab")],
  ])("of a body that is %s than declared no byte can become another request", async (_, body) => {
    const upstream = await rawUpstream(() => {}, certificate());
    const sent = request(poolTo(upstream), {
      method: "POST",
      body,
      headers: ["Content-Length", "3"],
    });
    expect(await sent).toMatchObject({ failure: "UPSTREAM_INVALID" });
    expect(upstream.transcript()).not.toContain("abcd");
  });

  test("after a response to a body that is still being sent the connection is closed", async () => {
    const upstream = await upstreamOf((socket) => socket.write(answer("early")));
    const pool = poolTo(upstream);
    const body = new Readable({ read: () => {} });
    body.push("begin");
    expect(await request(pool, { method: "POST", body })).toEqual(whole("early"));
    expect(body.destroyed).toBe(true);
    expect(await request(pool)).toEqual(whole("connection 2"));
  });

  test("after a response to a whole body that the system has not taken the connection is closed", async () => {
    const upstream = await upstreamOf((socket) => {
      socket.pause();
      socket.write(answer("early"));
    });
    const pool = poolTo(upstream);
    const body = Buffer.alloc(32 * 1_024 * 1_024);
    expect(await request(pool, { method: "PUT", body })).toEqual(whole("early"));
    expect(await request(pool)).toEqual(whole("connection 2"));
  });

  test("closing finishes what waits and takes nothing more; destroying breaks it off", async () => {
    const slow = (socket: Socket): unknown => setTimeout(() => socket.write(answer("a")), 30);
    const upstream = await rawUpstream(slow, certificate());
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
