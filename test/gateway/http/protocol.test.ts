// HTTP/1.1 as clients speak it, beyond the plain request.
import { expect, test } from "vitest";
import {
  echoing,
  gatewayTo,
  message,
  rawUpstream,
  readWorld,
  speak,
  statuses,
  WIRE_WORLD,
} from "./wire.ts";

const ORDERS = ["GET /orders HTTP/1.1", "Host: g", "Authorization: alice"];

test.each([
  ["an upgrade to websocket", message(...ORDERS, "Connection: Upgrade", "Upgrade: websocket"), 501],
  ["CONNECT", message("CONNECT g:443 HTTP/1.1", "Host: g:443"), 501],
  ["another expectation", message(...ORDERS, "Expect: miracles"), 417],
])("%s is refused, and the connection closed", async (_what, request, status) => {
  const upstream = await rawUpstream(echoing);
  const { url } = await gatewayTo(upstream.url);
  const { text, ended } = await speak(url, request);
  expect(statuses(text)).toEqual([status]);
  expect(text).toMatch(/\{"error":"[^"]+"\}$/);
  expect(ended).toBe("closed");
  expect(upstream.sockets).toEqual([]);
});

test("an offer of HTTP/2 is not taken up, and its request answered", async () => {
  const upstream = await rawUpstream(echoing);
  const { url } = await gatewayTo(upstream.url);
  const offer = ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk"];
  const { text } = await speak(url, message(...ORDERS, ...offer), /\r\n\r\n[^]*\r\n\r\n/);
  expect(statuses(text)).toEqual([200]);
  expect(upstream.transcript().toLowerCase()).not.toMatch(/upgrade|http2-settings/);
});

test.each([
  ["OPTIONS * HTTP/1.1", 204],
  ["GET http://other.example/orders/7?a=b HTTP/1.1", 200],
  ["GET http://other.example HTTP/1.1", 404],
  ["GET http://name@other.example/orders HTTP/1.1", 400],
  ["GET https://other.example:443/orders HTTP/1.1", 200],
])("%s is answered by %i", async (line, status) => {
  const { url } = await gatewayTo((await rawUpstream(echoing)).url);
  const request = message(line, "Host: g", "Authorization: alice");
  expect(statuses((await speak(url, request, /\r\n\r\n/)).text)).toEqual([status]);
});

test("the host of an absolute target is the host of the request", async () => {
  const upstream = await rawUpstream(echoing);
  const { url } = await gatewayTo(upstream.url);
  await speak(url, message("GET http://other.example/open?a=b HTTP/1.1", "Host: g"), /\r\n\r\n/);
  expect(upstream.transcript()).toContain("GET /open?a=b HTTP/1.1");
  expect(upstream.transcript()).toContain("x-forwarded-host: other.example\r\n");
  expect(upstream.transcript()).toContain(`host: ${upstream.url.host}\r\n`);
});

test.each([
  ["closes behind its answer", "", "closed"],
  ["keeps the connection where it asks for that", "Connection: keep-alive", "open"],
] as const)("a client of HTTP/1.0 %s", async (_what, header, ended) => {
  const { url } = await gatewayTo((await rawUpstream(echoing)).url);
  const lines = ["GET /open HTTP/1.0", header].filter((line) => line !== "");
  const spoken = await speak(url, message(...lines), null, 500);
  expect(statuses(spoken.text)).toEqual([200]);
  expect(spoken.ended).toBe(ended);
});

test("a client of HTTP/1.0 gets an answer of open length without chunks", async () => {
  const chunked = message("HTTP/1.1 200 OK", "Transfer-Encoding: chunked");
  const upstream = await rawUpstream((socket) => socket.write(`${chunked}3\r\nabc\r\n0\r\n\r\n`));
  const { url } = await gatewayTo(upstream.url);
  const { text, ended } = await speak(url, message("GET /open HTTP/1.0"));
  expect(text).toMatch(/\r\n\r\nabc$/);
  expect(text.toLowerCase()).not.toContain("transfer-encoding");
  expect(ended).toBe("closed");
});

test.each([
  ["HEAD", "200 OK", "Content-Length: 5", ""],
  ["GET", "204 No Content", "X-A: b", ""],
  ["GET", "304 Not Modified", "ETag: b", ""],
])("the answer to %s by %s has no body", async (method, status, header, body) => {
  const upstream = await rawUpstream((socket) =>
    socket.write(message(`HTTP/1.1 ${status}`, header) + body),
  );
  const { url } = await gatewayTo(upstream.url);
  const request = message(`${method} /open HTTP/1.1`, "Host: g");
  const { text } = await speak(url, request + request, /(?:HTTP[^]*\r\n\r\n){2}/);
  expect(text.toLowerCase()).toContain(header.toLowerCase());
  expect(statuses(text).map(String)).toEqual(Array(2).fill(status.slice(0, 3)));
  expect(text).toMatch(/\r\n\r\nHTTP[^]*\r\n\r\n$/);
});

test("a client that waits for 100 gets it when the request is admitted, and the upstream gets no expectation", async () => {
  const upstream = await rawUpstream(echoing);
  const { url } = await gatewayTo(upstream.url);
  const head = message(
    "POST /open HTTP/1.1",
    "Host: g",
    "Expect: 100-continue",
    "Content-Length: 3",
  );
  expect(statuses((await speak(url, head, /\r\n\r\n/)).text)).toEqual([100]);
  expect(statuses((await speak(url, `${head}abc`, /abc$/)).text)).toEqual([100, 200]);
  expect(upstream.transcript().toLowerCase()).not.toContain("expect");
});

test("a client that waits for 100 and is refused gets only the refusal, on a connection that closes", async () => {
  const { url } = await gatewayTo(null);
  const head = message(
    "POST /orders HTTP/1.1",
    "Host: g",
    "Expect: 100-continue",
    "Content-Length: 3",
  );
  const { text, ended } = await speak(url, head);
  expect(statuses(text)).toEqual([401]);
  expect(ended).toBe("closed");
});

const FORWARDED = [
  "X-Forwarded-For: 1.2.3.4",
  "X-Forwarded-Proto: https",
  "X-Forwarded-Host: shop",
];

test("the origin that a client claims is not forwarded", async () => {
  const upstream = await rawUpstream(echoing);
  const { url } = await gatewayTo(upstream.url);
  const more = [...FORWARDED, "Forwarded: for=1.2.3.4", "X-Real-IP: 1.2.3.4"];
  await speak(url, message("GET /open HTTP/1.1", "Host: g", ...more), /\r\n\r\n[^]*\r\n\r\n/);
  expect(upstream.transcript()).not.toMatch(/1\.2\.3\.4|https|shop/);
  for (const line of [
    "x-forwarded-for: 127.0.0.1",
    "x-forwarded-proto: http",
    "x-forwarded-host: g",
  ])
    expect(upstream.transcript()).toContain(`${line}\r\n`);
  expect(upstream.transcript()).toContain("via: 1.1 weir\r\n");
});

test.each([
  ["Keep-Alive", "timeout=5"],
  ["Proxy-Authenticate", "Basic"],
  ["Proxy-Authorization", "Basic YTpi"],
  ["Proxy-Connection", "keep-alive"],
  ["TE", "trailers"],
  ["Trailer", "X-Checksum"],
])("%s is of one connection and does not go on", async (name, value) => {
  const upstream = await rawUpstream(echoing);
  const { url } = await gatewayTo(upstream.url);
  const request = message("GET /open HTTP/1.1", "Host: g", `${name}: ${value}`, "X-Stays: yes");
  await speak(url, request, /\r\n\r\n[^]*\r\n\r\n/);
  const received = upstream.transcript().toLowerCase();
  expect(received).toContain("x-stays: yes\r\n");
  expect(received).not.toContain(`\r\n${name.toLowerCase()}:`);
});

test("the origin that a trusted proxy sends is forwarded", async () => {
  const upstream = await rawUpstream(echoing);
  const { url } = await gatewayTo(upstream.url, { trustedProxies: ["::1", "127.0.0.0/8"] });
  await speak(url, message("GET /open HTTP/1.1", "Host: g", ...FORWARDED), /\r\n\r\n[^]*\r\n\r\n/);
  const lines = ["for: 1.2.3.4, 127.0.0.1", "proto: https", "host: shop"];
  for (const line of lines) expect(upstream.transcript()).toContain(`x-forwarded-${line}\r\n`);
});

test.each(["10.0.0", "10.0.0.0/33", "10.0.0.0/8/8", "10.0.0.0/x", "example.com"])(
  "%s is no network to trust",
  async (entry) => {
    await expect(gatewayTo(null, { trustedProxies: [entry] })).rejects.toThrow(
      `"${entry}" in trusted_proxies must be an address or a network`,
    );
  },
);

test("a keyless API leaves credentials to its upstream, one with keys does not", async () => {
  const upstream = await rawUpstream(echoing);
  const { url } = await gatewayTo(upstream.url);
  const credentials = ["Host: g", "Authorization: alice", "X-API-Key: other"];
  await speak(url, message("GET /open HTTP/1.1", ...credentials), /\r\n\r\n[^]*\r\n\r\n/);
  expect(upstream.transcript()).toMatch(/Authorization: alice\r\nX-API-Key: other\r\n/);
  const before = upstream.transcript().length;
  await speak(url, message("GET /orders HTTP/1.1", ...credentials), /\r\n\r\n[^]*\r\n\r\n/);
  expect(upstream.transcript().slice(before)).not.toMatch(/alice|other/);
});

test("each API goes to its own target, with or without its listen path", async () => {
  const own = await rawUpstream(echoing);
  const common = await rawUpstream(echoing);
  const target = `${own.url.origin}/base/`;
  const { url } = await gatewayTo(
    common.url,
    {},
    {
      apis: {
        whole: { listen: "/whole", keyless: true, target },
        cut: { listen: "/cut", keyless: true, target, strip_listen_path: true },
        bare: { listen: "/bare", keyless: true, strip_listen_path: true },
      },
    },
  );
  const targetFor = async (path: string): Promise<string> => {
    const request = message(`GET ${path} HTTP/1.1`, "Host: g");
    const { text } = await speak(url, request, /\r\n\r\n[^]*\r\n\r\n/);
    return /host: .*/.exec(text)![0].trim() + / \/\S*/.exec(/GET .*/.exec(text)![0])![0];
  };
  expect([
    await targetFor("/whole/a?b=/c"),
    await targetFor("/cut/a?b"),
    await targetFor("/cut"),
    await targetFor("/cut/"),
  ]).toEqual(
    ["/base/whole/a?b=/c", "/base/a?b", "/base", "/base/"].map(
      (path) => `host: ${own.url.host} ${path}`,
    ),
  );
  expect([await targetFor("/bare/a"), await targetFor("/bare?a=b")]).toEqual(
    ["/a", "/?a=b"].map((path) => `host: ${common.url.host} ${path}`),
  );
});

test("a new configuration sends requests elsewhere", async () => {
  const [first, second] = [await rawUpstream(echoing), await rawUpstream(echoing)];
  const world = (target: URL) => ({
    ...WIRE_WORLD,
    apis: { ...WIRE_WORLD.apis, open: { listen: "/open", keyless: true, target: target.href } },
  });
  const { url, reload } = await gatewayTo(null, {}, world(first.url));
  const request = message("GET /open HTTP/1.1", "Host: g");
  await speak(url, request, /\r\n\r\n[^]*\r\n\r\n/);
  reload(readWorld(world(second.url)));
  await speak(url, request, /\r\n\r\n[^]*\r\n\r\n/);
  expect([first.sockets.length, second.sockets.length]).toEqual([1, 1]);
  await expect.poll(() => first.sockets[0]!.destroyed).toBe(true);
});

test("a request that waits while the configuration changes goes where it was admitted to", async () => {
  const upstream = await rawUpstream(echoing);
  const throttled = { rate: 1, per: 1, throttle_interval: 0.4, throttle_retry_limit: 5 };
  const world = {
    apis: { orders: { listen: "/orders", target: upstream.url.href } },
    keys: { alice: { apis: ["orders"], ...throttled } },
  };
  const { url, reload } = await gatewayTo(null, {}, world);
  const request = message("GET /orders HTTP/1.1", "Host: g", "Authorization: alice");
  const both = [1, 2].map(() => speak(url, request, /GET \/orders[^]*\r\n\r\n/));
  await both[0];
  reload(readWorld({ ...world, apis: { orders: { listen: "/orders" } } }));
  const { text } = await both[1]!;
  expect(statuses(text)).toEqual([200]);
  expect(text).toContain(`host: ${upstream.url.host}`);
});

test("HTTP/2 without asking gets a clear answer, and the connection closes", async () => {
  const { url } = await gatewayTo(null);
  const { text, ended } = await speak(url, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0");
  expect(statuses(text)).toEqual([400]);
  expect(text).toMatch(/\{"error":"[^"]+"\}$/);
  expect(ended).toBe("closed");
});
