// Bytes after a request that two servers could read differently; the shapes of such requests are in test/gateway/http/fuzzing.
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { echoing, gatewayTo, message, rawUpstream, speak, statuses } from "./wire.ts";

const HEAD = ["POST /open HTTP/1.1", "Host: g"];

test("an extension of a chunk means nothing here and does not go on", async () => {
  const upstream = await rawUpstream(echoing);
  const { url } = await gatewayTo(upstream.url);
  const head = message(...HEAD, "Transfer-Encoding: chunked");
  const { text } = await speak(url, head + "3;name=value\r\nabc\r\n0\r\n\r\n", /abc/);
  expect(statuses(text)).toEqual([200]);
  expect(upstream.transcript()).not.toContain("name=value");
  expect(upstream.transcript()).toMatch(
    /(?:content-length: 3\r\n\r\nabc|\r\n\r\n3\r\nabc\r\n0\r\n\r\n)$/,
  );
});

test("bytes after a rejected message spend nothing", async () => {
  const { url } = await gatewayTo(null);
  const orders = message("GET /orders HTTP/1.1", "Host: g", "Authorization: alice");
  const refused = message("GET /orders HTTP/1.1", "Host: g", "Host: h");
  const { text } = await speak(url, refused + orders, null, 300);
  expect(statuses(text)).toEqual([400]);
  const { text: after } = await speak(url, orders.repeat(3), /429[^]*Exceeded"\}$/);
  expect(statuses(after)).toEqual([200, 200, 429]);
});

test("bytes with an offer to upgrade, or after it, are not parsed as a request", async () => {
  const upstream = await rawUpstream(echoing);
  const { url } = await gatewayTo(upstream.url);
  const inner = message("GET /open/smuggled HTTP/1.1", "Host: g");
  const offer = message("GET /open HTTP/1.1", "Host: g", "Connection: upgrade", "Upgrade: h2c");
  const head = message(...HEAD, `Content-Length: ${inner.length}`);
  const socket = connect(Number(url.port), url.hostname);
  onTestFinished(() => void socket.destroy());
  let text = "";
  socket.on("data", (chunk) => (text += chunk.toString("latin1")));
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.write(offer + head);
  // Not with them: Node drops what comes with an offer, and this would be what it reads next.
  await expect.poll(() => upstream.transcript()).toContain("GET /open");
  socket.write(inner);
  await closed;
  expect(statuses(text)).toEqual([200]);
  expect(text).toMatch(/^connection: close\r$/im);
  await speak(url, message("GET /open/last HTTP/1.1", "Host: g"), /last/);
  expect(upstream.transcript()).not.toContain("smuggled");
});
