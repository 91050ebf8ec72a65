import { expect, test } from "vitest";
import type { OracleKeyBy, OracleMetaData } from "#src/lab/oracle/configured.ts";
import { ofCredential, ofOption, ofPattern } from "#src/lab/oracle/identity.ts";

const CREDENTIAL = "key alice";
const identityOf = (id: string, metaData: OracleMetaData): string =>
  (ofPattern(metaData) ?? ofCredential(id)).text;

test.each([
  ["$gw_meta.team", { team: "red" }, 'pattern ["red"]'],
  ["$gw_meta.team|$gw_meta.tier", { team: "ab", tier: "c" }, 'pattern ["ab","c"]'],
  ["$gw_meta.team|$gw_meta.tier", { team: "a", tier: "bc" }, 'pattern ["a","bc"]'],
  ["team|$gw_meta.team", { team: "red" }, 'pattern ["team","red"]'],
  ["$gw_meta.n|$gw_meta.b", { n: 7, b: false }, 'pattern ["7","false"]'],
  ["$gw_meta.team", {}, CREDENTIAL],
  ["$gw_meta.team", { team: "" }, CREDENTIAL],
  ["$gw_meta.team", { team: null }, CREDENTIAL],
  ["$gw_meta.team", { team: ["red"] }, CREDENTIAL],
  ["$gw_meta.toString", {}, CREDENTIAL],
  ["$gw_meta.team|$gw_meta.tier", { team: "red" }, CREDENTIAL],
  ["$gw_meta.team|$gw_meta.tier", { team: "red", tier: "" }, CREDENTIAL],
  ["$other.team", { team: "red" }, CREDENTIAL],
  ["", {}, CREDENTIAL],
  ["|", {}, CREDENTIAL],
  [7, {}, CREDENTIAL],
])("the pattern %j over %j is %s (LIM-C8)", (pattern, metaData, identity) => {
  expect(identityOf("alice", { ...metaData, rate_limit_pattern: pattern })).toBe(identity);
});

test("the credential counts for a pattern of more than 4,096 letters, its bars included (LIM-C8)", () => {
  const most = "x".repeat(4_096);
  expect(identityOf("alice", { rate_limit_pattern: "$gw_meta.team", team: most })).toBe(
    `pattern ["${most}"]`,
  );
  expect(identityOf("alice", { rate_limit_pattern: "$gw_meta.team", team: `${most}x` })).toBe(
    CREDENTIAL,
  );
  const withBar = { rate_limit_pattern: "$gw_meta.team|$gw_meta.tier", tier: "gold" };
  expect(identityOf("alice", { ...withBar, team: most.slice(5) })).toMatch(/^pattern /);
  expect(identityOf("alice", { ...withBar, team: most.slice(4) })).toBe(CREDENTIAL);
});

test("a pattern's identity is never a key's (LIM-C8)", () => {
  expect(identityOf("alice", { rate_limit_pattern: "alice" })).not.toBe(CREDENTIAL);
});

const identityBy = (
  by: OracleKeyBy,
  address: string,
  headers: Record<string, string> = {},
  prefix = 64,
) => ofOption(by, { address, headers }, prefix)?.text ?? null;

test("by credential an address has no identity", () => {
  expect(identityBy("credential", "10.0.0.7")).toBeNull();
});

test.each([
  ["10.0.0.7", "10.0.0.7", true],
  ["10.0.0.7", "10.0.0.8", false],
  ["10.0.0.7", "::ffff:10.0.0.7", true],
  ["10.0.0.7", "::FFFF:10.0.0.7", true],
  ["2001:db8::1", "2001:db8::ffff:1", true],
  ["2001:db8::1", "2001:DB8:0:0:0::9", true],
  ["2001:db8::1", "2001:db8:0:1::1", false],
  ["::1", "::2", true],
  ["fe80::1%eth0", "fe80::2%eth1", true],
  ["2001:db8::1", "10.0.0.7", false],
])("%s and %s are one client by their address: %j (LIM-C17)", (one, other, isOne) => {
  expect(identityBy("ip", one) === identityBy("ip", other)).toBe(isOne);
});

test.each([
  [128, "2001:db8::1", "2001:db8::2", false],
  [127, "2001:db8::2", "2001:db8::3", true],
  [48, "2001:db8:0:1::", "2001:db8:0:2::", true],
  [1, "::1", "7fff::", true],
  [1, "::1", "8000::", false],
])("with a prefix of %d bits %s and %s are one: %j", (prefix, one, other, isOne) => {
  expect(identityBy("ip", one, {}, prefix) === identityBy("ip", other, {}, prefix)).toBe(isOne);
});

test("a header is found in any case, its value is taken letter by letter, and without it the address counts", () => {
  const by = { header: "x-tenant" };
  const one = identityBy(by, "10.0.0.7", { "X-Tenant": "one" });
  expect(identityBy(by, "10.0.0.8", { "x-tenant": "one" })).toBe(one);
  expect(identityBy(by, "10.0.0.7", { "x-tenant": "One" })).not.toBe(one);
  expect(identityBy(by, "10.0.0.7", { other: "one" })).toBe(identityBy("ip", "10.0.0.7"));
  const nameOf = (value: string) =>
    ofOption(by, { address: "10.0.0.7", headers: { "X-Tenant": value } }, 64)?.name;
  expect(nameOf("x".repeat(64))).toBe(`header:x-tenant:${"x".repeat(64)}`);
  expect(nameOf("x".repeat(65))).toBeNull(); // which a reset by hand may mean
  expect(identityBy(by, "10.0.0.7", { "x-tenant": "10.0.0.7" })).not.toBe(
    identityBy("ip", "10.0.0.7"),
  );
});
