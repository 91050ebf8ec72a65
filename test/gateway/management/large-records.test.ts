// Records that are larger than may be kept now, because an earlier version kept them or the bound was higher: they can be
// switched off and made smaller, and cannot grow (MGT-C1).
import { expect, test } from "vitest";
import { recordsInMemory } from "#src/gateway/management/records/sqlite.node.ts";
import { tooLarge, USUAL_BOUNDS } from "#src/gateway/management/records/bounds.ts";
import { caller } from "./app.ts";

const text = (bytes: number): string => "x".repeat(bytes);
const tags = Array.from({ length: 8_000 }, (_, i) => `tag ${i}`);

/** The bound is what it is by default only after the records were made. */
async function withOldRecords() {
  let recordBytes = 1_048_576;
  const records = await recordsInMemory({ bounds: () => ({ ...USUAL_BOUNDS, recordBytes }) });
  const all = await caller({}, undefined, records);
  const { admin, dashboard, portal } = all;
  const made = [
    await dashboard("POST /api/apis", { api_id: "orders", listen: "/orders", name: text(70_000) }),
    await dashboard("POST /api/apis", {
      openapi: "3.0.3",
      info: { title: text(70_000), version: "1" },
      paths: {},
      "x-gw-api-gateway": {
        info: { id: "oas", name: "oas", state: { active: true } },
        server: { listenPath: { value: "/oas" } },
      },
    }),
    await dashboard("POST /api/portal/policies", {
      id: "gold",
      rate: 1,
      per: 1,
      name: text(70_000),
    }),
    await admin("POST /admin/org/keys", { key_id: "alice", tags, alias: "a" }),
    await dashboard("POST /api/users", {
      id: "ann",
      email_address: "ann@example.com",
      active: true,
      first_name: text(70_000),
    }),
    await portal("POST /portal-api/webhooks", { ID: "hook", URL: "http://a", Name: text(70_000) }),
  ];
  expect(made.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 201]);
  recordBytes = USUAL_BOUNDS.recordBytes;
  return all;
}

test("an old record that is too large is switched off, and made smaller step by step", async () => {
  const { admin, dashboard, portal } = await withOldRecords();
  const document = (await dashboard("GET /api/apis/oas")).body as Record<string, object>;
  const extension = document["x-gw-api-gateway"] as { readonly info: object };
  const inactive = {
    ...document,
    "x-gw-api-gateway": { ...extension, info: { ...extension.info, state: { active: false } } },
  };
  const responses = [
    await admin("PUT /admin/org/keys/alice", { is_inactive: true }),
    await admin("PUT /admin/org/keys/alice", { is_inactive: false, expires: 4_102_444_800 }),
    await admin("PUT /admin/org/keys/alice", { is_inactive: true, expires: 1 }),
    await admin("PUT /admin/org/keys/alice", { alias: "b" }), // no larger than it was
    await admin("PUT /admin/org/keys/alice", { tags: tags.slice(0, 7_990) }), // still too large
    await dashboard("PUT /api/portal/policies/gold", { is_inactive: true }),
    await dashboard("PUT /api/apis/orders", { active: false }),
    await dashboard("PUT /api/apis/oas", inactive),
    await dashboard("PUT /api/users/ann", { active: false }),
    await portal("PUT /portal-api/webhooks/hook", { Events: null }),
    await admin("PUT /admin/org/keys/alice", { tags: [] }),
  ];
  expect(responses.map(({ status, body }) => [status, JSON.stringify(body).slice(0, 300)])).toEqual(
    responses.map(() => [200, expect.anything()]),
  );
  // Once it is small enough, the bound is what it is for all.
  expect((await admin("PUT /admin/org/keys/alice", { tags })).status).toBe(400);
});

test("it does not grow, neither at once nor by many switches", async () => {
  const { admin, dashboard } = await withOldRecords();
  const grown = await admin("PUT /admin/org/keys/alice", { alias: "longer" });
  expect(grown.status).toBe(400);
  expect(JSON.stringify(grown.body)).toMatch(
    /has \d+ bytes already, and would grow, and at most 65536 are stored: remove something from it, or raise limits\.record_bytes/,
  );
  const switches = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`switch${i}`, true]));
  expect((await dashboard("PUT /api/apis/orders", switches)).status).toBe(400);
  expect((await dashboard("PUT /api/apis/orders", { expires: text(70_000) })).status).toBe(400);
  const { body } = await dashboard("GET /api/apis/orders");
  expect(Object.keys(body as object).toSorted()).toEqual(["api_id", "listen", "name"]);
});

test("a number of many digits is no switch", () => {
  const before = { name: text(70_000), expires: 1 };
  const wrong = (expires: bigint | number) =>
    tooLarge({ ...before, expires }, USUAL_BOUNDS, before);
  expect(wrong(BigInt("9".repeat(20)))).toBeNull();
  for (const digits of [BigInt("9".repeat(5_000)), -BigInt("9".repeat(5_000))])
    expect(wrong(digits)).toContain("would grow");
});

test("a key with more sealed texts than may be kept now is switched off, and has no more of them", async () => {
  const all = await withOldRecords();
  const { keep, admin } = all;
  const data = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [
        `n${i}`,
        `sealed for keys bob basic_auth_data.n${i}: x`,
      ]),
    );
  await keep("keys", "bob", { key_id: "bob", basic_auth_data: data(120) });
  expect((await admin("PUT /admin/org/keys/bob", { is_inactive: true })).status).toBe(200);
  const more = Object.fromEntries(Array.from({ length: 121 }, (_, i) => [`n${i}`, "x"]));
  expect((await admin("PUT /admin/org/keys/bob", { basic_auth_data: more })).status).toBe(400);
});
