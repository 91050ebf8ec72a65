// How much a client may send, and how long it may take.
import { connect } from "node:net";
import { expect, test } from "vitest";
import { micros } from "#src/kit/units.ts";
import {
  echoing,
  gatewayTo,
  message,
  rawUpstream,
  SHORTER_THAN_HEADERS_MS,
  speak,
  statuses,
} from "./wire.ts";

const HEAD = ["POST /open HTTP/1.1", "Host: g"];
const soon = micros(300_000);

test.each([
  ["in one line", [`X-A: ${"a".repeat(20_000)}`]],
  ["in many lines", Array.from({ length: 1_000 }, (_, i) => `X-${i}: ${"a".repeat(20)}`)],
  ["in more lines than a hundred", Array.from({ length: 101 }, (_, i) => `X-${i}: a`)],
  ["in the target", []],
])("a flood of headers is answered by 431: %s", async (_how, headers) => {
  const upstream = await rawUpstream(echoing);
  const { url } = await gatewayTo(upstream.url);
  const line = headers.length === 0 ? `GET /open/${"a".repeat(20_000)} HTTP/1.1` : HEAD[0]!;
  const { text, ended } = await speak(url, message(line, "Host: g", ...headers));
  expect(statuses(text)).toEqual([431]);
  expect(ended).not.toBe("open");
  expect(upstream.sockets).toEqual([]);
});

test("headers that never end are cut off at the limit, however slowly they come", async () => {
  const { url } = await gatewayTo(null);
  const { promise: closed, resolve: isClosed } = Promise.withResolvers<number>();
  const socket = connect(Number(url.port), url.hostname);
  let sent = 0;
  socket.on("error", () => isClosed(sent));
  socket.on("close", () => isClosed(sent));
  socket.resume();
  socket.write("GET /open HTTP/1.1\r\n");
  const timer = setInterval(() => {
    const line = `X-A: ${"a".repeat(1_000)}\r\n`;
    sent += line.length;
    socket.write(line);
  }, 1);
  expect(await closed).toBeLessThan(200_000);
  clearInterval(timer);
});

test("a body with too long a Content-Length gets 413 and is not forwarded", async () => {
  const upstream = await rawUpstream(echoing);
  const { url } = await gatewayTo(upstream.url, { maxBodyBytes: 10 });
  const request = message(...HEAD, "Content-Length: 11");
  expect(statuses((await speak(url, request, /too large/)).text)).toEqual([413]);
  expect(upstream.sockets).toEqual([]);
  const allowed = message(...HEAD, "Content-Length: 10") + "0123456789";
  expect(statuses((await speak(url, allowed, /0123456789/)).text)).toEqual([200]);
});

test("a body that turns out too long is refused by 413, and its upstream broken off", async () => {
  const upstream = await rawUpstream(() => {});
  const { url } = await gatewayTo(upstream.url, { maxBodyBytes: 10 });
  const chunks = "6\r\n012345\r\n6\r\n012345\r\n0\r\n\r\n";
  const request = message(...HEAD, "Transfer-Encoding: chunked");
  expect(statuses((await speak(url, [request, chunks], /too large/)).text)).toEqual([413]);
  await expect.poll(() => upstream.sockets.every(({ destroyed }) => destroyed)).toBe(true);
});

test("a client that sends on after its 413 is cut off", async () => {
  const upstream = await rawUpstream(() => {});
  const { url } = await gatewayTo(upstream.url, { maxBodyBytes: 10 });
  const request = message(...HEAD, "Transfer-Encoding: chunked");
  const { text, ended } = await speak(url, [request, "b\r\n0123456789a\r\n"], null, 5_000);
  expect(statuses(text)).toEqual([413]);
  expect(ended).not.toBe("open");
});

test("a client that reads the 413 only when it has sent everything still gets it", async () => {
  const { url } = await gatewayTo(null, { maxBodyBytes: 10 });
  const request = message(...HEAD, "Content-Length: 3000000");
  const { text } = await speak(url, [request, "a".repeat(3_000_000)], /too large/);
  expect(statuses(text)).toEqual([413]);
});

test.each([
  ["a request line", "GET /op", 408],
  ["headers", "GET /open HTTP/1.1\r\nHost: g\r\nX-", 408],
  ["nothing at all", "", 408],
])("a client that sends %s and no more is closed by the time-out", async (_what, text, status) => {
  const { url } = await gatewayTo(null, { requestHeadersTimeoutUs: soon });
  const spoken = await speak(url, text, null, SHORTER_THAN_HEADERS_MS);
  expect(statuses(spoken.text)).toEqual([status]);
  expect(spoken.ended).toBe("closed");
});

test("a body that does not come is given up, at the upstream too", async () => {
  const upstream = await rawUpstream(() => {});
  const wire = { requestTimeoutUs: soon, requestHeadersTimeoutUs: soon };
  const { url } = await gatewayTo(upstream.url, wire);
  const request = message(...HEAD, "Content-Length: 10") + "abc";
  const { text, ended } = await speak(url, request, null, SHORTER_THAN_HEADERS_MS);
  expect(statuses(text)).toEqual([408]);
  expect(ended).toBe("closed");
  await expect.poll(() => upstream.sockets.every(({ destroyed }) => destroyed)).toBe(true);
});

test("a connection without further requests is closed by its time-out", async () => {
  const { url } = await gatewayTo(null, { keepAliveTimeoutUs: soon });
  const { text, ended } = await speak(url, message("GET /open HTTP/1.1", "Host: g"));
  expect(statuses(text)).toEqual([200]);
  expect(ended).toBe("closed");
});
