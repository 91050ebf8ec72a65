import { describe, expect, test } from "vitest";
import { DEFAULT_OPTIONS } from "#src/limiter/world/options.ts";
import { normalizePath } from "#src/gateway/path.ts";
import { apiAt, entryPath, routesOf, withinApi } from "#src/gateway/routes.ts";
import { resolverOf } from "../limiter/core/limiters.ts";

const routes = (listens: readonly string[], more: object = {}) =>
  routesOf(
    resolverOf({
      apis: Object.fromEntries(listens.map((listen) => [listen, { listen, ...more }])),
      keys: {},
      gateway: {},
    }),
  );

/** Enough APIs that they are looked up by their first segment. */
const crowd = Array.from({ length: 20 }, (_, i) => `/crowd${i}`);
const few = ["/a", "/a/b", "/ab"];

describe.each([
  ["few", few],
  ["many", [...few, ...crowd]],
])("which of %s APIs a path belongs to", (_, listens) => {
  test.each([
    ["/a", "/a", "/"],
    ["/a/", "/a", "/"],
    ["/a/x", "/a", "/x"],
    ["/a/b", "/a/b", "/"], // the longest listen path that fits
    ["/a/b/c", "/a/b", "/c"],
    ["/a/bc", "/a", "/bc"], // whole segments only
    ["/ab", "/ab", "/"],
    ["/abc", null, null],
    ["/A", null, null], // case-sensitive (EPT-C1)
    ["/", null, null],
  ])("%s: %s, and within it %s", (path, listen, within) => {
    const found = apiAt(routes(listens), path);
    expect(found?.definition.listenPath ?? null).toBe(listen);
    expect(found === null ? null : withinApi(found, path)).toBe(within);
  });

  test("an API at / takes what no other does, with its whole path", () => {
    const all = routes([...listens, "/"]);
    const found = apiAt(all, "/elsewhere/x")!;
    expect(found.definition.listenPath).toBe("/");
    expect(withinApi(found, "/elsewhere/x")).toBe("/elsewhere/x");
    expect(apiAt(all, "/a/x")?.definition.listenPath).toBe("/a");
  });

  test("an inactive API takes nothing", () => {
    expect(apiAt(routes(listens, { active: false }), "/a")).toBeNull();
  });
});

describe("EPT-C7: the path that entries see where parameters do not count", () => {
  test.each([
    ["/shop", "/shop/a;v=1/b;w", "/a/b"],
    ["/shop", "/shop/a;v=1?x=;y", "/a"],
    ["/shop", "/shop/x/..;v/a", "/a"],
    ["/shop", "/shop/x/%2e%2E;v/a", "/a"],
    ["/shop", "/shop;v/a", "/a"],
    ["/shop", "/shop/;v", "/"],
    ["/shop", "/shop/..;v/a", "/a"], // another way for the API's upstream, and its own for the gateway
    ["/", "/a;v", "/a"],
  ])("%s: %s is %s", (listen, target, expected) => {
    const options = { ...DEFAULT_OPTIONS };
    const endpointMatching = { ...options.endpointMatching, pathParameters: "same" as const };
    const { apis } = resolverOf({ apis: { it: { listen } }, keys: {}, gateway: {} });
    const path = normalizePath(target)!;
    expect(entryPath({ ...options, endpointMatching }, apis[0]!, target, path)).toBe(expected);
    expect(entryPath(options, apis[0]!, target, path)).toBe(withinApi(apis[0]!, path));
  });
});
