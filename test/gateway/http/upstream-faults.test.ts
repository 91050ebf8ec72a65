// Upstreams at their worst. Whatever they do, the client is answered or cut off within the time-outs, and the
// gateway serves on.
import { setTimeout as sleep } from "node:timers/promises";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { micros } from "#src/kit/units.ts";
import { echoing, gatewayTo, message, rawUpstream, speak, statuses } from "./wire.ts";

const REQUEST = message("GET /open HTTP/1.1", "Host: g");
const OK = "HTTP/1.1 200 OK";
const WIRE = {
  connectTimeoutUs: micros(300_000),
  responseTimeoutUs: micros(300_000),
  responseIdleTimeoutUs: micros(300_000),
  exchangeTimeoutUs: micros(1_500_000),
};

test.each<[string, (socket: Socket) => void, number]>([
  ["says nothing", () => {}, 504],
  ["says half a head", (socket) => socket.write(`${OK}\r\nX-`), 504],
  ["drips its head", (socket) => drip(socket, `${OK}\r\nX-Slow: ${"a".repeat(1_000)}`), 504],
  ["resets", (socket) => socket.resetAndDestroy(), 502],
  ["closes", (socket) => socket.end(), 502],
  ["closes in its head", (socket) => socket.end(`${OK}\r\nX-`), 502],
  ["answers garbage", (socket) => socket.write("garbage\r\n\r\n"), 502],
  ["answers bytes", (socket) => socket.write(Buffer.alloc(1_000, 0xff)), 502],
  ["answers by another protocol", (socket) => socket.write("SSH-2.0-OpenSSH_9\r\n"), 502],
  ["floods with headers", (socket) => socket.write(`${OK}\r\nX-A: ${"a".repeat(20_000)}`), 502],
  [
    "folds a header",
    (socket) => socket.write(message(OK, "X-A: b", " c", "Content-Length: 0")),
    502,
  ],
  [
    "says two lengths",
    (socket) => socket.write(message(OK, "Content-Length: 1", "Content-Length: 2") + "ab"),
    502,
  ],
  [
    "says both lengths",
    (socket) => socket.write(message(OK, "Content-Length: 1", "Transfer-Encoding: chunked") + "ab"),
    502,
  ],
  [
    "upgrades unasked",
    (socket) => socket.write(message("HTTP/1.1 101 Switching Protocols", "Upgrade: x")),
    502,
  ],
  ["only promises", (socket) => socket.write(message("HTTP/1.1 103 Early Hints")), 504],
])("an upstream that %s", async (_what, misbehave, status) => {
  const upstream = await rawUpstream(misbehave);
  const { url } = await gatewayTo(upstream.url, WIRE);
  const { text } = await speak(url, REQUEST, /\}$/);
  expect(statuses(text)).toEqual([status]);
  expect(text).toMatch(/\r\n\r\n\{"error":"[^"]+"\}$/);
});

test.each<[string, (socket: Socket) => void]>([
  ["closes before the end", (socket) => socket.end(message(OK, "Content-Length: 9") + "abc")],
  ["resets before the end", (socket) => reset(socket, message(OK, "Content-Length: 9") + "abc")],
  [
    "closes within its chunks",
    (socket) => socket.end(message(OK, "Transfer-Encoding: chunked") + "9\r\nabc"),
  ],
  [
    "garbles its chunks",
    (socket) => socket.write(message(OK, "Transfer-Encoding: chunked") + "3\r\nabc\r\nxyz\r\n"),
  ],
  ["stops", (socket) => socket.write(message(OK, "Content-Length: 9") + "abc")],
  ["drips", (socket) => dripBody(socket)],
])(
  "the answer of an upstream that %s is broken off, and never looks whole",
  async (_what, misbehave) => {
    const upstream = await rawUpstream(misbehave);
    const { url } = await gatewayTo(upstream.url, WIRE);
    const { text, ended } = await speak(url, REQUEST);
    expect(statuses(text)).toEqual([200]);
    expect(ended).not.toBe("open");
    expect(text).not.toMatch(/\r\n0\r\n\r\n$/);
    await expect.poll(() => upstream.sockets.every(({ destroyed }) => destroyed)).toBe(true);
  },
);

test("a client of HTTP/1.0 learns by a reset that the answer is not whole", async () => {
  const upstream = await rawUpstream((socket) =>
    socket.write(message(OK, "Content-Length: 9") + "abc"),
  );
  const { url } = await gatewayTo(upstream.url, WIRE);
  expect((await speak(url, message("GET /open HTTP/1.0"))).ended).toBe("reset");
});

test("a request to an unreachable upstream gets its response at once or by the time-out", async () => {
  const { url } = await gatewayTo(new URL("http://127.0.0.1:1"), WIRE);
  expect(statuses((await speak(url, REQUEST, /\}$/)).text)).toEqual([502]);
  const unknown = await gatewayTo(new URL("http://nowhere.invalid"), WIRE);
  expect(statuses((await speak(unknown.url, REQUEST, /\}$/)).text)[0]).toBeGreaterThanOrEqual(502);
});

test("a client that leaves takes its request from the upstream", async () => {
  const upstream = await rawUpstream(() => {});
  const { url } = await gatewayTo(upstream.url);
  await speak(url, REQUEST, null, 200);
  await expect.poll(() => upstream.sockets.length).toBe(1);
  await expect.poll(() => upstream.sockets[0]!.destroyed).toBe(true);
});

test("a response that begins before the body is complete reaches the client, and the next request too", async () => {
  const refusal = message("HTTP/1.1 403 Forbidden", "Content-Length: 2", "Connection: close");
  const upstream = await rawUpstream((socket, received) => {
    if (!received.includes("POST")) echoing(socket, received);
    else if (!socket.writableEnded) socket.end(`${refusal}no`);
  });
  const { url } = await gatewayTo(upstream.url);
  const head = message("POST /open HTTP/1.1", "Host: g", "Content-Length: 1000000");
  const pieces = [head, "a".repeat(1_000_000), REQUEST];
  const { text } = await speak(url, pieces, /no[^]*GET \/open[^]*\r\n\r\n$/);
  expect(statuses(text)).toEqual([403, 200]);
});

/** A number that has begun to grow, once it stays the same: of one that grows without end, its end. */
async function settle(read: () => number): Promise<number> {
  for (let last = 0; ; last = read()) {
    await sleep(500);
    if (last > 0 && read() === last) return last;
  }
}

test("a client that does not read holds its upstream back", async () => {
  const piece = Buffer.alloc(64 * 1024, "a");
  const total = 200 * 1024 * 1024;
  let written = 0;
  const upstream = await rawUpstream((socket) => {
    socket.write(message(OK, `Content-Length: ${total}`));
    const more = (): void => {
      while (written < total && !socket.destroyed) {
        written += piece.length;
        if (!socket.write(piece)) return;
      }
    };
    socket.on("drain", more);
    more();
  });
  const { url } = await gatewayTo(upstream.url);
  const client = connect(Number(url.port), url.hostname);
  client.pause();
  client.write(REQUEST);
  const held = await settle(() => written);
  expect(held).toBeGreaterThan(0);
  expect(held).toBeLessThan(32 * 1024 * 1024); // what the buffers of three connections take
  client.destroy();
  await expect.poll(() => upstream.sockets[0]!.destroyed).toBe(true);
});

test("a client that does not read waits once for thousands of chunks", async () => {
  const chunks = 50_000;
  const upstream = await rawUpstream((socket) => {
    socket.write(message(OK, "Transfer-Encoding: chunked"));
    socket.write(`400\r\n${"y".repeat(1_024)}\r\n`.repeat(4_096)); // more than the client's system takes
    socket.write(`${"1\r\nx\r\n".repeat(chunks)}0\r\n\r\n`);
  });
  const warnings: string[] = [];
  const onWarning = ({ message: text }: Error): unknown => warnings.push(text);
  process.on("warning", onWarning);
  onTestFinished(() => void process.off("warning", onWarning));
  const { url } = await gatewayTo(upstream.url);
  const client = connect(Number(url.port), url.hostname);
  onTestFinished(() => void client.destroy());
  client.pause();
  client.write(REQUEST);
  await sleep(500);
  let received = "";
  client.on("data", (piece) => (received += piece.toString("latin1")));
  client.resume();
  await expect.poll(() => received.endsWith("\r\n0\r\n\r\n")).toBe(true);
  const body = received.slice(received.indexOf("\r\n\r\n")); // no size of a chunk has an x
  expect(body.match(/x/g)).toHaveLength(chunks);
  expect(warnings).toEqual([]);
});

test("an upstream that does not read holds its client back", async () => {
  const upstream = await rawUpstream((socket) => socket.pause());
  const { url } = await gatewayTo(upstream.url, { maxBodyBytes: 1e9 });
  const client = connect(Number(url.port), url.hostname);
  client.on("error", () => client.destroy());
  client.write(message("POST /open HTTP/1.1", "Host: g", "Content-Length: 500000000"));
  const piece = Buffer.alloc(64 * 1024);
  let sent = 0;
  const more = (): void => {
    while (sent < 200e6) {
      sent += piece.length;
      if (!client.write(piece)) return;
    }
  };
  client.on("drain", more);
  more();
  const held = await settle(() => sent);
  expect(held).toBeGreaterThan(0);
  expect(held).toBeLessThan(32 * 1024 * 1024);
  client.destroy();
});

test.each([
  ["GET", 200, "sent once more"],
  ["POST", 502, "not sent again: it may have been processed"],
])(
  "%s on a connection that the upstream just closes: %i, because it is %s",
  async (method, status) => {
    let requests = 0;
    const upstream = await rawUpstream((socket, received) => {
      if (++requests === 2) socket.resetAndDestroy();
      else echoing(socket, received);
    });
    const { url } = await gatewayTo(upstream.url);
    const request = message(`${method} /open HTTP/1.1`, "Host: g");
    const one = (): ReturnType<typeof speak> => speak(url, request, /(?:\}|\/open[^]*\r\n\r\n)$/);
    await one();
    expect(statuses((await one()).text)).toEqual([status]);
  },
);

test("after everything that goes wrong the gateway serves on", async () => {
  let misbehaved = 0;
  const upstream = await rawUpstream((socket, received) => {
    if (misbehaved++ < 40) socket.resetAndDestroy();
    else echoing(socket, received);
  });
  const { url } = await gatewayTo(upstream.url);
  const all = await Promise.all(Array.from({ length: 20 }, () => speak(url, REQUEST, /\}$/)));
  expect(all.flatMap(({ text }) => statuses(text))).toEqual(Array(20).fill(502));
  expect(statuses((await speak(url, REQUEST, /GET \/open[^]*\r\n\r\n/)).text)).toEqual([200]);
});

function drip(socket: Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => {
    if (socket.destroyed || at >= text.length) clearInterval(timer);
    else socket.write(text[at++]!);
  }, 50);
}

function dripBody(socket: Socket): void {
  socket.write(message(OK, "Content-Length: 900"));
  drip(socket, "a".repeat(900));
}

function reset(socket: Socket, text: string): void {
  socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 50));
}
