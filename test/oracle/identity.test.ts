import { expect, test } from "vitest";
import type { MetaData } from "../../src/oracle/configured.ts";
import { ofCredential, ofPattern } from "../../src/oracle/identity.ts";

const CREDENTIAL = "key alice";
const identityOf = (id: string, metaData: MetaData): string =>
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

test("a pattern's identity is never a key's (LIM-C8)", () => {
  expect(identityOf("alice", { rate_limit_pattern: "alice" })).not.toBe(CREDENTIAL);
});
