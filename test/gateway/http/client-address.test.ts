import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { clientOf, parseTrusted } from "../../../src/gateway/http/trusted.node.ts";
import { requireValue } from "../../../src/reading/failure.ts";

test.each([
  ["no proxy is trusted", [], "127.0.0.1", "1.2.3.4", "127.0.0.1"],
  ["the connection is no proxy's", ["10.0.0.0/8"], "127.0.0.1", "1.2.3.4", "127.0.0.1"],
  ["a trusted proxy sends it", ["127.0.0.1"], "::ffff:127.0.0.1", "6.6.6.6, 1.2.3.4", "1.2.3.4"],
  ["two of them", ["127.0.0.1", "10.0.0.0/8"], "127.0.0.1", "1.2.3.4, 10.1.1.1", "1.2.3.4"],
  ["all are trusted", ["127.0.0.1", "10.0.0.0/8"], "127.0.0.1", "10.1.1.1", "10.1.1.1"],
  ["it sends nothing", ["127.0.0.1"], "127.0.0.1", undefined, "127.0.0.1"],
  ["it sends no address", ["127.0.0.1"], "127.0.0.1", '1.2.3.4, "x"', "127.0.0.1"],
  ["it sends a port", ["127.0.0.1"], "127.0.0.1", "6.6.6.6, 1.2.3.4:55", "1.2.3.4"],
  ["it sends a port of IPv6", ["127.0.0.1"], "127.0.0.1", "[2001:db8::1]:55", "2001:db8::1"],
  ["it sends IPv6 in brackets", ["127.0.0.1"], "127.0.0.1", "[2001:db8::1]", "2001:db8::1"],
  ["a mapped address has a port", ["127.0.0.1"], "127.0.0.1", "[::ffff:1.2.3.4]:55", "1.2.3.4"],
  ["a trusted one has a port", ["127.0.0.1", "::2"], "127.0.0.1", "1.2.3.4:5, [::2]:5", "1.2.3.4"],
  ["IPv6 ends in digits", ["127.0.0.1"], "127.0.0.1", "2001:db8::1:55", "2001:db8::1:55"],
  ["the port is no number", ["127.0.0.1"], "127.0.0.1", "1.2.3.4:x", "127.0.0.1"],
  ["IPv4 is in brackets", ["127.0.0.1"], "127.0.0.1", "[1.2.3.4]:55", "127.0.0.1"],
  ["brackets do not close", ["127.0.0.1"], "127.0.0.1", "[::1:55", "127.0.0.1"],
])("the client of a request, where %s", (_, list, remoteAddress, forwardedFor, client) => {
  const proxies = requireValue(parseTrusted(list));
  const headers = forwardedFor === undefined ? {} : { "x-forwarded-for": forwardedFor };
  const from = { headers, socket: { remoteAddress } } as unknown as IncomingMessage;
  expect(clientOf(from, proxies)).toBe(client);
});
