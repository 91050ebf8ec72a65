import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normalizePath } from "#src/gateway/path.ts";
import { holds } from "../runs.ts";

describe("the path that limits see and that is forwarded (EPT-C7)", () => {
  test.each([
    ["/", "/"],
    ["/a/b", "/a/b"],
    ["/a/", "/a/"],
    ["/a?x=1", "/a"],
    ["/a#part", "/a"],
    ["/a?x=/../b", "/a"],
    ["//a", "/a"],
    ["/a//b///c", "/a/b/c"],
    ["/a/./b", "/a/b"],
    ["/a/.", "/a/"],
    ["/a/../b", "/b"],
    ["/a/..", "/"],
    ["/../../a", "/a"],
    ["/..", "/"],
    ["/a/b/..", "/a/"],
    ["/a/b/../", "/a/"],
    ["/...", "/..."],
    ["/.a", "/.a"],
    ["/a.b", "/a.b"],
    ["/%61%2D%5f%7E%2e", "/a-_~."], // unreserved characters
    ["/%2e%2E/a", "/a"], // which may make dots
    ["/a/%2e%2e/b", "/b"],
    ["/%3a", "/%3A"], // all other escapes stay
    ["/%20", "/%20"],
    ["/%2561", "/%2561"], // and are decoded once
    ["/ä", "/ä"],
    ["/a%C3%A4", "/a%C3%A4"],
    ["/a b", "/a b"],
  ])("%s is %s", (target, path) => {
    expect(normalizePath(target)).toBe(path);
  });

  test.each([
    ["an encoded slash", "/a%2fb"],
    ["one in capitals", "/a%2Fb"],
    ["a backslash", "/a\\b"],
    ["an encoded backslash", "/a%5cb"],
    ["NUL", "/a\0b"],
    ["an encoded NUL", "/a%00"],
    ["no slash in front", "a"],
    ["nothing", ""],
    ["a query alone", "?x=/"],
    ["an escape that is cut off", "/a%2"],
    ["an escape that is none", "/a%zz"],
    ["a percent sign", "/100%"],
  ])("%s is refused with 400", (_, target) => {
    expect(normalizePath(target)).toBeNull();
  });

  test("a query may have characters that a path may not", () => {
    expect(normalizePath("/a?b=%2f\\%00")).toBe("/a");
  });

  test("a path that is normal is left alone, and every path becomes one", () => {
    const piece = fc.constantFrom(
      "/",
      ".",
      "..",
      "a",
      "%2e",
      "%61",
      "%3A",
      "?",
      "#",
      "//",
      "é",
      "%2F",
    );
    holds(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const once = normalizePath(`/${pieces.join("")}`);
        expect(once === null || normalizePath(once) === once).toBe(true);
        expect(once ?? "/").toMatch(/^\/(?!\/)/);
        expect((once ?? "/").split("/").filter((part) => part === "." || part === "..")).toEqual(
          [],
        );
      }),
      2_000,
    );
  });
});
