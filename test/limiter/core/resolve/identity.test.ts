import { describe, expect, test } from "vitest";
import { keyIdentity, patternIdentity } from "#src/limiter/core/resolve/identity.ts";

const of = (rate_limit_pattern: unknown, more: object = {}): string | null =>
  patternIdentity({ rate_limit_pattern, ...more });

describe("the identity under a pattern (LIM-11, LIM-C8)", () => {
  test.each<[string, object, readonly string[]]>([
    ["$gw_meta.org", { org: "north" }, ["north"]],
    ["$gw_meta.org|$gw_meta.plan", { org: "north", plan: "gold" }, ["north", "gold"]],
    ["tenant|$gw_meta.org", { org: "north" }, ["tenant", "north"]],
    ["$gw_meta.count|$gw_meta.flag", { count: 5, flag: false }, ["5", "false"]],
    ["$gw_meta.a b", { "a b": "odd" }, ["odd"]],
    ["fixed", {}, ["fixed"]],
    ["|x|", {}, ["", "x", ""]],
  ])("%s with %j", (pattern, metaData, parts) => {
    expect(of(pattern, metaData)).toBe(`pattern:${JSON.stringify(parts)}`);
  });
});

describe("the credential counts instead (LIM-12, LIM-14, LIM-C8)", () => {
  test.each<[string, unknown, object]>([
    ["there is no pattern", undefined, {}],
    ["it is empty", "", {}],
    ["it is no text", 5, {}],
    ["it comes out empty", "|", {}],
    ["a value is missing", "$gw_meta.org|x", {}],
    ["a value is empty", "$gw_meta.org|x", { org: "" }],
    ["a value is null", "$gw_meta.org", { org: null }],
    ["a value is an object", "$gw_meta.org", { org: { name: "north" } }],
    ["a value is a list", "$gw_meta.org", { org: ["north"] }],
    ["it is inherited, not written", "$gw_meta.toString", {}],
    ["a part is no part", "a$gw_meta.org", { org: "north" }],
    ["another variable is asked for", "$other.org", { org: "north" }],
    ["the name is missing", "$gw_meta.", { "": "north" }],
  ])("where %s", (_, pattern, metaData) => {
    expect(of(pattern, metaData)).toBeNull();
  });

  test("where the values are longer together than any name is", () => {
    const a = "x".repeat(32_000);
    expect(of("$gw_meta.a|".repeat(2_900).slice(0, -1), { a })).toBeNull();
    expect(of("$gw_meta.a", { a: "x".repeat(4_097) })).toBeNull();
    expect(of("$gw_meta.a", { a: "x".repeat(4_096) })).toHaveLength(4_096 + 12);
    expect(of("$gw_meta.a|b", { a: "x".repeat(4_095) })).toBeNull();
    expect(of("$gw_meta.a|b", { a: "x".repeat(4_094) })).toHaveLength(4_095 + 15);
  });

  test("also where only the prototype has a pattern", () => {
    expect(
      patternIdentity(Object.create({ rate_limit_pattern: "x" }) as object as never),
    ).toBeNull();
  });
});

describe("two identities are never one by accident (LIM-C8)", () => {
  const both = "$gw_meta.a|$gw_meta.b";

  test.each([
    ["parts stay apart", of(both, { a: "ab", b: "c" }), of(both, { a: "a", b: "bc" })],
    [
      "a bar inside a value is no bar",
      of(both, { a: "x|y", b: "z" }),
      of(both, { a: "x", b: "y|z" }),
    ],
    [
      "quotes inside a value are none",
      of("$gw_meta.a", { a: 'x","y' }),
      of(both, { a: "x", b: "y" }),
    ],
    ["a pattern is no key", of("$gw_meta.a", { a: "key:alice" }), keyIdentity("alice")],
    ["a key is no pattern", of("north"), keyIdentity('pattern:["north"]')],
  ])("%s", (_, a, b) => {
    expect(a).not.toBe(b);
  });

  test("and two that are alike are one", () => {
    expect(of("$gw_meta.org", { org: "north" })).toBe(of("north"));
    expect(of("$gw_meta.n", { n: 5 })).toBe(of("$gw_meta.n", { n: "5" }));
  });
});
