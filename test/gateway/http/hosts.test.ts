// By which names a listener of operators may be addressed: DNS rebinding leads a page's own name to it.
import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { strangeHost } from "#src/gateway/http/hosts.node.ts";

const strangeHostOf = (
  host: string | undefined,
  { bound = "127.0.0.1", further = [] as readonly string[], localAddress = "127.0.0.1" } = {},
): string | null => {
  const headers = host === undefined ? {} : { host };
  const from = { headers, socket: { localAddress } } as unknown as IncomingMessage;
  return strangeHost(from, { bound, further: () => further });
};

test.each([
  "localhost",
  "LocalHost:8081",
  "localhost.:8081",
  "127.0.0.1",
  "127.0.0.1:8081",
  "127.1.2.3:1",
  "[::1]:8081",
  "[0:0:0:0:0:0:0:1]",
  "[::ffff:127.0.0.1]:8081",
])("%s is this machine", (host) => {
  expect(strangeHostOf(host)).toBeNull();
});

test.each([
  ["evil.example", "evil.example"],
  ["evil.example:8081", "evil.example"],
  ["localhost.evil.example", "localhost.evil.example"],
  ["evil-localhost", "evil-localhost"],
  ["127.0.0.1.evil.example", "127.0.0.1.evil.example"],
  ["127.evil", "127.evil"],
  ["2130706433", "2130706433"], // an address to some readers, and a name to others
  ["0x7f.1", "0x7f.1"],
  ["127.1", "127.1"],
  ["10.0.0.7", "10.0.0.7"],
  ["[::2]:80", "::2"],
  ["", ""],
  ["localhost:", ""],
  ["localhost:8081:1", ""],
  ["localhost evil", ""],
  ["localhost@evil.example", ""],
  ["[localhost]", ""],
  ["<b>", ""],
])("%j is strange", (host, shown) => {
  expect(strangeHostOf(host)).toBe(shown);
});

test("a request of HTTP/1.0 without a host comes from no browser", () => {
  expect(strangeHostOf(undefined)).toBeNull();
});

test.each([
  ["the address that the connection came in at", "10.0.0.7:8081", { localAddress: "10.0.0.7" }],
  ["its longer form", "10.0.0.7", { localAddress: "::ffff:10.0.0.7" }],
  ["one of IPv6 in another spelling", "[2001:DB8:0::7]:1", { localAddress: "2001:db8::7" }],
  ["the name that was bound", "weir.internal:8081", { bound: "Weir.internal" }],
  ["the address that was bound", "0.0.0.0:8081", { bound: "0.0.0.0" }],
  ["an address of IPv6 that was bound", "[::]:8081", { bound: "::" }],
  ["a name of the setting", "weir.example.com:443", { further: ["weir.example.com"] }],
  ["an address of the setting", "[2001:db8::1]", { further: ["2001:db8:0::1"] }],
  ["a name below one of the setting", "a.b.example.com", { further: ["*.example.com"] }],
  ["any, if the setting says so", "evil.example", { further: ["*"] }],
])("%s is known", (_what, host, options) => {
  expect(strangeHostOf(host, options)).toBeNull();
});

test.each([
  ["example.com", { further: ["*.example.com"] }],
  ["evilexample.com", { further: ["*.example.com"] }],
  ["a.weir.example.com", { further: ["weir.example.com"] }],
  ["10.0.0.8", { bound: "0.0.0.0", localAddress: "10.0.0.7" }],
])("%s is strange despite the setting", (host, options) => {
  expect(strangeHostOf(host, options)).toBe(host);
});
