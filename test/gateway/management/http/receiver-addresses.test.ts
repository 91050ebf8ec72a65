import { BlockList, isIP } from "node:net";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseAllowedReceivers } from "#src/gateway/management/http/allowed-receivers.node.ts";
import {
  mayReceive,
  type AllowedReceivers,
} from "#src/gateway/management/http/receiver-addresses.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import { holds } from "../../../runs.ts";

const allowing = (...list: readonly string[]): AllowedReceivers =>
  requireValue(parseAllowedReceivers(list));

const NO_RECEIVERS = allowing();

/** The first and last address of each network, and the addresses next to them. */
const FORBIDDEN_4 = [
  ["0.0.0.0", "0.255.255.255"],
  ["10.0.0.0", "10.255.255.255"],
  ["100.64.0.0", "100.127.255.255"],
  ["127.0.0.1", "127.255.255.255"],
  ["169.254.0.0", "169.254.169.254"],
  ["172.16.0.0", "172.31.255.255"],
  ["192.0.0.0", "192.0.2.255"],
  ["192.168.0.0", "192.168.255.255"],
  ["198.18.0.0", "198.19.255.255"],
  ["198.51.100.7", "203.0.113.7"],
  ["224.0.0.0", "239.255.255.255"],
  ["240.0.0.0", "255.255.255.255"],
].flat();

const PUBLIC_4 = [
  "1.1.1.1",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "128.0.0.0",
  "169.253.255.255",
  "172.15.255.255",
  "172.32.0.0",
  "192.169.0.0",
  "198.17.255.255",
  "198.20.0.0",
  "223.255.255.255",
];

const hexOf = (address: string): string => {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
};

/** RFC 6890 and what followed it, as the networks of EVT-C3. */
const NOT_PUBLIC_4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
];
const NOT_PUBLIC_6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

/** As it is written, and as IPv6 carries it. */
const FORMS: readonly (readonly [string, (address: string) => string])[] = [
  ["itself", (address) => address],
  ["mapped, by its bytes", (address) => `::ffff:${address}`],
  ["mapped, by its groups", (address) => `::FFFF:${hexOf(address)}`],
  ["mapped, in full", (address) => `0:0:0:0:0:ffff:${hexOf(address)}`],
  ["through NAT64", (address) => `64:ff9b::${address}`],
  ["through NAT64, by its groups", (address) => `0064:ff9b:0:0:0:0:${hexOf(address)}`],
];

describe.each(FORMS)("an address of IPv4, %s (EVT-C3)", (_, form) => {
  test.each(FORBIDDEN_4)("%s is refused", (address) => {
    expect(mayReceive(form(address), 443, NO_RECEIVERS)).toBe(false);
  });

  test.each(PUBLIC_4)("%s may receive", (address) => {
    expect(mayReceive(form(address), 443, NO_RECEIVERS)).toBe(true);
  });

  test("may receive at the port where it is allowed", () => {
    const allowed = allowing("10.0.0.0/8:8443");
    expect(mayReceive(form("10.1.2.3"), 8443, allowed)).toBe(true);
    expect(mayReceive(form("10.1.2.3"), 443, allowed)).toBe(false);
    expect(mayReceive(form("11.1.2.3"), 443, allowed)).toBe(true);
    expect(mayReceive(form("192.168.2.3"), 8443, allowed)).toBe(false);
  });
});

describe("an address of IPv6 (EVT-C3)", () => {
  test.each([
    "::",
    "::1",
    "0:0:0:0:0:0:0:1",
    "::7f00:1", // compatible, as it was once written
    "64:ff9b:1::1", // NAT64 of a local network
    "100::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "3fff::1",
    "fc00::1",
    "fdff::1",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "4000::1",
  ])("%s is refused", (address) => {
    expect(mayReceive(address, 443, NO_RECEIVERS)).toBe(false);
  });

  test.each(["2606:4700:4700::1111", "2a00:1450:4001::200e", "2001:4860:4860::8888"])(
    "%s may receive",
    (address) => {
      expect(mayReceive(address, 443, NO_RECEIVERS)).toBe(true);
    },
  );

  test("may receive where its network is allowed", () => {
    const allowed = allowing("[fd00::/8]:443", "[::1/128]:*");
    expect(mayReceive("fd12::1", 443, allowed)).toBe(true);
    expect(mayReceive("fd12::1", 444, allowed)).toBe(false);
    expect(mayReceive("::1", 9_000, allowed)).toBe(true);
    expect(mayReceive("127.0.0.1", 9_000, allowed)).toBe(false);
  });
});

test.each(["", "localhost", "1.2.3", "0x7f.1", "2130706433", "1.2.3.4.5", ":::1"])(
  "%j is no address",
  (text) => {
    expect(mayReceive(text, 443, NO_RECEIVERS)).toBe(false);
  },
);

test("Node's own list of networks agrees about every address of IPv4 and IPv6", () => {
  const inOctets = fc.oneof(fc.nat(255), fc.constantFrom(0, 10, 100, 127, 169, 172, 192, 198, 254));
  const ipv4 = fc.tuple(inOctets, inOctets, inOctets, inOctets).map((bytes) => bytes.join("."));
  const group = fc.oneof(fc.nat(0xffff), fc.constantFrom(0, 0x64, 0xff9b, 0xffff, 0x2001, 0x2002));
  const groups = fc.array(group, { minLength: 8, maxLength: 8 });
  const ipv6 = groups.map((all) => all.map((each) => each.toString(16)).join(":"));
  const forms = FORMS.map(([, form]) => ipv4.map(form));
  const address = fc.oneof(ipv4, ...forms, ipv6, fc.ipV6());
  holds(
    fc.property(address, (each) => {
      expect([each, mayReceive(each, 443, NO_RECEIVERS)]).toEqual([each, isPublic(each)]);
    }),
    5_000,
  );
});

function isPublic(address: string): boolean {
  const check = (list: readonly string[]): boolean =>
    listOf(list).check(address, familyOf(address));
  if (isIP(address) === 4) return !check(NOT_PUBLIC_4);
  if (!check(["::ffff:0:0/96", "64:ff9b::/96"])) return check(["2000::/3"]) && !check(NOT_PUBLIC_6);
  const short = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [high, low] = short
    .split(":")
    .slice(-2)
    .map((part) => Number.parseInt(part || "0", 16));
  return isPublic([high! >> 8, high! & 255, low! >> 8, low! & 255].join("."));
}

const familyOf = (address: string): "ipv4" | "ipv6" => (isIP(address) === 4 ? "ipv4" : "ipv6");

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [first, bits] = network.split("/");
    list.addSubnet(first!, Number(bits), familyOf(first!));
  }
  return list;
}
