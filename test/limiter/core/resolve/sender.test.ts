import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { budgetName } from "#src/limiter/core/budget.ts";
import { client, type Sender } from "#src/limiter/core/client.ts";
import {
  keyIdentity,
  patternIdentity,
  senderIdentity,
} from "#src/limiter/core/resolve/identity.ts";
import { holds } from "../../../runs.ts";

const from = (address: string, headers: Readonly<Record<string, string>> = {}): Sender => ({
  address,
  header: (name) => headers[name] ?? null,
});
const BY_HEADER = { header: "x-client" };

describe("LIM-C17: the identity by the sender", () => {
  test("with key_by credential the sender does not matter", () => {
    expect(senderIdentity("credential", from("10.0.0.7", { "x-client": "a" }), 64)).toBeNull();
  });

  test.each([
    ["10.0.0.7", 64, "ip:10.0.0.7"],
    ["::ffff:10.0.0.7", 64, "ip:10.0.0.7"],
    ["2001:db8:1:2:3:4:5:6", 64, "ip:2001:db8:1:2::/64"],
    ["2001:DB8:1:2::9", 64, "ip:2001:db8:1:2::/64"],
    ["2001:db8:1:2:3:4:5:6", 48, "ip:2001:db8:1::/48"],
    ["2001:db8:1:2:3:4:5:6", 128, "ip:2001:db8:1:2:3:4:5:6"],
    ["", 64, "ip:"],
  ])("by the address %s with /%i: %s", (address, prefix, identity) => {
    expect(senderIdentity("ip", from(address), prefix)).toBe(identity);
  });

  test("by a header, and by the address where it is absent or empty", () => {
    expect(senderIdentity(BY_HEADER, from("10.0.0.7", { "x-client": "a" }), 64)).toBe(
      "header:x-client:a",
    );
    expect(senderIdentity(BY_HEADER, from("10.0.0.7", { "x-client": "" }), 64)).toBe("ip:10.0.0.7");
    expect(senderIdentity(BY_HEADER, from("10.0.0.7"), 64)).toBe("ip:10.0.0.7");
  });

  test("no value makes a long name, and none is another's", () => {
    const long = (end: string): string | null =>
      senderIdentity(BY_HEADER, from("", { "x-client": "a".repeat(8_000) + end }), 64);
    expect(long("b")).not.toBe(long("c"));
    expect(long("b")!.length).toBe("header:x-client:sha256-".length + 64);
    const hashed = long("b")!.slice("header:x-client:".length);
    expect(senderIdentity(BY_HEADER, from("", { "x-client": hashed }), 64)).not.toBe(long("b"));
  });

  test("a client cannot choose to be a key, a pattern, an address or another header", () => {
    const value = fc.oneof(
      fc.string({ maxLength: 100 }),
      fc.constantFrom("key:alice", 'pattern:["red"]', "ip:10.0.0.7", "x-client:a", "|key:alice"),
    );
    holds(
      fc.property(value, value, fc.ipV4(), (one, other, address) => {
        const identity = senderIdentity(BY_HEADER, from(address, { "x-client": one }), 64)!;
        const pattern = patternIdentity({ rate_limit_pattern: "$gw_meta.a", a: one });
        expect([keyIdentity(one), keyIdentity(other), pattern]).not.toContain(identity);
        if (one === "") return;
        expect(identity).not.toBe(senderIdentity("ip", from(one), 64));
        expect(identity).not.toBe(senderIdentity({ header: "x" }, from(address, { x: one }), 64));
        expect(identity === senderIdentity(BY_HEADER, from("", { "x-client": other }), 64)).toBe(
          one === other,
        );
      }),
      1_000,
    );
  });

  test("a quota is the owner's, whatever the rate counts by", () => {
    const sender = client("ip:10.0.0.7", client("key:alice"));
    const limit = { rate: 1, perUs: 1_000_000 as never, smoothing: null };
    const budget = { space: "x", limit, because: [] };
    expect(budgetName({ ...budget, scope: "quota" }, sender)).toBe("x|key:alice");
    expect(budgetName({ ...budget, scope: "key" }, sender)).toBe("x|ip:10.0.0.7");
    expect(budgetName({ ...budget, scope: "api" }, sender)).toBe("x");
    expect(budgetName({ ...budget, scope: "api", isByClient: true }, sender)).toBe("x|ip:10.0.0.7");
  });
});
