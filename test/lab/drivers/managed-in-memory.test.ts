// Management without HTTP and without a database responds as it does with both, also to requests that no scenario sends.
import { expect, test } from "vitest";
import { manageInMemory } from "#src/lab/drivers/managed-in-memory.ts";
import { manage } from "#src/lab/drivers/managed.node.ts";
import { playWithCalls } from "#src/lab/drivers/virtual-calls.ts";
import { formatProblem } from "#src/kit/reading/source.ts";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";

/** A token's secret ends with a checksum, so it is taken from the response that shows it. */
const WORLD = `title: calls of every kind
world:
  apis: { orders: { listen: /orders, target: "http://127.0.0.1:9" }, items: { listen: /items } }
  policies: { gold: { apis: [orders], rate: 7, per: 2 } }
  keys:
    ann: { apis: [orders], rate: 3, per: 100 }
    bob: { apply_policies: [gold] }
  management: { page_size: 2 }
`;

const CALLS = [
  // The paths.
  "GET admin/org/keys/%zz",
  "GET admin/org/keys/an%6e",
  `GET admin/org/keys/${"x".repeat(4_097)}`,
  "GET admin/org/keys/ann/",
  "GET admin/org/keys/",
  "GET admin/org/keys?p=1&p=2",
  "GET admin/org/keys#part",
  "GET admin/org/nothing",
  "HEAD admin/org/keys/ann",
  "PATCH admin/org/keys/ann",
  "OPTIONS admin/org/keys",
  "GET admin/org/keys/ann, as: invalid",
  "GET admin/org/nothing, as: none",
  "GET admin/org/keys/ann, as: empty",
  'GET admin/org/keys/nobody%00, headers: { "x-a": b }',
  // The bodies.
  "PUT admin/org/keys/ann, raw: '{'",
  "PUT admin/org/keys/ann",
  'PUT admin/org/keys/ann, raw: \'{"rate": 1, "rate": 2}\'',
  "PUT admin/org/keys/ann, body: { rate: -1, nothing: 2 }",
  'PUT admin/org/keys/ann, body: { rate: 2 }, headers: { "Content-Type": text/plain }',
  'PUT admin/org/keys/ann, body: { rate: 2 }, headers: { "Content-Type": nothing }',
  'PUT admin/org/keys/ann, body: { rate: 2 }, headers: { "content-type": "Application/JSON; charset=latin1" }',
  'PUT admin/org/keys/ann, body: { rate: 2 }, headers: { "content-type": "Application/JSON ; charset=UTF-8" }',
  "PUT admin/org/keys/ann, body: { rate: 5 }, if_match: 9",
  "PUT admin/org/keys/ann, body: { rate: 5 }, if_match: 2",
  "PUT admin/org/keys/ann, raw: '{}', size: 1048577",
  "POST admin/org/nothing, raw: nonsense",
  "POST admin/org/nothing, raw: nonsense, as: invalid",
  'POST admin/org/nothing, raw: nonsense, headers: { "Content-Type": text/plain }',
  'POST admin/org/nothing, raw: nonsense, headers: { "Content-Type": nothing }',
  "DELETE admin/org/keys/bob, raw: nonsense",
  "DELETE admin/org/keys/bob",
  "DELETE admin/org/keys/bob",
  // Records of every type, their lists and their pages.
  ...["c", "a", "d", "b"].map(
    (name) =>
      `POST api/users, body: { first_name: Ü${name}, last_name: Z, email_address: ${name}@x.example, active: true }`,
  ),
  "POST api/users, body: { first_name: A, last_name: B, email_address: A@x.example, active: true }",
  "POST api/users/search, body: { search_text: üa }",
  "POST api/users/search, body: { search_text: x.exam }",
  "GET api/users",
  "GET api/users?p=2",
  "GET api/users?p=0",
  "GET api/users?p=-2",
  "GET api/apis",
  "GET api/apis?p=-2",
  "GET api/portal/policies?p=-2",
  "DELETE api/portal/policies/gold",
  "DELETE api/apis/items",
  "GET api/v1/catalogues",
  "GET api/profiles",
  "GET portal-api/webhooks",
  'POST portal-api/webhooks, body: { Name: hook, URL: "https://hooks.example/", HTTPMethod: POST, Timeout: 1, Events: [QuotaExceeded] }',
  "GET portal-api/webhooks",
  "GET admin/org/keys/ann/budgets",
  "POST admin/org/keys/ann/budgets/reset",
  "POST admin/org/tokens, body: { role: read }",
  "GET admin/org/tokens",
  'GET admin/org/keys, as: none, headers: { "Admin-Auth": weir_secret-1_0 }',
  'GET admin/org/keys, as: none, headers: { "Admin-Auth": TOKEN }',
  'PUT admin/org/keys/ann, body: { rate: 9 }, as: none, headers: { "Admin-Auth": TOKEN }',
  "GET admin/org/audit",
  "GET admin/org/audit?most=3",
  "GET admin/org/audit?only=uses",
  ...Array.from({ length: 23 }, () => "GET admin/org/keys/ann, as: invalid"),
  "GET admin/org/keys/ann",
];

const SHOWS_TOKEN = "POST admin/org/tokens";

async function callsWith(one: typeof manage, token: string) {
  const traffic = CALLS.map(
    (call, index) =>
      `  - { name: call ${index}, at: ${index}ms, call: ${call.replace("TOKEN", token).replace(/^([^,]*)/, (path) => JSON.stringify(path))} }`,
  );
  const text = `${WORLD}traffic:\n${traffic.join("\n")}\nexpect:\n  - { id: any, response: {}, matches: { body: <any> } }\n`;
  const { scenario, problems } = decode("calls.yaml", text);
  const errors = problems.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(errors.map(formatProblem).join("\n"));
  const [variant] = scenario!.variants;
  return (await playWithCalls(variant!, plan(variant!, "calls", 1), one)).calls;
}

test("management in memory responds to every call as the served one over SQLite", async () => {
  const failures: string[] = [];
  const inMemory = manageInMemory((line) => failures.push(line));
  const before = await callsWith(manage, "none");
  const shown = before.find(({ method, path }) => `${method} ${path.slice(1)}` === SHOWS_TOKEN)!;
  const { token } = shown.body as { readonly token: string };
  const expected = await callsWith(manage, token);
  expect(new Set(expected.map(({ status }) => status)).size).toBeGreaterThan(9);
  expect(await callsWith(inMemory, token)).toEqual(expected);
  expect(failures).toEqual([]);
});
