// The CPU time that one body may cost the thread that serves clients (MGT-C1): checking ends with the last reported problem.
import { expect, test } from "vitest";
import { readJson } from "#src/gateway/management/json.ts";
import { SEED } from "../../runs.ts";
import { caller } from "./app.ts";
import { bodyOf, CORNERS, FAMILIES, FILLING } from "./worst-bodies.ts";

const many = (count: number, make: (index: number) => string, [open, close] = ["{", "}"]): string =>
  open + Array.from({ length: count }, (_, index) => make(index)).join(",") + close;

const MEBIBYTE = 1_048_576;
const LARGEST = many(90_000, (index) => `"k${index}":1`);
const LIST = ["[", "]"] as const;

const cpuOf = async (work: () => unknown): Promise<number> => {
  const from = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(from);
  return user + system;
};

const REJECTION = /more than 8192 fields and items/;

test("a body with more fields than a record can have costs less than ten parses of it", async () => {
  const { admin, dashboard, studio, broker, portal } = await caller();
  await admin("POST /admin/org/keys", { key_id: "alice" });
  const requests = [
    () => admin("PUT /admin/org/keys/alice", LARGEST),
    () => dashboard("POST /api/users", LARGEST),
    () => dashboard("POST /api/apis", LARGEST),
    () => dashboard("POST /api/portal/policies", LARGEST),
    () => studio("POST /api/v1/catalogues", LARGEST),
    () => broker("POST /api/profiles", LARGEST),
    () => portal("POST /portal-api/webhooks", LARGEST),
    () => admin("POST /admin/org/keys", `{"tags":${many(500_000, () => "1", [...LIST])}}`),
    () => admin("POST /admin/org/keys", `{"access_rights":${many(80_000, (i) => `"a${i}":{}`)}}`),
  ];
  const parsed = await cpuOf(() => {
    for (let round = 0; round < 10; round++) JSON.parse(LARGEST);
  });
  for (const send of requests) {
    let response;
    const cost = await cpuOf(async () => (response = await send()));
    expect(JSON.stringify(response)).toMatch(REJECTION);
    expect(cost).toBeLessThan(parsed);
  }
});

test("fields and items at any depth are counted before any is created", () => {
  const at = (text: string, most: number): boolean => readJson(text, most).problems.length === 0;
  expect(at('{"a":1,"b":[1,2]}', 4)).toBe(true);
  expect(at('{"a":1,"b":[1,2]}', 3)).toBe(false);
  expect(at('{"a,b":"[{,\\",","b":1}', 2)).toBe(true);
  expect(at('["\\\\",1]', 2)).toBe(true);
  expect(at('["\\\\",1]', 1)).toBe(false);
  expect(at("[[[[]]]]", 3)).toBe(false);
});

test("a body within the bound costs no more either, whatever its problems", async () => {
  const { admin, dashboard, portal, broker } = await caller();
  await dashboard("POST /api/apis", { api_id: "orders", proxy: { listen_path: "/orders" } });
  const unknown = many(8_000, (index) => `"k${index}":1`);
  const rights = many(4_000, (index) => `"order${index}":{}`);
  const requests = [
    () => admin("POST /admin/org/keys", unknown),
    () => admin("POST /admin/org/keys", `{"tags":${many(8_000, () => "1", [...LIST])}}`),
    () => admin("POST /admin/org/keys", `{"access_rights":${rights}}`),
    () => admin("POST /admin/org/keys", '{"count":1000000}'),
    () => dashboard("POST /api/portal/policies", unknown),
    () => dashboard("POST /api/portal/policies", `{"access_rights":${rights}}`),
    () => dashboard("POST /api/apis", unknown),
    () => broker("POST /api/profiles", `{"UserGroupMapping":${unknown}}`),
    () =>
      portal(
        "POST /portal-api/webhooks",
        `{"URL":"http://a","Events":${many(8_000, () => '"QuotaExceded"', [...LIST])}}`,
      ),
  ];
  const text = `{"alias":"${"x".repeat(MEBIBYTE - 12)}"}`;
  const parsed = await cpuOf(() => {
    for (let round = 0; round < 10; round++) JSON.parse(LARGEST);
  });
  for (const send of [...requests, () => admin("POST /admin/org/keys", text)]) {
    await send(); // once before: the first run includes compilation
    let response;
    const cost = await cpuOf(async () => (response = await send()));
    expect(response).toMatchObject({ status: 400 });
    expect(cost).toBeLessThan(parsed);
  }
});

test("nor do generated bodies, which grow to each bound", async () => {
  const api = await caller();
  for (const { interface: name, what, body } of FILLING)
    expect(await api[name](what, body)).toMatchObject({ status: 200 });
  const parsed = await cpuOf(() => {
    for (let round = 0; round < 10; round++) JSON.parse(LARGEST);
  });
  for (const [index, family] of FAMILIES.entries()) {
    if (family.what.startsWith("POST /admin/dry-run")) continue; // not a management API
    // Every commit tries another corner of each family.
    const request = bodyOf(family, CORNERS[(SEED + index) % CORNERS.length]!);
    if (request === null) continue;
    const send = () => api[request.interface](request.what, request.body);
    let cost = await cpuOf(send);
    if (cost >= parsed) cost = await cpuOf(send); // the first run includes compilation
    expect([family.name, family.what, cost < parsed]).toEqual([family.name, family.what, true]);
  }
});

test("twenty problems are listed, and only a few have a suggestion", async () => {
  const { admin, dashboard } = await caller();
  await dashboard("POST /api/apis", { api_id: "orders", proxy: { listen_path: "/orders" } });
  const ratees = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`rate${index}`, 1]));
  const response = await admin("POST /admin/org/keys", ratees);
  const lines = (response.body as { Message: string }).Message.split("\n");
  expect(lines.slice(0, 2)).toEqual([
    'rate0: is not a field of a key; did you mean "rate"?',
    'rate1: is not a field of a key; did you mean "rate"?',
  ]);
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toBe("and more");
  const rights = Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [`order${index}`, {}]),
  );
  const dangling = await admin("POST /admin/org/keys", { access_rights: rights });
  const danglingLines = (dangling.body as { Message: string }).Message.split("\n");
  expect(danglingLines).toHaveLength(10);
  expect(danglingLines.filter((line) => line.includes("did you mean"))).toHaveLength(3);
});
