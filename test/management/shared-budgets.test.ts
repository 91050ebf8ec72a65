// What a token of one organisation writes is counted with nothing of another one.
import { expect, test } from "vitest";
import { caller } from "./app.ts";
import { served } from "./served.ts";
import { asking, tokenOf } from "./with-token.ts";

const API = { api_id: "a", name: "a", org_id: "acme", proxy: { listen_path: "/a" } };
const by = (rate_limit_pattern: string, org = "acme") => ({
  meta_data: { org, rate_limit_pattern },
});

async function organisation() {
  const calls = await caller();
  expect((await calls.dashboard("POST /api/apis", API)).status).toBe(200);
  const token = await tokenOf(calls, { role: "write", organisation: "acme" });
  const ask = asking(calls, token);
  const statusOf = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).status;
  return { ...calls, ask, statusOf };
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
  const said = { org_id: "acme", ...by(pattern) };
  expect([
    await statusOf("admin", "POST /admin/org/keys", { key_id: "k", ...said }),
    await statusOf("dashboard", "POST /api/portal/policies", { id: "p", rate: 1, per: 1, ...said }),
  ]).toEqual([expected, expected]);
});

test("what somebody else has put there stays, and nobody chooses what it comes to", async () => {
  const { statusOf, ask, admin, dashboard } = await organisation();
  const key = { key_id: "k", org_id: "acme", ...by("$gw_meta.org") };
  expect((await admin("POST /admin/org/keys", key)).status).toBe(200);
  const policy = { id: "p", org_id: "acme", rate: 1, per: 1, access_rights: {} };
  const patterned = { ...policy, meta_data: { rate_limit_pattern: "$gw_meta.org" } };
  expect((await dashboard("POST /api/portal/policies", patterned)).status).toBe(200);
  const changed = (body: object) => statusOf("admin", "PUT /admin/org/keys/k", body);
  expect(await changed({ alias: "as it was" })).toBe(200);
  expect(await changed(by("$gw_meta.org", "other"))).toBe(403);
  expect(await changed({ meta_data: null })).toBe(200);
  const under = { key_id: "u", org_id: "acme", apply_policies: ["p"] };
  const { status, text } = await ask("admin", "POST /admin/org/keys", {
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

test("an API that counts by what its clients send is for whoever may see all organisations", async () => {
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

test("what counts clients of all organisations is not reset by a token of one organisation", async () => {
  const calls = await served();
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
    asking(calls, token)("admin", "POST /admin/org/keys/ours/budgets/reset", { budget });
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
  const made = (ID: string, MatchedPolicyID: string) =>
    statusOf("broker", "POST /api/profiles", { ID, OrgID: "acme", MatchedPolicyID });
  expect([await made("a", "of-other"), await made("b", "of-nobody")]).toEqual([403, 403]);
  expect([await made("c", "of-acme"), await made("d", "")]).toEqual([201, 201]);
});
