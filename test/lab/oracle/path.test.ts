import { expect, test } from "vitest";
import {
  apiFor,
  endpointFor,
  matches,
  normalize,
  withoutListenPath,
} from "#src/lab/oracle/path.ts";
import { limitOf } from "#src/limiter/core/limit.ts";
import type { ApiDefinition } from "#src/limiter/core/config.ts";
import { api, endpoint } from "../../histories/world.ts";
import { readWorld } from "./evaluate.ts";

const readApis = (apis: readonly ApiDefinition[]) => [...readWorld({ apis }).apis.values()];

test.each([
  ["/a/b", "/a/b"],
  ["/a/b?x=/../c", "/a/b"],
  ["//a///b", "/a/b"],
  ["/a/./b/../c", "/a/c"],
  ["/a/%2e%2e/b", "/b"],
  ["/../../a", "/a"],
  ["/%61%7Eb", "/a~b"],
  ["/a%20b", "/a%20b"],
  ["/a/", "/a/"],
  ["/a/..", "/"],
  ["/a/b/..", "/a/"],
  ["/a/b/.", "/a/b/"],
  ["/a%2fb", null],
  ["/a%5Cb", null],
  ["/a\\b", null],
  ["/a%00", null],
  ["/a%2", null],
  ["/a%", null],
  ["/a%2g", null],
])("%s is the path %s", (sent, path) => {
  expect(normalize(sent)).toBe(path);
});

test.each([
  ["/a", "/a", true],
  ["/a", "/a/", false],
  ["/a/*/b", "/a/x/b", true],
  ["/a/*/b", "/a/x/y/b", true],
  ["/a/*/b", "/a//b", true],
  ["/a/*/b", "/a/b", false],
  ["/a/*", "/a/", true],
  ["/*/b/*", "/x/b/b/", true],
  ["*", "", true],
  ["/a*a", "/a", false],
  ["/a*b*b", "/abb", true],
  ["/a*b*b", "/ab", false],
  ["/A", "/a", false],
])("the pattern %s against %s is %s", (text, path, isMatch) => {
  expect(matches({ text, pieces: text.split("*") }, path)).toBe(isMatch);
});

test("the longest listen path wins, and ends at a separator", () => {
  const read = (...made: readonly ApiDefinition[]) => readApis(made);
  const apis = read(
    api("short", { listenPath: "/a" }),
    api("long", { listenPath: "/a/b" }),
    api("asleep", { listenPath: "/a/b/c", active: false }),
  );
  expect(apiFor("/a/b/c", apis)?.id).toBe("long");
  expect(apiFor("/a/b/c", apis.toReversed())?.id).toBe("long");
  const [root] = read(api("root", { listenPath: "/" }));
  expect([apiFor("/x", [root!])?.id, apiFor("/a", [root!, ...apis])?.id]).toEqual([
    "root",
    "short",
  ]);
  expect(apiFor("/a/bc", apis)?.id).toBe("short");
  expect(apiFor("/ab", apis)).toBeNull();
  expect([
    withoutListenPath("/a/b", "/a/b"),
    withoutListenPath("/a/b/c", "/a/b"),
    withoutListenPath("/c", "/"),
  ]).toEqual(["/", "/c", "/c"]);
});

test("the first entry of a method and path is taken, the method in any case", () => {
  const entries = [endpoint("GET", "/x", limitOf(1, 1)), endpoint("GET", "/*", limitOf(2, 1))];
  const { options } = readWorld({});
  expect(endpointFor(entries, "get", ["/x"], options)?.limit.rate).toBe(1);
  expect(endpointFor(entries, "GET", ["/y"], options)?.limit.rate).toBe(2);
  expect(endpointFor(entries, "POST", ["/x"], options)).toBeNull();
});
