// The reader of Tyk: API definitions and gateway options. Policies and keys have tests of their own.
import { expect, test } from "vitest";
import { TYK_READER } from "#src/lab/implementations/tyk/read.ts";
import { mustRead, openOf, play, rolesOf, times } from "../read-and-play.ts";
import { classic, decide, keyless, oas, problemsOf, readFiles } from "./world.ts";

const LOG = { use_db_app_configs: false, enable_redis_rolling_limiter: true };

test("each field of a realistic API definition has a role, and no secret is in it", () => {
  const text = `{
  "name": "Orders", "api_id": "orders", "org_id": "a",
  "definition": { "location": "header", "key": "x-version" },
  "auth": { "auth_header_name": "Authorization" },
  "upstream_auth": { "password": "hunter2" },
  "allowed_limits": 3,
  "global_rate_limit": { "rate": 100, "per": 60 },
  "proxy": { "listen_path": "/orders/", "target_url": "http://app" },
  "version_data": { "not_versioned": true, "versions": { "Default": {
    "use_extended_paths": true,
    "extended_paths": {
      "white_list": [{ "path": "/a" }],
      "rate_limit": [{ "path": "/pay", "method": "POST", "rate": 5, "per": 1 }]
    } } } }
}`;
  expect(rolesOf(mustRead(TYK_READER, text))).toMatchInlineSnapshot(`
    [
      "1 question - name: Orders: no file has policies or keys, so keys are taken to have no limits; name a folder that has them",
      "2 read name: Orders",
      "2 read api_id: orders",
      "2 irrelevant org_id: a",
      "3 irrelevant definition:",
      "4 irrelevant auth:",
      "5 irrelevant upstream_auth:",
      "6 not understood allowed_limits: 3: this reader does not know it; if it limits requests, the result is wrong",
      "7 read global_rate_limit:",
      "7 read rate: 100",
      "7 read per: 60",
      "8 read proxy:",
      "8 read listen_path: /orders/",
      "8 irrelevant target_url: http://app",
      "9 read version_data:",
      "9 read not_versioned: true",
      "9 read versions:",
      "9 read Default:",
      "10 read use_extended_paths: true",
      "11 read extended_paths:",
      "12 read white_list:",
      "12 read path: /a",
      "13 read rate_limit:",
      "13 read path: /pay",
      "13 read method: POST",
      "13 read rate: 5",
      "13 read per: 1",
    ]
  `);
});

test("the limit of an API counts all clients together", () => {
  const files = [keyless("a", { global_rate_limit: { rate: 2, per: 60 } }), LOG];
  const requests = ["1", "2", "3"].map((n) => ({ at: 0, path: "/a/x", ip: `192.0.2.${n}` }));
  expect(decide(files, requests)).toBe("++-");
  expect(decide(files, times(3, { at: 0, path: "/b/x" }))).toBe("+++");
});

test("the first entry that has method and path decides, and no other limit of the API", () => {
  const api = keyless("a", { global_rate_limit: { rate: 1, per: 60 } }, [
    { path: "^/x$", method: "GET", rate: 2, per: 60 },
    { path: "/x", method: "GET", rate: 3, per: 60 },
    { path: "/free", method: "GET", rate: -1, per: 60 },
    { path: "/off", method: "GET", rate: 9, per: 60, disabled: true },
  ]);
  const decideAt = (path: string, method = "GET"): string =>
    decide([api, LOG], times(4, { at: 0, path: `/a${path}`, method }));
  expect(decideAt("/x")).toBe("++--");
  expect(decideAt("/xy")).toBe("+++-");
  expect(decideAt("/free")).toBe("++++");
  expect(decideAt("/off")).toBe("+---");
  expect(decideAt("/x", "POST")).toBe("+---");
  expect(decideAt("/other")).toBe("+---");
});

test.each([
  ["/users/{id}", ["/users/1"], ["/users/", "/user"]],
  ["/a/*/z", ["/a/b/z"], ["/a/z", "/a/b/c/z"]],
  ["/a/*", ["/a/b/c", "/a/"], ["/b"]],
])("the pattern %s has its paths alone", (path, inside, outside) => {
  const api = keyless("a", {}, [{ path, method: "GET", rate: 1, per: 60 }]);
  const isCounted = (each: string): boolean =>
    decide([api, LOG], times(2, { at: 0, path: `/a${each}` })) === "+-";
  expect(inside.filter(isCounted)).toEqual(inside);
  expect(outside.filter(isCounted)).toEqual([]);
});

test("a pattern is found anywhere in a path unless the gateway anchors it", () => {
  const api = keyless("a", {}, [{ path: "/x", method: "GET", rate: 1, per: 60 }]);
  const decideAt = (http_server_options: unknown, path: string): string =>
    decide([api, { ...LOG, http_server_options }], times(2, { at: 0, path }));
  expect(decideAt({}, "/a/b/x/y")).toBe("+-");
  expect(decideAt({ enable_path_prefix_matching: true }, "/a/b/x")).toBe("++");
  expect(decideAt({ enable_path_prefix_matching: true }, "/a/x/y")).toBe("+-");
  expect(decideAt({ enable_path_suffix_matching: true }, "/a/x/y")).toBe("++");
  const questions = readFiles([api]).questions.map(({ name, value }) => `${name}=${value}`);
  expect(questions).toEqual([
    "enable_path_prefix_matching=false",
    "enable_path_suffix_matching=false",
    "limiter=drl",
  ]);
});

test("the longest listen path has a request, of the APIs of its host", () => {
  const at = (id: string, listen_path: string, more = {}): object =>
    keyless(id, { proxy: { listen_path }, global_rate_limit: { rate: 1, per: 60 }, ...more });
  const files = [at("a", "/a"), at("b", "/a/b"), at("c", "/a/b/c", { active: false }), LOG];
  const names = (path: string, host = ""): readonly string[] => {
    const { rules } = readFiles([
      ...files.slice(0, 3),
      at("d", "/a", { domain: "d.example" }),
      LOG,
    ]);
    const request = { address: "", method: "GET", target: path, host, header: () => null };
    return rules.flatMap(({ id, budgetOf }) => (budgetOf(request) === null ? [] : [id]));
  };
  expect(names("/a/x", "e.example")).toEqual(["API a"]);
  expect(names("/a/b/c?q=/a", "e.example")).toEqual(["API b"]);
  expect(names("/ab", "e.example")).toEqual(["API a"]);
  expect(names("/a/x", "D.example:80")).toEqual(["API d"]);
  expect(names("/a/x/y", "")).toEqual(["API d"]);
  expect(names("/b/x", "e.example")).toEqual(["API b"]);
  const strict = { ...LOG, http_server_options: { enable_strict_routes: true } };
  expect(decide([at("a", "/a"), strict], times(2, { at: 0, path: "/ab" }))).toBe("++");
  expect(decide([at("a", "/a"), strict], times(2, { at: 0, path: "/a" }))).toBe("+-");
  expect(decide([at("a", "/{v:v[0-9]}/"), LOG], times(2, { at: 0, path: "/v1/x" }))).toBe("+-");
});

test("disable_rate_limit and a disabled limit of the API turn limits off", () => {
  const limit = { rate: 1, per: 60 };
  const decideAt = (more: object): string =>
    decide(
      [keyless("a", { global_rate_limit: limit, ...more }), LOG],
      times(2, { at: 0, path: "/a/" }),
    );
  expect(decideAt({})).toBe("+-");
  expect(decideAt({ disable_rate_limit: true })).toBe("++");
  expect(decideAt({ global_rate_limit: { ...limit, disabled: true } })).toBe("++");
  expect(decideAt({ global_rate_limit: { rate: 0, per: 60 } })).toBe("++");
});

test("of several versions one has the entries, and which is a question", () => {
  const version = (rate: number): object => ({
    use_extended_paths: true,
    extended_paths: { rate_limit: [{ path: "/", method: "GET", rate, per: 60 }] },
  });
  const api = keyless("a-b", {
    version_data: {
      not_versioned: false,
      default_version: "v2",
      versions: { v1: version(1), v2: version(2) },
    },
  });
  const requests = times(3, { at: 0, path: "/a-b/" });
  expect(decide([api, LOG], requests)).toBe("++-");
  expect(decide([api, LOG], requests, { version_of_a_b: "v1" })).toBe("+--");
  expect(problemsOf([api, LOG], { values: { version_of_a_b: "v3" } })).toEqual([
    "--set version_of_a_b=v3 names no version of the API; they are v1, v2",
  ]);
});

const withPaths = (extended_paths: object, use_extended_paths = true): object =>
  keyless("a", {
    global_rate_limit: { rate: 1, per: 60 },
    version_data: {
      not_versioned: true,
      versions: { Default: { use_extended_paths, extended_paths } },
    },
  });

test("use_extended_paths: false leaves the entries without effect", () => {
  const entries = [{ path: "/", method: "GET", rate: 3, per: 60 }];
  const decideWith = (isUsed: boolean): string =>
    decide([withPaths({ rate_limit: entries }, isUsed), LOG], times(4, { at: 0, path: "/a/" }));
  expect([decideWith(true), decideWith(false)]).toEqual(["+++-", "+---"]);
  expect(rolesOf(readFiles([withPaths({ rate_limit: entries }, false), LOG]))).toContainEqual(
    expect.stringMatching(/rate_limit:: without effect, because use_extended_paths is false/),
  );
});

test("a request of the black list, or outside the white list, is rejected before the limit", () => {
  const decideAt = (lists: object, method = "GET"): string =>
    ["/a/x", "/a/y"]
      .map((path) => decide([withPaths(lists), LOG], times(2, { at: 0, path, method })))
      .join(" ");
  expect(decideAt({})).toBe("+- +-");
  expect(decideAt({ black_list: [{ path: "/x", method: "GET" }] })).toBe("++ +-");
  expect(decideAt({ black_list: [{ path: "/x", method: "PUT" }] })).toBe("+- +-");
  expect(decideAt({ white_list: [{ path: "/x", method_actions: { GET: {} } }] })).toBe("+- ++");
  expect(decideAt({ white_list: [{ path: "/x", method_actions: { GET: {} } }] }, "PUT")).toBe(
    "++ ++",
  );
  expect(decideAt({ white_list: [{ path: "/x" }], ignored: [{ path: "/y" }] })).toBe("+- +-");
  expect(decideAt({ white_list: [{ path: "/x", disabled: true }] })).toBe("+- +-");
});

test.each([
  ["drl", {}, "++-----++"],
  ["rolling", { enable_redis_rolling_limiter: true }, "++-------"],
  [
    "sentinel",
    { enable_sentinel_rate_limiter: true, enable_redis_rolling_limiter: true },
    "++-----+-",
  ],
  [
    "fixed-window",
    { enable_fixed_window_rate_limiter: true, enable_sentinel_rate_limiter: true },
    "++---++--",
  ],
])("the limiter %s decides as Tyk's options select it", (_, options, expected) => {
  const api = keyless("a", { global_rate_limit: { rate: 2, per: 10 } });
  const sent = [
    ...times(5, { at: 5, path: "/a/" }),
    ...times(2, { at: 14, path: "/a/" }),
    { at: 15.5, path: "/a/" },
    { at: 15.6, path: "/a/" },
  ];
  expect(decide([api, { use_db_app_configs: false, ...options }], sent)).toBe(expected);
});

test("with several gateways the log replaces DRL for small limits", () => {
  const api = keyless("a", { global_rate_limit: { rate: 2, per: 1 } });
  const options = { use_db_app_configs: false, drl_threshold: 1 };
  const sent = [
    ...times(3, { at: 0.5, path: "/a/" }),
    ...times(1, { at: 1.4, path: "/a/" }),
    ...times(2, { at: 1.6, path: "/a/" }),
  ];
  expect(decide([api, options], sent, { gateways: "1" })).toBe("++--++");
  expect(decide([api, options], sent, { gateways: "2" })).toBe("++--+-");
  expect(problemsOf([api, options], { values: { gateways: "0" } })).toEqual([
    "--set gateways must be an integer of at least 1",
  ]);
});

test("without gateway options the limiter is a question", () => {
  const api = keyless("a", { global_rate_limit: { rate: 1, per: 60 } });
  const sent = [
    { at: 0, path: "/a/" },
    { at: 59, path: "/a/" },
    { at: 61, path: "/a/" },
  ];
  expect(decide([api], sent)).toBe("+-+");
  expect(decide([api], sent, { limiter: "rolling" })).toBe("+--");
  expect(problemsOf([api], { values: { limiter: "gcra" } })).toEqual([
    "--set limiter=gcra is no limiter of Tyk; write drl, rolling, sentinel, fixed-window",
  ]);
});

test("gateway options name the folders of the other files, which may be next to them", () => {
  const options = {
    app_path: "/opt/tyk-gateway/apps/",
    policies: {
      policy_source: "file",
      policy_record_name: "/opt/tyk-gateway/policies/policies.json",
    },
    enforce_org_quotas: true,
    secret: "hunter2",
  };
  const files = {
    "apps/*.json": JSON.stringify(keyless("a", { global_rate_limit: { rate: 1, per: 60 } })),
    "policies/policies.json": JSON.stringify({ gold: { rate: 5, per: 1, access_rights: {} } }),
  };
  const read = mustRead(TYK_READER, JSON.stringify(options, null, 1), { files });
  expect(read.rules.map(({ id, file }) => `${file} ${id}`)).toEqual(["apps/*.json API a"]);
  expect(openOf(read)).toEqual([expect.stringMatching(/limits of organisations are in Redis/)]);
  expect(JSON.stringify(read.statements)).not.toContain("hunter2");
  const alone = mustRead(
    TYK_READER,
    JSON.stringify({ ...options, use_db_app_configs: true }, null, 1),
  );
  expect(openOf(alone)).toEqual([
    expect.stringMatching(/policy_record_name: .*: no file is there, so its limits are missing/),
    expect.stringMatching(/limits of organisations/),
    expect.stringMatching(/use_db_app_configs: true: the API definitions are in a dashboard/),
  ]);
});

test.each([
  ["a list", [keyless("a", { global_rate_limit: { rate: 1, per: 60 } })]],
  [
    "an export of a dashboard",
    {
      apis: [{ api_definition: keyless("a", { global_rate_limit: { rate: 1, per: 60 } }) }],
      pages: 1,
    },
  ],
  [
    "a resource of the operator",
    {
      apiVersion: "tyk.tyk.io/v1alpha1",
      kind: "ApiDefinition",
      metadata: { name: "a" },
      spec: keyless("a", { global_rate_limit: { rate: 1, per: 60 } }),
    },
  ],
])("an API definition is found in %s", (_, file) => {
  expect(play(readFiles([file, LOG]), times(2, { at: 0, path: "/a/" }))).toBe("+-");
});

test.each([
  [
    [keyless("a", { global_rate_limit: { rate: "many", per: 1 } })],
    'in.txt:22: rate must be a number of at least -1; got "many"',
  ],
  [
    [keyless("a", { global_rate_limit: { rate: -5, per: 1 } })],
    'in.txt:22: rate must be a number of at least -1; got "-5"',
  ],
  [[keyless("a"), keyless("a")], "in.txt:1: two APIs have the id a; keep one"],
  [[{ ...LOG, app_path: "" }, LOG], "1.json:1: in.txt has gateway options too; keep one of both"],
  [
    [keyless("a", { global_rate_limit: { rate: 0.5, per: 1 } }), LOG],
    "in.txt:22: Tyk cuts the rate 0.5 to 0, so that no request is admitted; write an integer",
  ],
  [
    [oas("a", { upstream: { rateLimit: { enabled: true, rate: 1, per: "fast" } } })],
    'in.txt:23: rateLimit needs an integer as rate and a per such as 1m30s; got 1 and "fast"',
  ],
])("bad input is one sentence: %#", (files, problem) => {
  expect(problemsOf(files)).toContain(problem);
});

test("a period below a second limits nothing, and windows of the year 1 are named", () => {
  const limit = (per: number): object =>
    classic("a", { use_keyless: true, global_rate_limit: { rate: 1, per } });
  expect(decide([limit(0.5), LOG], times(2, { at: 0, path: "/a/" }))).toBe("++");
  const clock = { use_db_app_configs: false, enable_fixed_window_rate_limiter: true };
  expect(openOf(readFiles([limit(60), clock]))).toEqual([]);
  expect(openOf(readFiles([limit(7), clock]))).toEqual([
    expect.stringMatching(/windows of Tyk count from the year 1/),
  ]);
});
