import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compilePattern, notNormal } from "#src/limiter/world/pattern.ts";
import { holds } from "../../runs.ts";

describe("EPT-C1: a pattern is cut at its wildcards", () => {
  test.each([
    ["/a", ["/a"]],
    ["/", ["/"]],
    ["/a/{id}", ["/a/", ""]],
    ["/a/{id}/b", ["/a/", "/b"]],
    ["/a/*", ["/a/", ""]],
    ["/a/(.*)/b", ["/a/", "/b"]],
    ["/a/{x}{y}*(.*)", ["/a/", ""]],
    ["*", ["", ""]],
    ["{any}", ["", ""]],
    ["/a.b-c_d~e!f&g'h,i;j=k:l@m%C3n+o", ["/a.b-c_d~e!f&g'h,i;j=k:l@m%C3n+o"]],
  ])("%s", (text, pieces) => {
    expect(compilePattern(text)).toEqual({ pattern: { text, pieces }, fault: null, warning: null });
  });
});

describe("EPT-C1: an invalid pattern is rejected by name", () => {
  test.each([
    ["/a$", "CFG-PATTERN-CHARACTER", '"$"'],
    ["^/a", "CFG-PATTERN-CHARACTER", '"^"'],
    ["/a\\d", "CFG-PATTERN-CHARACTER", '"\\\\"'],
    ["/[ab]", "CFG-PATTERN-CHARACTER", '"["'],
    ["/a]", "CFG-PATTERN-CHARACTER", '"]"'],
    ["/a?", "CFG-PATTERN-CHARACTER", '"?"'],
    ["/a|b", "CFG-PATTERN-CHARACTER", '"|"'],
    ["/(a)", "CFG-PATTERN-CHARACTER", '"("'],
    ["/(.+)", "CFG-PATTERN-CHARACTER", '"("'],
    ["/a)", "CFG-PATTERN-CHARACTER", '")"'],
    ["/{id:[0-9]+}", "CFG-PATTERN-CHARACTER", '"["'],
    ["/a b", "CFG-PATTERN-CHARACTER", '" "'],
    ["/a#b", "CFG-PATTERN-CHARACTER", '"#"'],
    ["/caf\u00e9", "CFG-PATTERN-CHARACTER", '"\u00e9"'],
    ["/\u{1f600}", "CFG-PATTERN-CHARACTER", '"\u{1f600}"'],
    ["/{a", "CFG-PATTERN-BRACES", '"/{a"'],
    ["/a}", "CFG-PATTERN-BRACES", '"/a}"'],
    ["/{}", "CFG-PATTERN-BRACES", '"/{}"'],
    ["/{a{b}}", "CFG-PATTERN-BRACES", '"/{a{b}}"'],
    ["a/b", "CFG-PATTERN-SLASH", '"a/b"'],
    ["", "CFG-PATTERN-SLASH", '""'],
  ])("%s", (text, code, named) => {
    const { fault } = compilePattern(text);
    expect(fault).toMatchObject({ code });
    expect(fault?.message).toContain(named);
  });

  test("no text whatever makes it throw, and what it accepts has only literal pieces", () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom("/", "a", "{", "}", "*", "(", ".", ")") }),
    );
    holds(
      fc.property(text, (written) => {
        const { pattern, fault } = compilePattern(written);
        expect(pattern === null).toBe(fault !== null);
        expect(pattern?.pieces.join("") ?? "").not.toMatch(/[{}*()]/);
      }),
      2000,
    );
  });
});

describe("EPT-C7: a pattern that no normalised path can match is a warning", () => {
  test.each([
    ["/a//b", '"//"'],
    ["/a/../b", 'the segment ".."'],
    ["/a/.", 'the segment "."'],
    ["/%7Ea", 'the escape "%7E"'],
    ["/%2f", 'the escape "%2f"'],
    ["/a%2Fb", 'the escape "%2F"'],
    ["/100%", 'the escape "%"'],
    ["/%%41", 'the escape "%%4"'],
  ])("%s", (text, what) => {
    expect(notNormal(text)).toBe(what);
    expect(compilePattern(text)).toMatchObject({
      fault: null,
      warning: { code: "CFG-PATTERN-NEVER" },
    });
  });

  test("small digits of an escape are those of requests, in capitals", () => {
    expect(compilePattern("/%c3%A9")).toMatchObject({ fault: null, warning: null });
    expect(notNormal("/%c3")).toBe('the escape "%c3"');
  });

  test.each(["/a/.*", "/a/.well-known", "/a..b", "/...", "/%C3%A9", "/%*", "/%4*", "/a/"])(
    "%s is none",
    (text) => {
      expect(notNormal(text)).toBeNull();
    },
  );
});

test("a regular expression's .* is warned of, a glob on an extension is not", () => {
  expect(compilePattern("/a/.*")).toMatchObject({ warning: { code: "CFG-PATTERN-DOT-STAR" } });
  expect(compilePattern("/file.*")).toMatchObject({ warning: null });
});
