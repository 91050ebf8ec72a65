import { describe, expect, test } from "vitest";
import { readConfiguration } from "#src/limiter/world/read.ts";
import { targetOf } from "#src/limiter/world/target.ts";
import { configurationOf, messages, oas, problemsOf, withApi } from "./worlds.ts";

describe("a target is an absolute URL whose path is a prefix of a request's", () => {
  test.each([
    ["http://up.example", "http://up.example", ""],
    ["http://up.example/", "http://up.example", ""],
    ["https://up.example:8443/base/", "https://up.example:8443", "/base"],
    ["HTTP://Up.Example/Base", "http://up.example", "/Base"],
    ["http://127.0.0.1:80/a/b", "http://127.0.0.1:80", "/a/b"],
    ["http://up.example/a//", "http://up.example", "/a"],
    ["http://up.example:1", "http://up.example:1", ""],
    ["http://up.example:65535", "http://up.example:65535", ""],
    ["http://[::1]:8080/%41", "http://[::1]:8080", "/%41"],
  ])("%s", (text, origin, path) => {
    expect(targetOf(text)).toEqual({ origin, path });
  });

  test.each([
    "up.example",
    "/orders",
    "//up.example",
    "tcp://up.example",
    "http://",
    "http://up.example:0",
    "http://up.example:99999",
    "http://up.example/?a=b",
    "http://up.example/#part",
    "http://name:secret@up.example/",
    "http://up.example/a b",
    "http://up.example/%4",
    "http://up.example/a\r\nHost: other",
  ])("%j is an error at its path", (target) => {
    const world = withApi({ listen: "/orders", target });
    expect(problemsOf(world)).toEqual(["CFG-TARGET apis.orders.target"]);
    expect(messages(world)[0]).not.toContain("secret");
  });
});

describe("every form of an API has its own place for it", () => {
  const target = { origin: "http://up.example", path: "/base" };
  const url = "http://up.example/base";
  const withUpstream = (upstream: object, rest: object = {}): object =>
    oas(
      {},
      {},
      {
        "x-gw-api-gateway": { server: { listenPath: { value: "/orders" } }, upstream },
        ...rest,
      },
    );

  test.each([
    ["the short form", { listen: "/orders", target: url }],
    ["a classic definition", { proxy: { listen_path: "/orders", target_url: url } }],
    ["beside one", { target: url, definition: { proxy: { listen_path: "/orders" } } }],
    ["an OAS document", withUpstream({ url })],
    ["beside one", { target: url, openapi: withUpstream({}) }],
    ["its first server", withUpstream({}, { servers: [{ url }, { url: "http://other.example" }] })],
    [
      "its upstream before its servers",
      withUpstream({ url }, { servers: [{ url: "http://s.example" }] }),
    ],
  ])("%s", (_where, raw) => {
    expect(problemsOf(withApi(raw))).toEqual([]);
    expect(configurationOf(withApi(raw)).apis.get("orders")).toMatchObject({
      target,
      stripListenPath: false,
    });
  });

  test.each([
    ["none", {}],
    ["an empty one", { url: "" }],
  ])("%s has no target, and a server that is not absolute gives none", (_which, upstream) => {
    const raw = withUpstream(upstream, { servers: [{ url: "/v1" }] });
    expect(configurationOf(withApi(raw)).apis.get("orders")?.target).toBeNull();
  });

  test("it is in one place", () => {
    const definition = { proxy: { listen_path: "/orders", target_url: url } };
    expect(problemsOf(withApi({ target: url, definition }))).toEqual([
      "CFG-CONFLICT apis.orders.target",
    ]);
  });

  test("the listen path is removed if the definition sets that", () => {
    const proxy = { listen_path: "/orders", strip_listen_path: true };
    for (const raw of [{ proxy }, { listen: "/orders", strip_listen_path: true }])
      expect(configurationOf(withApi(raw)).apis.get("orders")?.stripListenPath).toBe(true);
  });
});

test("a list of targets has weights, and its first one is the target", () => {
  const target = ["http://a/x/", { url: "http://b:81", weight: 3 }];
  const { configuration } = readConfiguration({ apis: { orders: { listen: "/orders", target } } });
  expect(configuration!.apis.get("orders")).toMatchObject({
    target: { origin: "http://a", path: "/x" },
    targets: [
      { target: { origin: "http://a", path: "/x" }, weight: 1 },
      { target: { origin: "http://b:81", path: "" }, weight: 3 },
    ],
  });
});

test.each<[unknown, string]>([
  [[], "CFG-VALUE apis.orders.target"],
  [["ftp://a"], "CFG-TARGET apis.orders.target.0.url"],
  [[7], "CFG-TYPE apis.orders.target.0.url"],
  [[{ weight: 2 }], "CFG-REQUIRED apis.orders.target.0"],
  [[{ url: "http://a", weight: 0 }], "CFG-VALUE apis.orders.target.0.weight"],
  [[{ url: "http://a", wieght: 1 }], "CFG-UNKNOWN-FIELD apis.orders.target.0.wieght"],
  [["http://a", "http://A/"], "CFG-VALUE apis.orders.target"],
])("%j is refused at its place", (target, what) => {
  const { problems } = readConfiguration({ apis: { orders: { listen: "/orders", target } } });
  expect(problems.map(({ code, path }) => `${code} ${path.join(".")}`)).toEqual([what]);
});
