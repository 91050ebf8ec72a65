import * as fc from "fast-check";
import { isIP, BlockList } from "node:net";
import { describe, expect, test } from "vitest";
import { addressAt, formatAddress, networkOf, parseAddress } from "#src/limiter/core/address.ts";
import { holds } from "../../runs.ts";

const same = (text: string): string | null => {
  const bytes = parseAddress(text);
  return bytes === null ? null : formatAddress(bytes);
};

describe("one address has one text", () => {
  test.each([
    ["10.0.0.7", "10.0.0.7"],
    ["::ffff:10.0.0.7", "10.0.0.7"],
    ["::FFFF:a00:7", "10.0.0.7"],
    ["2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
    ["2001:db8::1:0:0:1", "2001:db8::1:0:0:1"],
    ["2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"],
    ["::", "::"],
    ["1::", "1::"],
    ["64:ff9b::192.0.2.33", "64:ff9b::c000:221"],
    ["fe80::1%eth0", "fe80::1"],
  ])("%s is %s", (text, expected) => {
    expect(same(text)).toBe(expected);
  });

  test.each([
    "",
    "10.0.0",
    "10.0.0.256",
    "010.0.0.1",
    "10.0.0.1.2",
    "1.2.3.4:80",
    "::1::",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7::8",
    "g::1",
    "12345::",
    "::1.2.3",
    "localhost",
  ])("%s is none", (text) => {
    expect(same(text)).toBeNull();
  });

  test("whatever a socket calls an address is one, and its text is read back", () => {
    holds(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        expect(isIP(text)).not.toBe(0);
        const once = same(text);
        expect(once).not.toBeNull();
        expect(same(once!)).toBe(once);
        const list = new BlockList();
        list.addAddress(text, isIP(text) === 4 ? "ipv4" : "ipv6");
        expect(list.check(once!, isIP(once!) === 4 ? "ipv4" : "ipv6")).toBe(true);
      }),
      500,
    );
  });
});

describe("networks", () => {
  test.each([
    ["10.1.2.3", 24, "10.1.2.0"],
    ["10.1.2.255", 25, "10.1.2.128"],
    ["10.1.2.3", 32, "10.1.2.3"],
    ["10.1.2.3", 0, "0.0.0.0"],
    ["2001:db8:1:2:3:4:5:6", 64, "2001:db8:1:2::"],
    ["2001:db8:1:2:3:4:5:6", 49, "2001:db8:1::"],
  ])("%s/%i begins at %s", (text, bits, first) => {
    expect(formatAddress(networkOf(parseAddress(text)!, bits))).toBe(first);
  });

  test.each([
    ["10.0.0.0", 7, "10.0.0.7"],
    ["10.0.0.250", 10, "10.0.1.4"],
    ["10.0.0.0", 65_536, "10.1.0.0"],
    ["2001:db8::", 4_294_967_296, "2001:db8::1:0:0"],
  ])("%s and %i more is %s", (first, place, expected) => {
    expect(formatAddress(addressAt(parseAddress(first)!, place))).toBe(expected);
  });
});
