// Records that a key of one organisation refers to cannot be deleted by its tokens: with the free id another organisation
// could create access that was never granted.
import { describe, expect, test } from "vitest";
import type { RecordTypeName } from "#src/gateway/management/records/record-types.ts";
import { caller } from "./app.ts";
import { inFile, kindsOf, opener } from "./records/every-database.ts";
import { callWith, tokenOf } from "./with-token.ts";

const api = { api_id: "a", name: "a", org_id: "acme", proxy: { listen_path: "/a" } };
const policy = { id: "p", org_id: "acme", rate: 1, per: 1, access_rights: {} };
const key = { key_id: "k", org_id: "acme" };
const profile = { ID: "f", OrgID: "acme", MatchedPolicyID: "p" };

const API = "DELETE /api/apis/a";
const POLICY = "DELETE /api/portal/policies/p";
const opening = opener();

describe.each(kindsOf(inFile))("in $name", (kind) => {
  test.each([
    [API, "admin POST /admin/org/keys", { ...key, access_rights: { a: {} } }],
    [API, "dashboard POST /api/portal/policies", { ...policy, id: "q", access_rights: { a: {} } }],
    [POLICY, "admin POST /admin/org/keys", { ...key, apply_policies: ["p"] }],
    [POLICY, "admin POST /admin/org/keys", { ...key, apply_policy_id: "p" }],
    [POLICY, "broker POST /api/profiles", profile],
  ] as const)("%s after %s %j", async (what, granting, body) => {
    const records = await opening((await kind.place()).open());
    const calls = await caller({}, undefined, records);
    const call = callWith(calls, await tokenOf(calls, { role: "write", organisation: "acme" }));
    expect((await call("dashboard", "POST /api/apis", api)).status).toBe(200);
    expect((await call("dashboard", "POST /api/portal/policies", policy)).status).toBe(200);
    const [name, post, path] = granting.split(" ") as [
      "admin" | "broker" | "dashboard",
      "POST",
      string,
    ];
    const made = await call(name, `${post} ${path}`, body);
    expect(made.status).toBeLessThan(300);
    expect(await call("dashboard", what)).toMatchObject({
      status: 409,
      text: expect.stringContaining("change these first") as string,
    });
    const id = "key_id" in body ? body.key_id : "ID" in body ? body.ID : body.id;
    expect((await call(name, `DELETE ${path}/${id}`)).status).toBe(200);
    expect((await call("dashboard", what)).status).toBe(200);
  });

  test("the secret of the API can delete records that others refer to", async () => {
    const records = await opening((await kind.place()).open());
    const { dashboard, admin } = await caller({}, undefined, records);
    expect((await dashboard("POST /api/apis", api)).status).toBe(200);
    const made = await admin("POST /admin/org/keys", { ...key, access_rights: { a: {} } });
    expect(made.status).toBe(200);
    expect((await dashboard(API)).status).toBe(200);
  });

  test("a key that is created meanwhile is found", async () => {
    const records = await opening((await kind.place()).open());
    const calls = await caller({}, undefined, records);
    const call = callWith(calls, await tokenOf(calls, { role: "write", organisation: "acme" }));
    expect((await call("dashboard", "POST /api/apis", api)).status).toBe(200);
    const granted: number[] = [];
    const { write } = records;
    // A change between the check of the keys and the write.
    (records as { write: typeof write }).write = (audited, work) =>
      write(audited, async (writing) => {
        const done = await work(writing);
        if (audited.operation === "deleteApi" && granted.length === 0) {
          const body = { ...key, access_rights: { a: {} } };
          granted.push((await calls.admin("POST /admin/org/keys", body)).status);
        }
        return done;
      });
    expect([(await call("dashboard", API)).status, granted]).toEqual([409, [200]]);
  });

  test.each([
    ["keys", API, undefined],
    ["apis", "POST /api/apis", { ...api, api_id: "b", name: "b", proxy: { listen_path: "/b" } }],
  ] as const)("while %s change continuously, %s ends", async (family, what, body) => {
    const records = await opening((await kind.place()).open());
    const calls = await caller({}, undefined, records);
    const call = callWith(calls, await tokenOf(calls, { role: "write", organisation: "acme" }));
    expect((await call("dashboard", "POST /api/apis", api)).status).toBe(200);
    const change = async (i: number) =>
      family === "keys"
        ? calls.admin("POST /admin/org/keys", { key_id: `k${i}`, org_id: "other" })
        : calls.dashboard("POST /api/apis", {
            ...api,
            api_id: `a${i}`,
            name: `a${i}`,
            org_id: "other",
            proxy: { listen_path: `/other${i}` },
          });
    const statuses: number[] = [];
    const { write } = records;
    // Reading all records takes longer than changing one.
    (records as { write: typeof write }).write = (audited, work) =>
      write(audited, async (writing) => {
        const read = new Set<string>();
        const noting =
          <T>(all: (of: RecordTypeName) => T) =>
          (of: RecordTypeName): T => {
            read.add(of);
            return all(of);
          };
        const [all, uniques] = [noting(writing.all), noting(writing.uniques)];
        const done = await work({ ...writing, all, uniques });
        if (read.has(family) && statuses.length < 5)
          statuses.push((await change(statuses.length)).status);
        return done;
      });
    expect([(await call("dashboard", what, body)).status, statuses]).toEqual([200, [200]]);
  });
});
