import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import type { EndpointMatching, EndpointLimit, PathPattern } from "#src/limiter/core/config.ts";
import { limitOf } from "#src/limiter/core/limit.ts";
import { compilePattern } from "#src/limiter/world/pattern.ts";
import {
  comparableMethod,
  endpointTable,
  EXACT_MATCHING,
  isSamePath,
  matchesPattern,
  type Matching,
} from "#src/limiter/core/resolve/endpoint.ts";
import { holds, inRuns } from "../../../runs.ts";

function pattern(text: string): PathPattern {
  const compiled = compilePattern(text);
  if (compiled.pattern === null) throw new Error(compiled.fault.message);
  return compiled.pattern;
}

/** The obvious matcher: try every length for every wildcard. */
function matchesNaively(pieces: readonly string[], path: string): boolean {
  const [first = "", ...rest] = pieces;
  if (rest.length === 0) return path === first;
  if (!path.startsWith(first)) return false;
  for (let skipped = first.length; skipped <= path.length; skipped++) {
    if (matchesNaively(rest, path.slice(skipped))) return true;
  }
  return false;
}

describe("a pattern matches the whole path", () => {
  test.each([
    ["/a", "/a", true],
    ["/a", "/A", false],
    ["/a", "/a/", false],
    ["/a", "/b/a", false],
    ["/a/{id}", "/a/1", true],
    ["/a/{id}", "/a/", true], // the empty string
    ["/a/{id}", "/a/1/2", true], // slashes
    ["/a/{id}", "/a", false],
    ["/a/{id}/b", "/a/b", false], // the slashes on both sides are two
    ["/a/{id}/b", "/a//b", true],
    ["/a/{id}/b", "/a/1/b/2/b", true],
    ["/a/{id}/b", "/a/1/b/2", false],
    ["*", "", true],
    ["(.*)", "/anything", true],
    ["*/b", "/a/b", true],
    ["/a*b*c", "/abc", true],
    ["/a*b*c", "/acbc", true],
    ["/a*b*c", "/acb", false],
    ["/ab*ba", "/aba", false], // the pieces may not overlap
    ["/x*aa*aa", "/xaaa", false],
    ["/file.txt", "/fileXtxt", false], // a dot is a dot
    ["/a+b", "/aab", false],
  ])("%s against %s: %s", (text, path, expected) => {
    expect(matchesPattern(pattern(text), path)).toBe(expected);
  });

  test("it agrees with trying every length for every wildcard", () => {
    const piece = fc.string({ unit: fc.constantFrom("a", "b", "/"), maxLength: 3 });
    const pieces = fc.array(piece, { minLength: 1, maxLength: 4 });
    const path = fc.string({ unit: fc.constantFrom("a", "b", "/"), maxLength: 10 });
    // Half of the paths are made from the pieces, so that matches are common.
    const made = pieces.chain((list) =>
      fc.record({
        list: fc.constant(list),
        path: fc.oneof(
          path,
          fc
            .array(piece, { minLength: list.length, maxLength: list.length })
            .map((fill) =>
              list.map((text, i) => text + (i + 1 < list.length ? (fill[i] ?? "") : "")).join(""),
            ),
        ),
      }),
    );
    const counts = { true: 0, false: 0 };
    holds(
      fc.property(made, ({ list, path: text }) => {
        const expected = matchesNaively(list, text);
        counts[`${expected}`] += 1;
        expect(matchesPattern({ text: "", pieces: list }, text)).toBe(expected);
      }),
      2000,
    );
    expect(Math.min(counts.true, counts.false)).toBeGreaterThan(inRuns(300));
  });

  test("a long piece is found where the engine's own search finds it", () => {
    const counts = { true: 0, false: 0 };
    // Two letters in rows of a few, so that pieces nearly fit in many places.
    const row = fc.tuple(fc.constantFrom("a", "b"), fc.integer({ min: 1, max: 40 }));
    const rows = fc.array(row, { minLength: 6, maxLength: 12 });
    const textOf = (all: readonly (readonly [string, number])[]): string =>
      all.map(([letter, times]) => letter.repeat(times)).join("");
    const made = fc.tuple(rows, rows, rows, fc.boolean()).map(([before, piece, after, isThere]) => {
      const long = textOf([...piece, ["a", 65]]);
      return { long, path: `/${textOf(before)}${isThere ? long : ""}${textOf(after)}` };
    });
    holds(
      fc.property(made, ({ long, path: text }) => {
        const expected = text.includes(long, 1);
        counts[`${expected}`] += 1;
        expect(matchesPattern({ text: "", pieces: ["/", long, ""] }, text)).toBe(expected);
      }),
      500,
    );
    expect(Math.min(counts.true, counts.false)).toBeGreaterThan(inRuns(100));
  });

  test("a long piece is looked at once, and not at all for a path that is shorter", () => {
    const long = `/*${"ab".repeat(1_000)}*`;
    const own = pattern(long);
    const looks = vi.spyOn(String.prototype, "charCodeAt");
    const looksFor = (path: string): number => {
      looks.mockClear();
      matchesPattern(own, path);
      return looks.mock.calls.length;
    };
    try {
      expect(looksFor("/short")).toBe(0);
      const path = `/${"c".repeat(2_100)}`;
      expect(looksFor(path)).toBeGreaterThan(2_000);
      expect(looksFor(path)).toBeLessThan(2 * 2_101); // of the path alone
    } finally {
      looks.mockRestore();
    }
  });

  test("a pattern made to backtrack costs one walk along the path", () => {
    const hostile = pattern(`/${"a*".repeat(500)}b`);
    expect(matchesPattern(hostile, `/${"a".repeat(20_000)}c`)).toBe(false);
  });
});

const entry = (method: string, text: string): EndpointLimit => ({
  method,
  pattern: pattern(text),
  limit: limitOf(1, 1),
});

/** What the table must equal: the first entry, in order, that has the method and matches. */
const findNaively = (limits: readonly EndpointLimit[], method: string, path: string): number =>
  limits.findIndex(
    (limit) => limit.method === method.toUpperCase() && matchesPattern(limit.pattern, path),
  );

describe("the table finds the first limit in order", () => {
  const limits = [
    entry("GET", "/a"),
    entry("GET", "/{any}"),
    entry("GET", "/b"),
    entry("POST", "/b"),
    entry("GET", "/a"),
  ];

  test.each([
    ["an exact path before a pattern", "GET", "/a", 0],
    ["a pattern before an exact path", "GET", "/b", 1],
    ["another method", "POST", "/b", 3],
    ["the method in any case", "post", "/b", 3],
    ["a path of no entry", "POST", "/c", -1],
    ["a method of no entry", "PUT", "/a", -1],
  ])("%s", (_what, method, path, index) => {
    expect(endpointTable(limits, EXACT_MATCHING).find(method, path)).toBe(index);
  });

  test("an empty list finds nothing", () => {
    expect(endpointTable([], EXACT_MATCHING).find("GET", "/")).toBe(-1);
  });

  test("it agrees with walking the list", () => {
    const text = fc.constantFrom("/a", "/b", "/a/b", "/{x}", "/a/{x}", "/{x}/b", "*", "/a*");
    const path = fc.constantFrom("/a", "/b", "/a/b", "/c/b", "/", "");
    const method = fc.constantFrom("GET", "POST");
    const list = fc.array(fc.tuple(method, text), { maxLength: 12 });
    holds(
      fc.property(list, method, path, (entries, used, at) => {
        const made = entries.map(([name, written]) => entry(name, written));
        expect(endpointTable(made, EXACT_MATCHING).find(used.toLowerCase(), at)).toBe(
          findNaively(made, used, at),
        );
      }),
      2000,
    );
  });
});

describe("EPT-C7: what endpoint_matching calls the same", () => {
  const matching = (aspects: Partial<EndpointMatching>, normalizePath = true): Matching => ({
    normalizePath,
    endpointMatching: { ...EXACT_MATCHING.endpointMatching, ...aspects },
  });
  const find = (
    entries: readonly (readonly [string, string])[],
    method: string,
    path: string,
    by: Matching,
  ): number =>
    endpointTable(
      entries.map(([name, text]) => entry(name, text)),
      by,
    ).find(method, path);

  test.each<[Partial<EndpointMatching>, string, string, string, string]>([
    [{ letterCase: "same" }, "GET", "/A/{x}/b", "GET", "/a/Q/B"],
    [{ trailingSlash: "same" }, "GET", "/a", "GET", "/a/"],
    [{ trailingSlash: "same" }, "GET", "/a/", "GET", "/a"],
    [{ trailingSlash: "same" }, "GET", "/a/*", "GET", "/a"],
    [{ trailingSlash: "same" }, "GET", "/a/*/b/", "GET", "/a/x/b"],
    [{ pathParameters: "same" }, "GET", "/a;v=1/b", "GET", "/a/b"],
    [{ pathParameters: "same" }, "GET", "/a;{v}/b", "GET", "/a/b"],
    [{ head: "same" }, "GET", "/a", "HEAD", "/a"],
    [{ head: "same" }, "HEAD", "/a", "GET", "/a"],
    [{ head: "same" }, "GET", "/a", "head", "/a"],
  ])("%j: %s %s is met by %s %s, and is not by default", (aspects, ...[of, text, method, path]) => {
    expect(find([[of, text]], method, path, matching(aspects))).toBe(0);
    expect(find([[of, text]], method, path, EXACT_MATCHING)).toBe(-1);
  });

  test("letters beyond ASCII stay what they are", () => {
    expect(find([["GET", "/%C3%84"]], "GET", "/%C3%A4", matching({ letterCase: "same" }))).toBe(-1);
  });

  test("the order of the list decides among both forms of a path", () => {
    const entries = [
      ["GET", "/b"],
      ["GET", "/a/"],
      ["GET", "/a"],
    ] as const;
    const by = matching({ trailingSlash: "same" });
    expect(find(entries, "GET", "/a", by)).toBe(1);
    expect(find(entries, "GET", "/a/", by)).toBe(1);
    expect(find(entries, "GET", "/", by)).toBe(-1);
  });

  test("digits of escapes are alike only where paths are normalised", () => {
    expect(find([["GET", "/%c3"]], "GET", "/%C3", EXACT_MATCHING)).toBe(0);
    expect(find([["GET", "/%c3"]], "GET", "/%c3", matching({}, false))).toBe(0);
    expect(find([["GET", "/%c3"]], "GET", "/%C3", matching({}, false))).toBe(-1);
  });

  test("the table agrees with walking the list, whatever is the same", () => {
    const text = fc.constantFrom(
      "/a",
      "/A",
      "/a/",
      "/a;v/b",
      "/a/b",
      "/{x}/b",
      "/%c3",
      "/a/*",
      "*",
    );
    const path = fc.constantFrom("/a", "/A/", "/a/", "/a/b", "/A/b/", "/%C3", "/%C3/", "/");
    const method = fc.constantFrom("GET", "HEAD", "POST");
    const aspect = fc.constantFrom("exact" as const, "same" as const);
    const by = fc.record({
      normalizePath: fc.boolean(),
      endpointMatching: fc.record({
        letterCase: aspect,
        trailingSlash: aspect,
        pathParameters: aspect,
        head: aspect,
      }),
    });
    holds(
      fc.property(
        fc.array(fc.tuple(method, text), { maxLength: 8 }),
        method,
        path,
        by,
        (entries, used, at, how) => {
          const walked = entries.findIndex(
            ([name, written]) =>
              comparableMethod(name, how) === comparableMethod(used, how) &&
              isSamePath(pattern(written), at, how),
          );
          expect(find(entries, used, at, how)).toBe(walked);
        },
      ),
      3_000,
    );
  });
});

test("a wildcard in a parameter is left out with it, and reaches nothing else", () => {
  const how: Matching = {
    ...EXACT_MATCHING,
    endpointMatching: { ...EXACT_MATCHING.endpointMatching, pathParameters: "same" },
  };
  const entry = pattern("/a;v={x}/b");
  expect(isSamePath(entry, "/a/b", how)).toBe(true);
  expect(isSamePath(entry, "/abc/zz/b", how)).toBe(false);
});
