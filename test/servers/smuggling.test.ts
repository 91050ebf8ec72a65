// A request that two servers could read differently is refused by the first of them.
import { expect, test } from "vitest";
import { echoing, gatewayTo, message, rawUpstream, speak, statuses } from "./wire.ts";

const HEAD = ["POST /open HTTP/1.1", "Host: g"];
const SMUGGLED = message("GET /open/smuggled HTTP/1.1", "Host: g");

test.each([
  [
    "both length headers",
    message(...HEAD, "Content-Length: 6", "Transfer-Encoding: chunked") + "0\r\n\r\nX",
    400,
  ],
  [
    "both, the other way round",
    message(...HEAD, "Transfer-Encoding: chunked", "Content-Length: 6") + "0\r\n\r\nX",
    400,
  ],
  ["two lengths", message(...HEAD, "Content-Length: 3", "Content-Length: 4") + "abcd", 400],
  ["one length twice", message(...HEAD, "Content-Length: 3", "Content-Length: 3") + "abc", 400],
  ["a list of lengths", message(...HEAD, "Content-Length: 3, 3") + "abc", 400],
  ["a length with a sign", message(...HEAD, "Content-Length: +3") + "abc", 400],
  ["a negative length", message(...HEAD, "Content-Length: -3") + "abc", 400],
  ["a hexadecimal length", message(...HEAD, "Content-Length: 0x3") + "abc", 400],
  ["a length beyond all numbers", message(...HEAD, "Content-Length: 99999999999999999999999"), 400],
  ["a folded header", message(...HEAD, "X-A: b", " Transfer-Encoding: chunked"), 400],
  [
    "a header folded by a tab",
    message(...HEAD, "Transfer-Encoding:", "\tchunked") + "0\r\n\r\n",
    400,
  ],
  ["a space before the colon", message(...HEAD, "Transfer-Encoding : chunked") + "0\r\n\r\n", 400],
  ["a space before the first header", "POST /open HTTP/1.1\r\n Host: g\r\n\r\n", 400],
  ["a line ended by LF alone", "POST /open HTTP/1.1\nHost: g\n\n", 400],
  ["a header ended by LF alone", "POST /open HTTP/1.1\r\nHost: g\nContent-Length: 0\r\n\r\n", 400],
  ["a head ended by LF alone", "POST /open HTTP/1.1\r\nHost: g\r\n\n", 400],
  ["a header ended by CR alone", "POST /open HTTP/1.1\r\nHost: g\rX: y\r\n\r\n", 400],
  ["NUL in a header", message(...HEAD, "X-A: b\0c"), 400],
  ["a name that is none", message(...HEAD, "X(A): b"), 400],
  ["a coding that is unknown", message(...HEAD, "Transfer-Encoding: xchunked") + "0\r\n\r\n", 501],
  [
    "a coding in front of chunked",
    message(...HEAD, "Transfer-Encoding: gzip, chunked") + "0\r\n\r\n",
    501,
  ],
  [
    "chunked twice",
    message(...HEAD, "Transfer-Encoding: chunked", "Transfer-Encoding: chunked") + "0\r\n\r\n",
    400,
  ],
  ["chunked not last", message(...HEAD, "Transfer-Encoding: chunked, identity") + "0\r\n\r\n", 400],
  [
    "chunks in HTTP/1.0",
    message("POST /open HTTP/1.0", "Transfer-Encoding: chunked") + "0\r\n\r\n",
    400,
  ],
  [
    "a chunk ended by LF alone",
    message(...HEAD, "Transfer-Encoding: chunked") + "3\nabc\r\n0\r\n\r\n",
    400,
  ],
  [
    "a chunk extension ended by LF alone",
    message(...HEAD, "Transfer-Encoding: chunked") + "3;x\nabc\r\n0\r\n\r\n",
    400,
  ],
  [
    "a chunk longer than it says",
    message(...HEAD, "Transfer-Encoding: chunked") + "3\r\nabcd\r\n0\r\n\r\n",
    400,
  ],
  [
    "a chunk of no number",
    message(...HEAD, "Transfer-Encoding: chunked") + "g\r\nabc\r\n0\r\n\r\n",
    400,
  ],
  [
    "a chunk beyond all numbers",
    message(...HEAD, "Transfer-Encoding: chunked") + "fffffffffffffffff\r\n",
    400,
  ],
  ["two hosts", message(...HEAD, "Host: other", "Content-Length: 0"), 400],
  ["no host", message("POST /open HTTP/1.1", "Content-Length: 0"), 400],
  ["a host that is none", message("POST /open HTTP/1.1", "Host: a/b", "Content-Length: 0"), 400],
  ["a target that is none", message("GET open HTTP/1.1", "Host: g"), 400],
  ["a target of another scheme", message("GET ftp://g/open HTTP/1.1", "Host: g"), 400],
  ["an asterisk for anything but OPTIONS", message("GET * HTTP/1.1", "Host: g"), 400],
  ["a space in the target", message("GET /open /x HTTP/1.1", "Host: g"), 400],
  ["another protocol", message("GET /open HTTP/3.7", "Host: g"), 400],
  ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
  ["no HTTP at all", "\x16\x03\x01\x02\x00\x01\x00", 400],
])("%s", async (_what, shape, status) => {
  const upstream = await rawUpstream(echoing);
  const { url } = await gatewayTo(upstream.url);
  const { text, ended } = await speak(url, shape + SMUGGLED, null, 4_000);
  expect(statuses(text)[0]).toBe(status);
  expect(text).toMatch(/\r\n\r\n\{"error":"[^"]+"\}/);
  expect(ended).not.toBe("open");
  // What was sent on is on its way for a moment; this comes behind it.
  await speak(url, message("GET /open/last HTTP/1.1", "Host: g"), /last/);
  expect(upstream.heard()).toContain("last");
  expect(upstream.heard()).not.toContain("smuggled");
});

test("an extension of a chunk means nothing here and does not go on", async () => {
  const upstream = await rawUpstream(echoing);
  const { url } = await gatewayTo(upstream.url);
  const head = message(...HEAD, "Transfer-Encoding: chunked");
  const { text } = await speak(url, head + "3;name=value\r\nabc\r\n0\r\n\r\n", /abc/);
  expect(statuses(text)).toEqual([200]);
  expect(upstream.heard()).not.toContain("name=value");
  expect(upstream.heard()).toMatch(/content-length: 3\r\n\r\nabc$/);
});

test("what stands behind a refused message spends nothing", async () => {
  const { url } = await gatewayTo(null);
  const orders = message("GET /orders HTTP/1.1", "Host: g", "Authorization: alice");
  const refused = message("GET /orders HTTP/1.1", "Host: g", "Host: h");
  const { text } = await speak(url, refused + orders, null, 300);
  expect(statuses(text)).toEqual([400]);
  const { text: after } = await speak(url, orders.repeat(3), /429[^]*Exceeded"\}$/);
  expect(statuses(after)).toEqual([200, 200, 429]);
});
