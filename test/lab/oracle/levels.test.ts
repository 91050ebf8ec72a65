// The budgets that a request meets, and the keys that share them, by hand.
import { expect, test } from "vitest";
import { limitOf } from "#src/limiter/core/limit.ts";
import { NEVER, secondsToMicros } from "#src/kit/units.ts";
import type { Row } from "../../histories/history.ts";
import {
  api,
  endpoint,
  key,
  policy,
  right,
  type VariantText,
  type WorldText,
} from "../../histories/world.ts";
import { answers, evaluate } from "./evaluate.ts";

const FLOWS = [
  { name: "orders" },
  { name: "users", send: "GET /users" },
  { name: "item", send: "GET /orders/7" },
  { name: "post", send: "POST /orders/7" },
  { name: "bob", as: "bob" },
  { name: "nobody", as: null },
  { name: "elsewhere", send: "GET /stock" },
  { name: "hidden", send: "GET /orders/..%2fusers" },
  { name: "spelled", send: "GET /orders//./7?x=1" },
];

/** Flow names, 0.1 s apart; `!scope` after a name means that this budget refused. */
function flows(text: string): Row[] {
  return text.split(" ").map((word, index): Row => {
    const [flow, scope] = word.split("!");
    const by = SCOPES.find((one) => one === scope);
    const sent = { at: index / 10, flow: flow ?? "" };
    if (by === undefined) return sent;
    return by === "quota"
      ? { ...sent, by, status: 403, reason: "quota" }
      : { ...sent, by, status: 429 };
  });
}
const SCOPES = ["api-endpoint", "api", "key-endpoint", "key-api", "key", "quota"] as const;
const answersTo = (world: VariantText, text: string): string =>
  answers(evaluate(world, { flows: FLOWS, rows: flows(text) }));
const plain = (more: WorldText): WorldText => more;

test("if the API refuses, its refusal is the response and the key is not spent (LIM-2)", () => {
  const world = plain({
    apis: [api("orders", { globalRateLimit: limitOf(1, 1) }), api("users")],
    keys: [key("alice", { limit: limitOf(2, 1) })],
  });
  const results = evaluate(world, {
    flows: FLOWS,
    rows: flows("orders orders!api orders!api users users!key"),
  });
  expect(answers(results)).toBe("admit 2*429 admit 429");
  expect(results.rows.map(({ refusalScope }) => refusalScope)).toEqual([
    null,
    "api",
    "api",
    null,
    "key",
  ]);
});

test("where the key refuses, the API is not spent (LIM-C1)", () => {
  const world = plain({
    apis: [api("orders", { globalRateLimit: limitOf(2, 1) })],
    keys: [key("alice", { limit: limitOf(1, 1) }), key("bob", { limit: limitOf(9, 1) })],
  });
  expect(answersTo(world, "orders orders!key orders!key bob bob!api")).toBe(
    "admit 2*429 admit 429",
  );
});

test("upstream's order spends each level as it admits", () => {
  const world = plain({
    apis: [api("orders", { globalRateLimit: limitOf(1, 1) })],
    keys: [key("alice", { limit: limitOf(2, 1) })],
    options: { limitOrder: "key_first", algorithm: "fixed_window" },
  });
  expect(answersTo(world, "orders orders!api orders!key")).toBe("admit 2*429");
});

test("a policy over two APIs is one budget for the key (LIM-3), and another key has its own (LIM-4)", () => {
  const keys = ["alice", "bob"].map((id) => key(id, { applyPolicies: ["gold"] }));
  const world = plain({ policies: [policy("gold", { limit: limitOf(2, 1) })], keys });
  expect(answersTo(world, "orders users orders!key users!key bob bob")).toBe(
    "2*admit 2*429 2*admit",
  );
});

test("an own limit of one API is a budget of its own (LIM-6)", () => {
  const accessRights = new Map([
    ["orders", right(limitOf(1, 1))],
    ["users", right()],
  ]);
  const world = plain({ keys: [key("alice", { limit: limitOf(1, 1), accessRights })] });
  expect(answersTo(world, "orders users orders!key-api users!key")).toBe("2*admit 2*429");
});

test("the API's limit is one budget for all clients (LIM-7)", () => {
  const world = plain({
    apis: [api("orders", { globalRateLimit: limitOf(2, 1) })],
    keys: [key("alice"), key("bob")],
  });
  expect(answersTo(world, "orders bob orders!api bob!api")).toBe("2*admit 2*429");
});

test("an endpoint's limit is for its path and method, and all paths of one pattern share it (EPT-1, EPT-C6)", () => {
  const limited = api("orders", {
    globalRateLimit: limitOf(9, 1),
    endpoints: [endpoint("GET", "/*", limitOf(1, 1))],
  });
  const world = plain({ apis: [limited], keys: [key("alice")] });
  expect(answersTo(world, "item post orders!api-endpoint spelled!api-endpoint post")).toBe(
    "2*admit 2*429 admit",
  );
});

test("a key's endpoint limit goes before its limit for the API (LIM-C10)", () => {
  const accessRights = new Map([
    ["orders", right(limitOf(1, 1), [endpoint("GET", "/7", limitOf(2, 1))])],
  ]);
  const world = plain({ keys: [key("alice", { limit: limitOf(1, 1), accessRights })] });
  expect(answersTo(world, "item item orders orders!key-api item!key-endpoint")).toBe(
    "3*admit 2*429",
  );
});

test("unlimited ends the search, it does not fall back (LIM-C10)", () => {
  const accessRights = new Map([
    ["orders", right({ rate: -1, perUs: secondsToMicros(1), smoothing: null })],
  ]);
  const world = plain({ keys: [key("alice", { limit: limitOf(1, 1), accessRights })] });
  expect(answersTo(world, "orders orders orders")).toBe("3*admit");
});

test("disable_rate_limit switches every level off, and the quota still counts (LIM-9, LIM-C12)", () => {
  const free = api("orders", { disableRateLimit: true, globalRateLimit: limitOf(1, 1) });
  const world = plain({
    apis: [free],
    keys: [
      key("alice", { limit: limitOf(1, 1), quota: { max: 2, renewalUs: secondsToMicros(1) } }),
    ],
  });
  expect(answersTo(world, "orders orders orders!quota")).toBe("2*admit 403");
});

test("a keyless API has its own limits only (LIM-C12)", () => {
  const open = api("orders", { keyless: true, globalRateLimit: limitOf(2, 1) });
  expect(
    answersTo(
      { apis: [open], keys: [key("alice", { limit: limitOf(1, 1) })] },
      "orders nobody orders!api",
    ),
  ).toBe("2*admit 429");
});

test("rate 0 admits nothing (LIM-C2)", () => {
  const results = evaluate(
    { keys: [key("alice", { limit: limitOf(0, 1) })] },
    { flows: FLOWS, rows: flows("orders!key") },
  );
  expect([answers(results), results.rows[0]?.retryAfter]).toEqual(["429", "absent"]);
});

test("a fractional rate admits its whole part (LIM-C2)", () => {
  expect(
    answersTo({ keys: [key("alice", { limit: limitOf(2.9, 1) })] }, "orders orders orders!key"),
  ).toBe("2*admit 429");
});

test("a pattern makes keys share a budget, each limited by its own rate (LIM-11, LIM-C8)", () => {
  const metaData = { rate_limit_pattern: "$gw_meta.team", team: "red" };
  const keys = [
    key("alice", { limit: limitOf(2, 1), metaData }),
    key("bob", { limit: limitOf(3, 1), metaData }),
  ];
  expect(answersTo({ keys }, "orders bob orders!key bob!key")).toBe("2*admit 2*429");
  expect(
    answersTo(
      { keys, options: { algorithm: "fixed_window" } },
      "orders bob orders!key bob bob!key",
    ),
  ).toBe("2*admit 429 admit 429");
});

test("another `per` is another budget (LIM-C8)", () => {
  const metaData = { rate_limit_pattern: "$gw_meta.team", team: "red" };
  const keys = [
    key("alice", { limit: limitOf(1, 1), metaData }),
    key("bob", { limit: limitOf(1, 2), metaData }),
  ];
  expect(answersTo({ keys }, "orders bob orders!key")).toBe("2*admit 429");
});

test("a quota counts from the first admitted request, and what a rate refuses takes nothing from it (LIM-C9)", () => {
  const keys = [
    key("alice", { limit: limitOf(1, 0.25), quota: { max: 2, renewalUs: secondsToMicros(1) } }),
  ];
  const results = evaluate(
    { keys, options: { algorithm: "fixed_window" } },
    {
      flows: FLOWS,
      rows: flows(
        "orders orders!key orders!key orders orders!key orders!key orders!quota orders!quota orders!quota orders!quota orders",
      ),
    },
  );
  expect(answers(results)).toBe("admit 2*429 admit 2*429 4*403 admit");
  expect(results.rows[6]?.retryAfter).toEqual({ fromS: 1, toS: 1 });
});

test("a quota that never renews has no Retry-After (HDR-C1)", () => {
  const keys = [key("alice", { quota: { max: 1, renewalUs: NEVER } })];
  const results = evaluate({ keys }, { flows: FLOWS, rows: flows("orders orders!quota") });
  expect([answers(results), results.rows[1]?.retryAfter]).toEqual(["admit 403", "absent"]);
});

test.each([
  ["no credential", "nobody", {}, "401"],
  ["an unknown credential", "bob", {}, "403"],
  ["no such API", "elsewhere", {}, "404"],
  ["an encoded slash", "hidden", {}, "400"],
  ["an expired key", "orders", { expiresUs: secondsToMicros(0.5) }, "401"],
  ["an inactive key", "orders", { inactive: true }, "403"],
  ["no access to the API", "orders", { accessRights: new Map() }, "403"],
  ["no access rights at all", "orders", { accessRights: null }, "403"],
  ["lost policies", "orders", { applyPolicies: ["gone"] }, "403"],
  ["a member that is not enforced", "orders", { unenforced: ["hmac_enabled"] }, "403"],
  [
    "inactive and expired, of which the text prefers neither",
    "orders",
    { inactive: true, expiresUs: secondsToMicros(0.5) },
    "refuse",
  ],
] as const)("%s is rejected before any limit (MGT-C9)", (_, flow, more, status) => {
  const world = { keys: [key("alice", { limit: limitOf(1, 1), ...more })] };
  const rows = [{ at: 1, flow, status: 403 }];
  expect(answers(evaluate(world, { flows: FLOWS, rows }))).toBe(status);
});

test("upstream's order evaluates every limit of the API after those of the key", () => {
  const limited = api("orders", { endpoints: [endpoint("GET", "/*", limitOf(1, 1))] });
  const world = plain({
    apis: [limited],
    keys: [key("alice", { limit: limitOf(1, 1) })],
    options: { limitOrder: "key_first" },
  });
  const results = evaluate(world, { flows: FLOWS, rows: flows("item item!key") });
  expect(results.rows.map(({ refusalScope }) => refusalScope)).toEqual([null, "key"]);
});

test("the reason of each limit names its requirements", () => {
  const limit = limitOf(9, 1);
  const [team, tier] = ["$gw_meta.team", "red"];
  const metaData = { rate_limit_pattern: team, team: tier };
  const rights = new Map([
    ["orders", right(limit, [endpoint("GET", "/7", limit)])],
    ["users", right()],
  ]);
  const quota = { max: 9, renewalUs: secondsToMicros(1) };
  const answersTo = (flow: string, more: WorldText): string | undefined =>
    evaluate(more, { flows: FLOWS, rows: [{ at: 0, flow }] }).rows[0]?.why;
  const empty = "0 attempts in the window, 9 allowed";
  const both = {
    apis: [api("orders", { endpoints: [endpoint("GET", "/7", limit)] })],
    keys: [key("alice", { limit, accessRights: rights, quota })],
  };
  expect(answersTo("item", both)).toBe(
    `api-endpoint: ${empty} (EPT-1, LIM-2); key-endpoint: ${empty} (EPT-C5); quota: no window is running (LIM-C9)`,
  );
  const shared = { keys: [key("alice", { limit, accessRights: rights, metaData })] };
  expect(["item", "orders", "users"].map((flow) => answersTo(flow, shared))).toEqual([
    `key-endpoint: ${empty} (EPT-C5, LIM-11)`,
    `key-api: ${empty} (LIM-6, LIM-11)`,
    `key: ${empty} (LIM-1, LIM-11)`,
  ]);
});
