import type { IncomingMessage } from "node:http";
import { array, constantFrom, nat, property, record, tuple } from "fast-check";
import { expect, test } from "vitest";
import { clientOf, parseTrusted } from "#src/gateway/http/trusted.node.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import { holds } from "../../runs.ts";

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

const SPELLINGS: readonly ((address: string) => string)[] = [
  (address) => address,
  (address) => ` ${address} `,
  (address) => `${address}:443`,
  (address) => `::ffff:${address}`,
  (address) => `[::ffff:${address}]`,
  (address) => `[::ffff:${address}]:443`,
];

test("a client has one address, however each proxy on its way writes it", () => {
  const networks = requireValue(parseTrusted(["10.0.0.0/8"]));
  const entry = record({
    bytes: tuple(nat(255), nat(255), nat(255)),
    as: constantFrom(...SPELLINGS),
  });
  const addressIn = (net: number, { bytes }: { readonly bytes: readonly number[] }): string =>
    [net, ...bytes].join(".");
  holds(
    property(
      entry,
      array(entry, { maxLength: 3 }),
      constantFrom("", "::ffff:"),
      (client, proxies, mapped) => {
        const way = [
          client.as(addressIn(192, client)),
          ...proxies.map((each) => each.as(addressIn(10, each))),
        ];
        const headers = { "x-forwarded-for": `203.0.113.9, ${way.join(",")}` };
        const from = { headers, socket: { remoteAddress: `${mapped}10.0.0.1` } };
        expect(clientOf(from as unknown as IncomingMessage, networks)).toBe(addressIn(192, client));
      },
    ),
    300,
  );
});
