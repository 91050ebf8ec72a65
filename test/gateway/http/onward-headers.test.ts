// Which headers reach the upstream, over raw sockets: two servers in a row read one name in one way.
import { expect, test } from "vitest";
import { headerNames, toUpstream } from "#src/gateway/http/end-to-end.ts";
import { echoing, gatewayTo, message, rawUpstream, speak, statuses } from "./wire.ts";

const HEAD = ["GET /open HTTP/1.1", "Host: g"];

/** The lines of the head that the upstream has received, in lower case and in their order. */
async function linesAtUpstream(
  lines: readonly string[],
  wire: Parameters<typeof gatewayTo>[1] = {},
): Promise<readonly string[]> {
  const upstream = await rawUpstream(echoing);
  const { url } = await gatewayTo(upstream.url, wire);
  const { text } = await speak(url, message(...HEAD, ...lines, "X-Last: 1"), /x-last: 1/i);
  expect(statuses(text)).toEqual([200]);
  return upstream.transcript().toLowerCase().split("\r\n");
}

const ODD = [
  "X_Forwarded_For: 6.6.6.6",
  "x_forwarded-for: 6.6.6.6",
  "X.Forwarded.For: 6.6.6.6",
  "X~Forwarded~Proto: https",
  "Transfer_Encoding: chunked",
  "X_Real_IP: 6.6.6.6",
  "Host_: evil",
  "_: 6",
  "X_Tenant: acme",
];

test("names with anything but letters, digits and hyphens are dropped", async () => {
  const received = await linesAtUpstream(ODD);
  expect(received).toContain("x-forwarded-for: 127.0.0.1");
  expect(received.filter((line) => /^[^:]*[_.~][^:]*:/.test(line))).toEqual([]);
  expect(received.join("\n")).not.toMatch(/6\.6\.6\.6|acme|evil/);
});

test("names with underscores go on if that is set, but for those that read as what stays here", async () => {
  const received = await linesAtUpstream(ODD, { underscores: "pass" });
  const odd = received.filter((line) => /^[^:]*[_.~][^:]*:/.test(line));
  expect(odd).toEqual(["host_: evil", "_: 6", "x_tenant: acme"]);
});

test("what belongs to a connection, to proxies or to the gateway stays here", async () => {
  const stays = [
    "Connection: close, X-Mine",
    "X-Mine: 1",
    "Keep-Alive: timeout=5",
    "TE: trailers",
    "Trailer: X-End",
    "Upgrade: h2c",
    "Proxy: http://evil.example",
    "pRoXy: http://evil.example",
    "Proxy-Connection: keep-alive",
    "Proxy-Authorization: Basic eA==",
    "Proxy-Anything: 1",
    "Forwarded: for=6.6.6.6",
    "X-Forwarded-For: 6.6.6.6",
    "X-Forwarded-Proto: https",
    "X-Forwarded-Host: evil.example",
    "X-Real-IP: 6.6.6.6",
  ];
  const received = await linesAtUpstream(stays);
  for (const line of stays) expect(received).not.toContain(line.toLowerCase());
  expect(received.filter((line) => line.startsWith("proxy"))).toEqual([]);
});

test("headers that wire.md lists as forwarded are forwarded", async () => {
  const goes = [
    "True-Client-IP: 6.6.6.6",
    "CF-Connecting-IP: 6.6.6.6",
    "X-Client-IP: 6.6.6.6",
    "X-Forwarded-Port: 1",
    "X-Original-URL: /admin",
    "X-Rewrite-URL: /admin",
    "X-HTTP-Method-Override: DELETE",
    "Proxied: 1",
    "X-Proxy: 1",
  ];
  const received = await linesAtUpstream(goes);
  for (const line of goes) expect(received).toContain(line.toLowerCase());
});

test.each([
  ["two Authorization", ["Authorization: alice", "Authorization: alice"]],
  ["in two spellings", ["Authorization: alice", "aUTHORIZATION: bob"]],
  ["an empty one first", ["Authorization:", "Authorization: alice"]],
  ["two X-API-Key", ["X-API-Key: alice", "x-api-key: alice"]],
])("%s are 400, spend nothing and leave the connection", async (_what, lines) => {
  const upstream = await rawUpstream(echoing);
  const { url } = await gatewayTo(upstream.url);
  const two = message("GET /orders HTTP/1.1", "Host: g", ...lines);
  const keyless = message(...HEAD, ...lines);
  const one = message("GET /orders HTTP/1.1", "Host: g", "Authorization: alice");
  const { text } = await speak(url, two + keyless + one.repeat(3), /429[^]*Exceeded"\}$/);
  expect(statuses(text).filter((_, i) => i < 2)).toEqual([400, 400]);
  expect(text).toContain('{"error":"More than one credential header of one name"}');
  expect(upstream.transcript().match(/GET \/orders/g)).toHaveLength(2); // one that was refused twice has two left
  expect(upstream.transcript()).not.toContain("GET /open");
});

test("TRACE is 405 with Allow for every client, and is not forwarded", async () => {
  const upstream = await rawUpstream(echoing);
  const { url } = await gatewayTo(upstream.url);
  for (const path of ["/open", "/orders", "/nowhere"]) {
    const { text } = await speak(url, message(`TRACE ${path} HTTP/1.1`, "Host: g"), /\}$/);
    expect(statuses(text)).toEqual([405]);
    expect(text).toContain("\r\nAllow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS\r\n");
  }
  expect(upstream.transcript()).toBe("");
});

test.each(["GET  /open HTTP/1.1", "GET /open  HTTP/1.1", "GET    /open    HTTP/1.1"])(
  "of blanks in a request line one goes on: %s",
  async (line) => {
    const upstream = await rawUpstream(echoing);
    const { url } = await gatewayTo(upstream.url);
    await speak(url, message(line, "Host: g"), /\r\n\r\n[^]*\r\n\r\n/);
    expect(upstream.transcript()).toMatch(/^GET \/open HTTP\/1\.1\r\n/);
  },
);

test("the fate of names is remembered for a bounded number of them", () => {
  const names = headerNames("drop");
  for (let i = 0; i < 5_000; i++)
    toUpstream([`X-${i}`, "1", "Y".repeat(100), "2"], undefined, false, names);
  expect(names.size).toBeLessThanOrEqual(1_000);
  expect(toUpstream(["X-1", "1", "X_1", "2"], undefined, false, names)).toEqual(["X-1", "1"]);
});
