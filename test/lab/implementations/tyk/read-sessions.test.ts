// Policies and keys of Tyk: which limit a key has at each API, and with what it shares its counters.
import { describe, expect, test } from "vitest";
import { openOf, times, type Sent } from "../read-and-play.ts";
import { classic, decide, oas, policy, problemsOf, readFiles } from "./world.ts";

const LOG = { use_db_app_configs: false, enable_redis_rolling_limiter: true };
const [A, B] = [classic("a"), classic("b")];

const at = (path: string, count: number): readonly Sent[] => times(count, { at: 0, path });

test("every client has the limit of its policy for all of its APIs together", () => {
  const gold = policy("gold", { a: {}, b: {} }, { rate: 3, per: 60, quota_max: -1 });
  const requests = [...at("/a/", 2), ...at("/b/", 2)];
  expect(decide([A, B, gold, LOG], requests)).toBe("+++-");
  expect(decide([A, B, gold, LOG], [...requests, { path: "/a/", ip: "192.0.2.9" }])).toBe("+++-+");
  expect(decide([A, B, gold, LOG], requests, { policy: "none" })).toBe("++++");
  const byHeader = [{ headers: { "x-key": "k" }, at: 0, path: "/a/" }, ...at("/a/", 3)];
  expect(decide([A, B, gold, LOG], byHeader, { client: "header:x-key" })).toBe("++++");
});

test("exactly one rate applies: that of the endpoint, of the API, or of the key", () => {
  const endpoints = [{ path: "^/pay", methods: [{ name: "GET", limit: { rate: 1, per: 60 } }] }];
  const gold = policy(
    "gold",
    { a: { limit: { rate: 2, per: 60 }, endpoints }, b: {} },
    { rate: 3, per: 60, partitions: { per_api: true } },
  );
  const requests = [...at("/a/pay", 2), ...at("/a/", 3), ...at("/b/", 4)];
  expect(decide([A, B, gold, LOG], requests)).toBe("+-++-+++-");
  const free = JSON.parse(JSON.stringify(gold).replace('"rate":1', '"rate":-1')) as object;
  expect(decide([A, B, free, LOG], at("/a/pay", 4))).toBe("++++");
});

const key = (more: object): object => ({ expires: 0, apply_policies: [], ...more });

test("a key without policies counts an API with its own limit apart", () => {
  const own = key({
    rate: 2,
    per: 60,
    access_rights: { a: { limit: null }, b: { limit: { rate: 1, per: 60 } } },
  });
  expect(decide([A, B, own, LOG], [...at("/b/", 2), ...at("/a/", 3)])).toBe("+-++-");
  const shared = key({ rate: 2, per: 60, access_rights: { a: {}, b: {} } });
  expect(decide([A, B, shared, LOG], [...at("/b/", 1), ...at("/a/", 2)])).toBe("++-");
});

test("a key of an export is known by its credential, which is printed nowhere", () => {
  const exported = { key_id: "s3cret", data: key({ rate: 1, per: 60, access_rights: { a: {} } }) };
  const gold = policy("gold", { a: {} }, { rate: 2, per: 60 });
  const requests = [
    ...times(2, { at: 0, path: "/a/", headers: { authorization: "s3cret" } }),
    ...times(3, { at: 0, path: "/a/", headers: { authorization: "other" } }),
  ];
  const values = { client: "header:authorization", policy: "gold" };
  expect(decide([A, gold, exported, LOG], requests, values)).toBe("+-++-");
  const read = readFiles([A, gold, exported, LOG], { values });
  expect(JSON.stringify([read.statements, read.rules.map(({ id }) => id)])).not.toContain("s3cret");
});

test("a key has what its policies supply, and its own numbers where they supply none", () => {
  const access = policy("access", { a: {} }, { rate: 9, per: 60, partitions: { acl: true } });
  const own = key({ apply_policies: ["access"], rate: 1, per: 60, access_rights: {} });
  expect(decide([A, access, own, LOG], at("/a/", 3))).toBe("+--");
  const whole = policy("access", { a: {} }, { rate: 2, per: 60 });
  expect(decide([A, whole, own, LOG], at("/a/", 3))).toBe("++-");
  const lost = key({ apply_policy_id: "gone", access_rights: {} });
  expect(openOf(readFiles([A, lost, LOG])).join("\n")).toContain("no file has its policy gone");
});

test("of several policies the fastest limit applies, and -1 is the fastest", () => {
  const decideMerged = (first: object, second: object, count = 6): string =>
    decide(
      [A, policy("x", { a: {} }, first), policy("y", { a: {} }, second), LOG],
      at("/a/", count),
      { policy: "x,y" },
    );
  expect(decideMerged({ rate: 2, per: 60 }, { rate: 3, per: 60 })).toBe("+++---");
  expect(decideMerged({ rate: 3, per: 60 }, { rate: 2, per: 60 })).toBe("+++---");
  expect(decideMerged({ rate: 2, per: 60 }, { rate: 4, per: 120 })).toBe("++----");
  expect(decideMerged({ rate: 2, per: 60 }, { rate: -1, per: 60 })).toBe("++++++");
  expect(decideMerged({ rate: 2, per: 60 }, { rate: 0, per: 0 })).toBe("++----");
});

test("an access policy and a rate policy together make one limit", () => {
  const access = policy("access", { a: {}, b: {} }, { rate: 9, per: 1, partitions: { acl: true } });
  const rate = policy("rate", { a: {} }, { rate: 2, per: 60, partitions: { rate_limit: true } });
  const files = [A, B, access, rate, LOG];
  expect(decide(files, [...at("/a/", 3), ...at("/b/", 1)], { policy: "access,rate" })).toBe("++--");
  expect(decide(files, at("/a/", 3), { policy: "rate" })).toBe("+++"); // it grants no access
});

test("policies that grant different APIs have counters of their own", () => {
  const files = [
    A,
    B,
    policy("x", { a: {} }, { rate: 2, per: 60 }),
    policy("y", { b: {} }, { rate: 2, per: 60 }),
    LOG,
  ];
  expect(decide(files, [...at("/a/", 3), ...at("/b/", 3)], { policy: "x,y" })).toBe("++-++-");
});

test("equal endpoints of two policies become one limit, the faster one", () => {
  const endpoints = (rate: number, per: number): object => ({
    a: { endpoints: [{ path: "/p", methods: [{ name: "get", limit: { rate, per } }] }] },
  });
  const decideMerged = (
    first: readonly [number, number],
    second: readonly [number, number],
  ): string =>
    decide(
      [A, policy("x", endpoints(...first), {}), policy("y", endpoints(...second), {}), LOG].map(
        (each) => ("state" in each ? { ...each, quota_max: -1 } : each),
      ),
      at("/a/p", 4),
      { policy: "x,y" },
    );
  expect(decideMerged([1, 60], [2, 60])).toBe("++--");
  expect(decideMerged([2, 60], [1, 60])).toBe("++--");
  expect(decideMerged([1, 30], [2, 60])).toBe("++--");
  expect(decideMerged([2, 60], [1, 30])).toBe("++--");
});

test("a quota refuses after the rate, and counts what the rate admits", () => {
  const gold = policy("gold", { a: {} }, { rate: 2, per: 1, quota_max: 3, quota_renewal_rate: 60 });
  const requests = [0, 1.5, 3].flatMap((second) => times(3, { at: second, path: "/a/" }));
  expect(decide([A, gold, LOG], [...requests, { at: 61, path: "/a/" }])).toBe("++-+-----+");
  expect(readFiles([A, gold, LOG]).rules.map(({ id, status }) => `${status} ${id}`)).toEqual([
    "429 policy gold",
    "403 policy gold, quota",
  ]);
  const once = policy("gold", { a: {} }, { quota_max: 1 });
  expect(readFiles([A, once, LOG]).rules[0]).toMatchObject({ written: "1 in all" });
  expect(
    decide(
      [A, once, LOG],
      [
        { at: 0, path: "/a/" },
        { at: 1e6, path: "/a/" },
      ],
    ),
  ).toBe("+-");
  const off = classic("a", { disable_quota: true });
  expect(decide([off, once, LOG], at("/a/", 3))).toBe("+++");
});

test("two policies have the larger quota with the longer renewal", () => {
  const quota = (quota_max: number, quota_renewal_rate: number): object => ({
    quota_max,
    quota_renewal_rate,
  });
  const files = [
    A,
    policy("x", { a: {} }, quota(1, 90)),
    policy("y", { a: {} }, quota(2, 30)),
    LOG,
  ];
  const requests = [...at("/a/", 3), { at: 60, path: "/a/" }, { at: 91, path: "/a/" }];
  expect(decide(files, requests, { policy: "x,y" })).toBe("++--+");
  expect(decide(files, requests, { policy: "y,x" })).toBe("++--+");
});

test("a key refused by its rate spends nothing of the API, and the API refuses what the key has spent", () => {
  const gold = policy("gold", { a: {} }, { rate: 1, per: 60 });
  const api = classic("a", { global_rate_limit: { rate: 2, per: 60 } });
  const of = (ip: string): Sent => ({ at: 0, path: "/a/", ip });
  expect(decide([api, gold, LOG], [of("x"), of("x"), of("y"), of("z")])).toBe("+-+-");
  const wide = policy("gold", { a: {} }, { rate: 2, per: 60 });
  const narrow = classic("a", { global_rate_limit: { rate: 1, per: 60 } });
  const both = [narrow, wide, B, policy("b", { b: {} }, { rate: 2, per: 60 }), LOG];
  expect(decide(both, [of("x"), of("x"), of("x")])).toBe("+--");
});

test("disable_rate_limit of an API turns off the limit of keys too", () => {
  const gold = policy("gold", { a: {} }, { rate: 1, per: 60 });
  expect(decide([A, gold, LOG], at("/a/", 2))).toBe("+-");
  expect(decide([classic("a", { disable_rate_limit: true }), gold, LOG], at("/a/", 2))).toBe("++");
});

const SMOOTHING = { enabled: true, threshold: 2, step: 2, trigger: 0.5, delay: 1 };

test("smoothing begins at its threshold, if the gateway turns it on and its limiter has it", () => {
  const gold = policy("gold", { a: {} }, { rate: 6, per: 60, smoothing: SMOOTHING });
  const decideWith = (options: object): string =>
    decide([A, gold, { ...LOG, ...options }], at("/a/", 7));
  expect(decideWith({})).toBe("++++++-");
  expect(decideWith({ enable_rate_limit_smoothing: true })).toBe("++-----");
  const drl = { enable_redis_rolling_limiter: false, enable_rate_limit_smoothing: true };
  expect(decideWith(drl)).toBe("++++++-");
  expect(decide([A, gold], at("/a/", 3), { limiter: "rolling" })).toBe("+++");
  const values = { limiter: "rolling", enable_rate_limit_smoothing: "true" };
  expect(decide([A, gold], at("/a/", 3), values)).toBe("++-");
});

test("policies that no client is taken to have are questions", () => {
  const files = [
    A,
    policy("x", { a: {} }, { rate: 1, per: 60 }),
    policy("y", { a: {} }, { rate: 2, per: 60 }),
    policy("old", { a: {} }, { rate: 1, per: 1, is_inactive: true }),
    LOG,
  ];
  const read = readFiles(files);
  expect(read.questions.map(({ name, value }) => `${name}=${value}`)).toEqual([
    "policy=x",
    "client=remote_address",
  ]);
  expect(openOf(read)).toEqual([
    expect.stringMatching(
      /each client is taken to have a key of x; --set policy=NAME,NAME or none/,
    ),
    expect.stringMatching(/no client is taken to have it; --set policy=y changes it/),
    expect.stringMatching(/no client is taken to have it; --set policy=old changes it/),
  ]);
});

test("a policy alone limits APIs whose listen paths are questions", () => {
  const one = policy("x", { "api-1": {} }, { rate: 1, per: 60 });
  expect(decide([one, LOG], at("/any", 2))).toBe("+-");
  expect(decide([one, LOG], at("/any", 2), { listen_path_of_api_1: "/some/" })).toBe("++");
  const two = policy("x", { a: {}, b: {} }, { rate: 1, per: 60 });
  expect(decide([two, LOG], [...at("/a/x", 2), ...at("/b/x", 1), ...at("/c", 2)])).toBe("+--++");
});

describe("rate_limit_pattern", () => {
  const policyWith = (pattern: string, more: object = {}): object =>
    policy(
      "gold",
      { a: {} },
      {
        rate: 1,
        per: 60,
        meta_data: { rate_limit_pattern: pattern, team: "x", ...more },
      },
    );
  const from = (ip: string, team = ""): Sent => ({
    at: 0,
    path: "/a/x",
    ip,
    headers: { "x-team": team },
  });
  const sent = [from("192.0.2.1", "x"), from("192.0.2.2", "x"), from("192.0.2.1", "y")];

  test.each([
    ["of text and metadata counts all keys together", "$tyk_meta.team|gold", true, "+--"],
    ["of a header counts by it", "team $tyk_context.headers_X_Team", true, "+-+"],
    ["of the address counts by it", "$tyk_context.remote_addr", true, "++-"],
    ["of the path counts by it", "$tyk_context.path", true, "+--"],
    ["with missing variables alone is empty, and the key counts", "$tyk_meta.gone", true, "++-"],
    ["with a sign beside them is not", "$tyk_meta.gone|", true, "+--"],
    [
      "cannot read a request of an API without context variables",
      "$tyk_context.headers_X_Team",
      false,
      "++-",
    ],
  ])("a pattern %s", (_, pattern, hasContext, decisions) => {
    const api = classic("a", { enable_context_vars: hasContext });
    expect(decide([api, policyWith(pattern), LOG], sent)).toBe(decisions);
  });

  test("the policy wins over the key, and an OAS API has context variables", () => {
    const key = {
      key_id: "k",
      apply_policies: ["gold"],
      access_rights: { a: {} },
      meta_data: { rate_limit_pattern: "all", team: "y" },
    };
    const files = [
      oas("a", { server: { listenPath: { value: "/a/" }, authentication: { enabled: true } } }),
      policyWith("$tyk_meta.team $tyk_context.headers_X_Team"),
      key,
      LOG,
    ];
    expect(decide(files, sent)).toBe("+-+");
    expect(openOf(readFiles(files)).filter((line) => line.includes("rate_limit_pattern"))).toEqual(
      [],
    );
  });
});

test("statements that are not understood are named with its consequence", () => {
  const gold = policy(
    "gold",
    { a: { allowed_urls: [{ url: "/x" }] }, gone: {} },
    {
      rate: 1,
      per: 60,
      throttle_interval: 5,
      throttle_retry_limit: 2,
      meta_data: { rate_limit_pattern: "$tyk_meta.user|$secret_env.SALT" },
      access_rights_array: [{ api_id: "a", limit: { rate: 5, per: 1 } }],
      rate_of_something: 1,
    },
  );
  const open = openOf(readFiles([A, gold, LOG])).filter((line) => line.includes("not understood"));
  expect(open.map((line) => line.replace(/^\d+ not understood /, ""))).toEqual([
    "allowed_urls:: other requests are rejected before a limit, and counted here",
    "gone:: no file has the API gone, so its requests are not limited here",
    "throttle_interval: 5: a refused request waits and tries again, and is refused here",
    "rate_limit_pattern: $tyk_meta.user|$secret_env.SALT: it names what counts as a client by a variable that this reader does not know; --set client=header:NAME counts by a header",
    "rate_of_something: 1: this reader does not know it; if it limits requests, the result is wrong",
  ]);
});

test.each([
  [
    { policy: "silver" },
    "--set policy=silver names no policy or key of the files; they are gold, or none",
  ],
  [
    { client: "?" },
    "--set client=? is no source; write all, none, path:/PREFIX, header:NAME, remote_address, path, method or host",
  ],
])("--set %o is one problem", (values, problem) => {
  const gold = policy("gold", { a: {} }, { rate: 1, per: 60 });
  expect(problemsOf([A, gold, LOG], { values })).toEqual([problem]);
});

test("per_api together with a partition is a problem, as Tyk rejects such keys", () => {
  const gold = policy(
    "gold",
    { a: {} },
    { rate: 1, per: 60, partitions: { per_api: true, acl: true } },
  );
  expect(problemsOf([A, gold, LOG])).toEqual([
    expect.stringMatching(/^1\.json:\d+: per_api cannot be combined with acl/),
  ]);
});

test("a request of the ignored list meets the limit of the API alone", () => {
  const ignored = [{ path: "/open", method: "GET" }];
  const version = { use_extended_paths: true, extended_paths: { ignored } };
  const api = classic("a", {
    global_rate_limit: { rate: 3, per: 60 },
    version_data: { not_versioned: true, versions: { Default: version } },
  });
  const gold = policy("gold", { a: {} }, { rate: 1, per: 60 });
  expect(decide([api, gold, LOG], [...at("/a/x", 2), ...at("/a/open", 3)])).toBe("+-++-");
});
