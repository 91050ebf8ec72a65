import { describe, expect, test } from "vitest";
import {
  parseAllowedReceivers,
  type AllowedReceivers,
} from "../../../src/management/http/allowed-receivers.node.ts";
import { mayReceive } from "../../../src/management/http/receiver-addresses.node.ts";
import { requireValue } from "../../../src/reading/failure.ts";

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
