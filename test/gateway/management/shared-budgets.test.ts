// What a token of one organisation writes is counted with nothing of another one.
import { expect, test } from "vitest";
import { caller } from "./app.ts";
import { serveRecords } from "./served.ts";
import { callWith, tokenOf } from "./with-token.ts";

const API = { api_id: "a", name: "a", org_id: "acme", proxy: { listen_path: "/a" } };
const by = (rate_limit_pattern: string, org = "acme") => ({
  meta_data: { org, rate_limit_pattern },
});

async function organisation() {
  const calls = await caller();
  expect((await calls.dashboard("POST /api/apis", API)).status).toBe(200);
  const token = await tokenOf(calls, { role: "write", organisation: "acme" });
  const call = callWith(calls, token);
  const statusOf = async (...request: Parameters<typeof call>) => (await call(...request)).status;
  return { ...calls, call, statusOf };
}

test.each([
  ["acme|$gw_meta.org", 200],
  ["acme", 200],
  ["$gw_meta.org", 403],
  ["other|$gw_meta.org", 403],
  ["acme2|x", 403],
  ["$gw_meta.org|acme", 403],
])("a key or a policy by the pattern %s is %i", async (pattern, expected) => {
  const { statusOf } = await organisation();
  const fields = { org_id: "acme", ...by(pattern) };
  expect([
    await statusOf("admin", "POST /admin/org/keys", { key_id: "k", ...fields }),
    await statusOf("dashboard", "POST /api/portal/policies", {
      id: "p",
      rate: 1,
      per: 1,
      ...fields,
    }),
  ]).toEqual([expected, expected]);
});

test("a pattern from another client stays, and no token chooses its value", async () => {
  const { statusOf, call, admin, dashboard } = await organisation();
  const key = { key_id: "k", org_id: "acme", ...by("$gw_meta.org") };
  expect((await admin("POST /admin/org/keys", key)).status).toBe(200);
  const policy = { id: "p", org_id: "acme", rate: 1, per: 1, access_rights: {} };
  const patterned = { ...policy, meta_data: { rate_limit_pattern: "$gw_meta.org" } };
  expect((await dashboard("POST /api/portal/policies", patterned)).status).toBe(200);
  const change = (body: object) => statusOf("admin", "PUT /admin/org/keys/k", body);
  expect(await change({ alias: "unchanged" })).toBe(200);
  expect(await change(by("$gw_meta.org", "other"))).toBe(403);
  expect(await change({ meta_data: null })).toBe(200);
  const under = { key_id: "u", org_id: "acme", apply_policies: ["p"] };
  const { status, text } = await call("admin", "POST /admin/org/keys", {
    ...under,
    meta_data: { org: "other" },
  });
  expect([status, text]).toEqual([403, expect.stringContaining('begins with \\"acme|\\"')]);
  expect((await admin("POST /admin/org/keys", under)).status).toBe(200);
  expect(await statusOf("admin", "PUT /admin/org/keys/u", { meta_data: { org: "other" } })).toBe(
    403,
  );
  expect(await statusOf("admin", "PUT /admin/org/keys/u", { alias: "u" })).toBe(200);
});

test("only access to all organisations can create an API that counts by what clients send", async () => {
  const { statusOf, dashboard } = await organisation();
  const put = (body: object) => statusOf("dashboard", "PUT /api/apis/a", body);
  expect(await put({ key_by: { header: "X-Tenant" } })).toBe(403);
  expect(await put({ key_by: "ip" })).toBe(403);
  expect(await put({ key_by: "credential" })).toBe(200);
  expect((await dashboard("PUT /api/apis/a", { key_by: "ip" })).status).toBe(200);
  expect(await put({ name: "b" })).toBe(200);
  expect(await put({ key_by: { header: "X-Tenant" } })).toBe(403);
  expect(await put({ key_by: null })).toBe(200);
});

test("a token of one organisation cannot reset a budget that clients of all organisations share", async () => {
  const calls = await serveRecords();
  for (const [org_id, id] of Object.entries({ acme: "acmes", other: "others" })) {
    const api = { api_id: id, name: id, org_id, key_by: "ip", proxy: { listen_path: `/${id}` } };
    expect((await calls.dashboard("POST /api/apis", api)).status).toBe(200);
  }
  const limit = { rate: 1, per: 60 };
  const rights = { org_id: "acme", access_rights: { acmes: {} } };
  await calls.key("ours", { ...limit, ...rights });
  await calls.key("theirs", { ...limit, org_id: "other", access_rights: { others: {} } });
  const spent = () => calls.burst(1, "theirs", "/others");
  expect([await spent(), await spent()]).toEqual([[200], [429]]);
  const token = await tokenOf(calls, { role: "write", organisation: "acme" });
  const reset = (budget: string | null) =>
    callWith(calls, token)("admin", "POST /admin/org/keys/ours/budgets/reset", { budget });
  const refused = await reset("key/60000000us|ip:127.0.0.1");
  expect([refused.status, refused.text]).toEqual([
    403,
    expect.stringContaining("counts clients of all organisations"),
  ]);
  expect((await reset("key/60000000us|header:x:y")).status).toBe(403);
  expect((await reset(null)).status).toBe(200);
  expect(await spent()).toEqual([429]);
});

test("a profile names a policy of its organisation, or none", async () => {
  const { statusOf, dashboard } = await organisation();
  for (const org_id of ["acme", "other"]) {
    const policy = { id: `of-${org_id}`, org_id, rate: 1, per: 1, access_rights: {} };
    expect((await dashboard("POST /api/portal/policies", policy)).status).toBe(200);
  }
  const createProfile = (ID: string, MatchedPolicyID: string) =>
    statusOf("broker", "POST /api/profiles", { ID, OrgID: "acme", MatchedPolicyID });
  expect([await createProfile("a", "of-other"), await createProfile("b", "of-nobody")]).toEqual([
    403, 403,
  ]);
  expect([await createProfile("c", "of-acme"), await createProfile("d", "")]).toEqual([201, 201]);
});
