// The messages of the check about an API: the problem, and the correction.
import { expect, test } from "vitest";
import { messages, oas, withApi } from "./worlds.ts";

test.each<readonly [api: unknown, sentences: readonly string[]]>([
  [7, ["an API must be an object; got 7"]],
  [{}, ["the listen path is missing: add listen, such as /orders"]],
  [{ listen: 7 }, ["listen must be a string; got 7"]],
  [{ listen: "orders" }, ['listen path "orders" does not start with "/"; write "/orders"']],
  [{ listen: "/a*" }, ['listen path "/a*" contains "*"; write plain text without wildcards']],
  [
    { listen: "/a/../b" },
    ['listen path "/a/../b" has the segment "..", which normalisation removes from every request'],
  ],
  [
    { listen: "/ready" },
    [
      "the gateway answers /ready by itself, so the API only gets the paths below it: choose another path",
    ],
  ],
  [
    { listen: "/a", definition: { proxy: { listen_path: "/b" } } },
    ["listen is /a, but the API listens on /b: keep one of them"],
  ],
  [{ listen: "/a", definition: { proxy: { listen_path: "/a/" } } }, []],
  [{ listen: 7, definition: { proxy: { listen_path: "/a" } } }, ["listen must be a string; got 7"]],
  [
    { listen: "/a", rate: 5, per: 1, global_rate_limit: { rate: 5, per: 1 } },
    ["rate with per and global_rate_limit both set the limit of the API: keep one of them"],
  ],
  [
    { listen: "/a", target: "ftp://up.example" },
    [
      'target is "ftp://up.example", which is no http or https URL: write a URL such as http://127.0.0.1:8080/base',
    ],
  ],
  [
    { listen: "/a", target: "http://name:secret@up.example" },
    [
      "target is an address which contains a user name, but the gateway sends none: write a URL such as http://127.0.0.1:8080/base",
    ],
  ],
  [
    { listen: "/a", target: "http://up.example/?a" },
    [
      'target is "http://up.example/?a", which holds a query or a fragment, but each request has its own query: write a URL such as http://127.0.0.1:8080/base',
    ],
  ],
  [
    { listen: "/a", target: "http://up.example:0" },
    [
      'target is "http://up.example:0", whose port does not exist: write a URL such as http://127.0.0.1:8080/base',
    ],
  ],
  [
    { listen: "/a", target: "http://up.example:65536" },
    [
      'target is "http://up.example:65536", whose port does not exist: write a URL such as http://127.0.0.1:8080/base',
    ],
  ],
  [
    { listen: "/a", target: "http://up.example/a b" },
    [
      'target is "http://up.example/a b", whose path holds characters that have to be percent-encoded: write a URL such as http://127.0.0.1:8080/base',
    ],
  ],
  [{ listen: "/a", target: 7 }, ["target must be a string; got 7"]],
  [
    { listen: "/a", target: "1http://name@up.example" },
    [
      "target is an address which is no http or https URL: write a URL such as http://127.0.0.1:8080/base",
    ],
  ],
  [
    {
      target: "http://a.example",
      definition: { proxy: { listen_path: "/b", target_url: "http://b.example" } },
    },
    ["target and target_url both set the upstream: keep one of them"],
  ],
  [
    { listen: "/a", endpoints: [{ path: "/x", method: "GTE", rate: 1, per: 1 }] },
    ['"GTE" is not an HTTP method; did you mean GET?'],
  ],
  [
    { listen: "/a", endpoints: [{ path: "/x", method: "PURGE", rate: 1, per: 1 }] },
    [
      '"PURGE" is none of the usual HTTP methods: those are GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS, TRACE, CONNECT',
    ],
  ],
  [
    { listen: "/a", endpoints: [{ path: "/x", method: "a b c d e", rate: 1, per: 1 }] },
    ['"a b c d e" is not an HTTP method'],
  ],
  [
    { listen: "/a", endpoints: [{ method: "GET", rate: 1, per: 1 }] },
    ["path is missing: add path"],
  ],
  [{ listen: "/a", endpoints: 7 }, ["endpoints must be a list; got 7"]],
  [
    { listen: "/a", endpoints: [{ path: 7, method: "GET", rate: 1, per: 1 }] },
    ["path must be a string; got 7"],
  ],
  [
    { listen: "/a", endpoints: [{ path: "/x", method: "version-control", rate: 1, per: 1 }] },
    [
      '"version-control" is none of the usual HTTP methods: those are GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS, TRACE, CONNECT',
    ],
  ],
  [
    {
      listen: "/a",
      endpoints: [
        { path: "/a{x}b", method: "GET", rate: 1, per: 1 },
        { path: "/ab", method: "GET", rate: 1, per: 1 },
      ],
    },
    [],
  ],
  [
    {
      listen: "/a",
      endpoints: [{ path: "/x", method: "GET", rate: 1, per: 1, enabled: true, disabled: true }],
    },
    ["enabled and disabled are both true: keep one of them"],
  ],
  [{ listen: "/a", rate: 0.5, per: 1 }, ["rate 0.5 is below 1: write rate: 1, per: 2"]],
  [
    { listen: "/a", global_rate_limit: { rate: 0.5, per: 1 } },
    ["rate 0.5 is below 1: write rate: 1, per: 2"],
  ],
  [
    { listen: "/a", endpoints: [{ path: "/x", method: "GET", rate: 0.5, per: 1 }] },
    ["rate 0.5 is below 1: write rate: 1, per: 2"],
  ],
  [
    {
      listen: "/a",
      global_rate_limit: {
        rate: 1,
        per: 1,
        smoothing: { enabled: true, threshold: 1, step: 1, trigger: 0.5, delay: 1 },
      },
    },
    ["an API-level limit cannot be smoothed: smooth the limit of a key, a policy or access_rights"],
  ],
  ...(
    [
      [
        "/a[b",
        'path "/a[b" holds "[", which a pattern cannot: use {name}, * or (.*) for what may vary',
      ],
      [
        "/a b",
        'path "/a b" holds " ", which a pattern cannot: percent-encode it, as it is in a request path',
      ],
      ["/{ab", 'the braces of path "/{ab" do not pair up around a name: write {name}'],
      [
        "/a//b",
        'path "/a//b" has "//", which normalisation removes from every request: write the path as it is after normalisation',
      ],
      ["/.*", 'in path "/.*" the dot of ".*" is a literal dot: write * or (.*) for any text'],
      [
        "a*",
        'path "a*" starts neither with "/" nor with a wildcard, so it could never match: write "/a*"',
      ],
      [
        "x".repeat(80),
        `path "${"x".repeat(80)}" starts neither with "/" nor with a wildcard, so it could never match: write "/${"x".repeat(79)}..."`,
      ],
    ] as const
  ).map(
    ([path, sentence]) =>
      [
        { listen: "/a", endpoints: [{ path, method: "GET", rate: 1, per: 1 }] },
        [sentence],
      ] as const,
  ),
  [
    { version_data: { versions: [] }, proxy: { listen_path: "/a" } },
    ["versions must be an object; got a list"],
  ],
  [oas(7, {}), ["paths must be an object; got 7"]],
  [oas({ "/x": 7 }, {}), ["a path item must be an object; got 7"]],
  [oas({}, 7), ["operations must be an object; got 7"]],
  [oas({}, { listOrders: {} }), ['no path declares operationId "listOrders"']],
  [
    oas({ "/x": { get: { operationId: "a" }, post: { operationId: "a" } } }, {}),
    ['operationId "a" is declared twice'],
  ],
  [
    oas(
      { "/x": { get: { operationId: "a" } } },
      {},
      {
        "x-gw-api-gateway": {
          server: { listenPath: { value: "/a" } },
          operations: { a: { rateLimit: { rate: 1, per: "1s" } } },
          middleware: { operations: { a: { rateLimit: { rate: 1, per: "1s" } } } },
        },
      },
    ),
    [
      'operation "a" has two rateLimit objects: keep one of them',
      'an earlier entry limits GET "/x" already, so this one is never reached',
    ],
  ],
  [
    oas({ "/x": { get: { operationId: "a" } } }, { a: { rateLimit: { rate: 0.5, per: "1s" } } }),
    ['rate 0.5 is below 1: write rate: 1, per: "2000ms"'],
  ],
  [
    oas({ "/x": { get: { operationId: "a" } } }, { a: { rateLimit: { rate: 5, per: ["1s"] } } }),
    [
      'per of an OAS rateLimit must be a duration above 0 as a string; got a list: write integers with h, m, s, ms in falling order, such as "1m30s"',
    ],
  ],
  [
    oas({ "/x": { get: { operationId: "a" } } }, { a: { rateLimit: { rate: 5, per: "soon" } } }),
    [
      'per of an OAS rateLimit must be a duration above 0 as a string; got "soon": write integers with h, m, s, ms in falling order, such as "1m30s"',
    ],
  ],
  [{ openapi: 7 }, ["the listen path is missing: add listen, such as /orders"]],
  [{ definition: 7 }, ["an API definition must be an object; got 7"]],
  [oas({ "/x": { get: {}, post: {} } }, {}), []],
  [oas({ "/a[b": { get: { operationId: "a" } } }, { a: { rateLimit: { enabled: false } } }), []],
  [
    {
      proxy: { listen_path: "/a" },
      ...Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`unheard_of_${index}`, 1])),
    },
    [
      `stored, but without effect here: ${Array.from({ length: 20 }, (_, index) => `unheard_of_${index}`).join(", ")}`,
    ],
  ],
  [oas({}, {}, { tags: 7, security: "any" }), []],
  [
    {
      proxy: { listen_path: "/a" },
      ...Object.fromEntries(Array.from({ length: 22 }, (_, index) => [`unheard_of_${index}`, 1])),
    },
    [
      `stored, but without effect here: ${Array.from({ length: 20 }, (_, index) => `unheard_of_${index}`).join(", ")} and 2 more`,
    ],
  ],
  [
    { listen: "/a", rate: 5, global_rate_limit: { rate: 5, per: 1 } },
    [
      "rate 5 needs a window above 0: add per, in seconds",
      "rate with per and global_rate_limit both set the limit of the API: keep one of them",
    ],
  ],
  [
    { listen: "/a", per: 5, global_rate_limit: { rate: 5, per: 1 } },
    [
      "per is set without rate: add rate, or take per away",
      "rate with per and global_rate_limit both set the limit of the API: keep one of them",
    ],
  ],
  [
    {
      proxy: { listen_path: "/a" },
      active: "yes",
      use_keyless: 1,
      disable_rate_limit: 1,
      slug: 7,
      definition: 7,
    },
    [
      "slug must be a string; got 7",
      "definition must be an object; got 7",
      'active must be true or false; got "yes"',
      "use_keyless must be true or false; got 1",
      "disable_rate_limit must be true or false; got 1",
    ],
  ],
  [
    { proxy: { listen_path: "/a" }, version_data: { not_versioned: 7 } },
    ["not_versioned must be true or false; got 7"],
  ],
  [
    {
      proxy: { listen_path: "/a" },
      extended_paths: {
        rate_limit: [
          { path: "/x", method: "GET", rate: 1, per: 1 },
          { path: "/x", method: "GET", rate: 1, per: 1 },
        ],
      },
    },
    ['an earlier entry limits GET "/x" already, so this one is never reached'],
  ],
  [
    {
      listen: "/a",
      endpoints: [
        { path: "/x", method: "GET", rate: 1, per: 1 },
        { path: "/x", method: "GET", rate: 1, per: 1, shadow: true },
      ],
    },
    [],
  ],
  [
    { listen: "/a", endpoints: [{ path: "x".repeat(81), method: "GET", rate: 1, per: 1 }] },
    [
      `path "${"x".repeat(80)}..." starts neither with "/" nor with a wildcard, so it could never match: write "/${"x".repeat(79)}..."`,
    ],
  ],
])("an API %j has these problems", (api, sentences) => {
  expect(messages(withApi(api))).toEqual(sentences);
});
