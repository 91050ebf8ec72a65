import { describe, expect, test } from "vitest";
import { limitOf } from "#src/limiter/core/limit.ts";
import { configurationOf, oas, problemsOf, withApi } from "./worlds.ts";

const paths = { "/a": { get: { operationId: "getA" }, post: { operationId: "postA" } } };
const limit = { enabled: true, rate: 10, per: "1m30s" };
const read = (raw: unknown, id = "orders"): unknown => configurationOf(withApi(raw)).apis.get(id);

describe("EPT-4: the operationId gets its path and method from paths", () => {
  const endpoints = [
    { method: "POST", pattern: { text: "/a", pieces: ["/a"] }, limit: limitOf(10, 90) },
  ];
  const api = {
    id: "orders",
    name: "orders",
    listenPath: "/orders",
    active: true,
    keyless: false,
    disableRateLimit: false,
    globalRateLimit: null,
    endpoints,
    target: null,
    stripListenPath: false,
    form: "oas",
  };

  test.each([
    ["under middleware", oas(paths, { postA: { rateLimit: limit } })],
    ["without enabled", oas(paths, { postA: { rateLimit: { rate: 10, per: "1m30s" } } })],
    [
      "directly under the extension",
      {
        openapi: "3.0.3",
        paths,
        listen: "/orders",
        "x-gw-api-gateway": { operations: { postA: { rateLimit: limit } } },
      },
    ],
    ["as a version number", oas(paths, { postA: { rateLimit: limit } }, { openapi: 3.1 })],
    ["under openapi", { openapi: oas(paths, { postA: { rateLimit: limit } }) }],
    ["under definition", { definition: oas(paths, { postA: { rateLimit: limit } }) }],
    [
      "with listen beside it",
      {
        listen: "/orders",
        openapi: {
          openapi: "3.0.3",
          paths,
          "x-gw-api-gateway": { operations: { postA: { rateLimit: limit } } },
        },
      },
    ],
  ])("%s", (_how, raw) => {
    expect(problemsOf(withApi(raw))).toEqual([]);
    expect(read(raw)).toEqual(api);
  });

  test("the extension names the API and switches it", () => {
    const extension = {
      info: { id: "o1", name: "Orders", dbId: "d", orgId: "g", state: { active: false } },
      server: { listenPath: { value: "/o/", strip: true }, authentication: { enabled: false } },
      upstream: {
        url: "http://upstream.example",
        rateLimit: { enabled: true, rate: 7, per: "2s" },
      },
      middleware: { global: { skipRateLimit: true } },
    };
    expect(read({ openapi: "3.0.3", "x-gw-api-gateway": extension }, "o1")).toEqual({
      ...api,
      id: "o1",
      name: "Orders",
      listenPath: "/o",
      active: false,
      keyless: true,
      disableRateLimit: true,
      globalRateLimit: limitOf(7, 2),
      endpoints: [],
      target: { origin: "http://upstream.example", path: "" },
      stripListenPath: true,
    });
  });

  test("an API with authentication that is on, or not spoken of, has keys", () => {
    for (const authentication of [{ enabled: true }, {}, null]) {
      const server = { listenPath: { value: "/orders" }, authentication };
      expect(read({ openapi: "3.0.3", "x-gw-api-gateway": { server } })).toMatchObject({
        keyless: false,
      });
    }
  });

  test("switches that are not spoken of are off", () => {
    const server = { listenPath: { value: "/orders" } };
    const extension = { server, info: { state: {} }, middleware: { global: {} } };
    expect(read({ openapi: "3.0.3", "x-gw-api-gateway": extension })).toMatchObject({
      active: true,
      disableRateLimit: false,
      stripListenPath: false,
    });
  });
});

describe("EPT-6, EPT-C3: the order of evaluation is that of the patterns, not of the file", () => {
  test("exact paths, longer literal prefixes, more literal characters, then the text", () => {
    const texts = [
      "/{any}",
      "/a/{x}/{y}",
      "/a/{x}",
      "/a/{b}",
      "/a/{x}/items",
      "/ab",
      "{all}",
      "/a/b",
    ];
    const document = oas(
      Object.fromEntries(
        texts.map((text, index) => [text, { get: { operationId: `op${index}` } }]),
      ),
      Object.fromEntries(texts.map((_, index) => [`op${index}`, { rateLimit: limit }])),
    );
    const { apis } = configurationOf(withApi(document));
    const order = apis.get("orders")?.endpoints.map(({ pattern }) => pattern.text);
    expect(order?.slice(0, 2).toSorted()).toEqual(["/a/b", "/ab"]);
    expect(order?.slice(2)).toEqual([
      "/a/{x}/items",
      "/a/{x}/{y}",
      "/a/{b}",
      "/a/{x}",
      "/{any}",
      "{all}",
    ]);
  });
});

describe("EPT-7: a rateLimit that is off, empty or absent is not there", () => {
  test.each([
    [{ rateLimit: { ...limit, enabled: false } }],
    [{ rateLimit: { enabled: false } }],
    [{ rateLimit: null }],
    [{}],
    [{ rateLimit: {} }],
  ])("%j", (operation) => {
    expect(read(oas(paths, { postA: operation }))).toMatchObject({ endpoints: [] });
  });
});

const operations = "apis.orders.x-gw-api-gateway.middleware.operations";

describe("EPT-C4: errors are named by their operation", () => {
  test.each([
    [{ getB: { rateLimit: limit } }, `CFG-OAS-OPERATION-UNKNOWN ${operations}.getB`],
    [{ getB: {} }, `CFG-OAS-OPERATION-UNKNOWN ${operations}.getB`],
    [
      { getA: { rateLimit: { ...limit, per: 10 } } },
      `CFG-DURATION ${operations}.getA.rateLimit.per`,
    ],
    [
      { getA: { rateLimit: { ...limit, per: "" } } },
      `CFG-DURATION ${operations}.getA.rateLimit.per`,
    ],
    [
      { getA: { rateLimit: { ...limit, per: "1.5s" } } },
      `CFG-DURATION ${operations}.getA.rateLimit.per`,
    ],
    [
      { getA: { rateLimit: { ...limit, per: "1s1m" } } },
      `CFG-DURATION ${operations}.getA.rateLimit.per`,
    ],
    [
      { getA: { rateLimit: { ...limit, per: "0s" } } },
      `CFG-DURATION ${operations}.getA.rateLimit.per`,
    ],
    [
      { getA: { rateLimit: { ...limit, per: null } } },
      `CFG-RATE-WITHOUT-PER ${operations}.getA.rateLimit.rate`,
    ],
    [
      { getA: { rateLimit: { ...limit, smoothing: { enabled: true } } } },
      `CFG-SMOOTHING-PLACE ${operations}.getA.rateLimit.smoothing`,
    ],
    [{ getA: { ratelimit: limit } }, `CFG-UNKNOWN-FIELD ${operations}.getA.ratelimit`],
    [{ getA: 7 }, `CFG-TYPE ${operations}.getA`],
    [[], `CFG-TYPE ${operations}`],
  ])("%j", (limited, problem) => {
    expect(problemsOf(withApi(oas(paths, limited)))).toEqual([problem]);
  });

  test("a pattern is named by its path, and only where it is limited", () => {
    const odd = { "/a?": { get: { operationId: "odd" } } };
    expect(problemsOf(withApi(oas(odd, { odd: { rateLimit: limit } })))).toEqual([
      "CFG-PATTERN-CHARACTER apis.orders.paths./a?",
    ]);
    expect(problemsOf(withApi(oas(odd, {})))).toEqual([]);
  });

  test("an operation limited in both places is an error", () => {
    const both = {
      openapi: "3.0.3",
      paths,
      listen: "/orders",
      "x-gw-api-gateway": {
        operations: { getA: { rateLimit: limit } },
        middleware: { operations: { getA: { rateLimit: limit } } },
      },
    };
    expect(problemsOf(withApi(both))).toContain(
      "CFG-OAS-OPERATION-DUPLICATE apis.orders.x-gw-api-gateway.operations.getA.rateLimit",
    );
  });

  test.each([
    [{ "/a": 7 }, ["CFG-TYPE apis.orders.paths./a"]],
    [{ "/a": null, "x-note": "text" }, []],
    [{ "/a": { get: { operationId: 7 } } }, ["CFG-TYPE apis.orders.paths./a.get.operationId"]],
    [{ "/a": { get: 7, parameters: [], summary: "s" } }, []],
    [[], ["CFG-TYPE apis.orders.paths"]],
  ])("paths %j: %j", (written, problems) => {
    expect(problemsOf(withApi(oas(written, {})))).toEqual(problems);
  });
});

test("another gateway's extension gets a suggestion, other fields are stored with a warning", () => {
  expect(problemsOf(withApi({ ...oas(paths, {}), "x-my-api-gateway": {} }))).toEqual([
    "CFG-UNKNOWN-FIELD apis.orders.x-my-api-gateway",
  ]);
  expect(problemsOf(withApi(oas(paths, { getA: { mockResponse: {}, cache: {} } })))).toEqual([
    "CFG-UNUSED-FIELDS apis.orders",
  ]);
});

const inOrder = (...texts: readonly string[]): readonly string[] => {
  const documented = oas(
    Object.fromEntries(texts.map((text) => [text, { get: { operationId: text } }])),
    Object.fromEntries(texts.map((text) => [text, { rateLimit: limit }])),
  );
  const [api] = configurationOf(withApi(documented)).apis.values();
  return api!.endpoints.map(({ pattern }) => pattern.text);
};

test("a longer beginning goes before more letters in all, and then the text decides", () => {
  const [first, second] = ["/a/{y}", "/{x}/items-by-name"];
  expect([inOrder(first, second), inOrder(second, first)]).toEqual([
    [first, second],
    [first, second],
  ]);
  const [b, x, z] = ["/a/{b}", "/a/{x}", "/a/{z}"];
  for (const texts of [
    [b, x, z],
    [z, x, b],
    [x, z, b],
  ])
    expect(inOrder(...texts)).toEqual([b, x, z]);
});

test("two methods of one path stay in the order of their limits", () => {
  const paths = { "/x": { get: { operationId: "a" }, post: { operationId: "b" } } };
  const of = (...ids: readonly string[]): readonly string[] => {
    const limits = Object.fromEntries(ids.map((id) => [id, { rateLimit: limit }]));
    const [api] = configurationOf(withApi(oas(paths, limits))).apis.values();
    return api!.endpoints.map(({ method }) => method);
  };
  expect([of("a", "b"), of("b", "a")]).toEqual([
    ["GET", "POST"],
    ["POST", "GET"],
  ]);
});

test("an operation that is limited twice is reported at its second limit", () => {
  const operations = { a: { rateLimit: limit } };
  const extension = {
    server: { listenPath: { value: "/o" } },
    operations,
    middleware: { operations },
  };
  const world = withApi(
    oas({ "/x": { get: { operationId: "a" } } }, {}, { "x-gw-api-gateway": extension }),
  );
  const at = "apis.orders.x-gw-api-gateway.operations.a.rateLimit";
  expect(problemsOf(world)).toEqual([
    `CFG-OAS-OPERATION-DUPLICATE ${at}`,
    `CFG-ENDPOINT-DUPLICATE ${at}`,
  ]);
});
