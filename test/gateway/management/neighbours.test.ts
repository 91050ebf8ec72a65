// Create, read, list, update and delete, for every family (MGT-C8).
import { expect, test } from "vitest";
import { caller } from "./app.ts";

test("the studio keeps catalogues", async () => {
  const { studio } = await caller();
  const data = { type: "catalogues", attributes: { name: "models" } };
  expect(await studio("POST /api/v1/catalogues", { data })).toMatchObject({
    status: 201,
    body: { data: { ...data, id: "made-1" } },
    etag: '"1"',
  });
  const renamed = { type: "catalogues", attributes: { name: "all models" } };
  const patched = await studio("PATCH /api/v1/catalogues/made-1", { data: renamed });
  expect(patched).toMatchObject({ status: 200, body: { data: renamed }, etag: '"2"' });
  expect(await studio("GET /api/v1/catalogues")).toMatchObject({
    status: 200,
    body: { data: [{ id: "made-1", ...renamed }] },
    headers: { "x-total-count": "1", "x-total-pages": "1" },
  });
  expect(await studio("DELETE /api/v1/catalogues/made-1")).toMatchObject({ status: 204, body: "" });
  expect(await studio("GET /api/v1/catalogues/made-1")).toMatchObject({
    status: 404,
    body: { errors: [{ title: "Not Found", detail: "Catalogue not found" }] },
  });
});

test("the dashboard keeps users, with every field of the table (MGT-5)", async () => {
  const { dashboard } = await caller();
  const email = "Ann@Example.com";
  expect(await dashboard("POST /api/users", { email_address: email })).toMatchObject({
    status: 200,
    body: { Status: "OK", Message: "User and session have been created", Meta: "made-1" },
  });
  const never = "0001-01-01T00:00:00Z";
  const user = {
    access_key: "secret-1",
    active: true,
    api_model: {},
    created_at: "2023-11-14T22:13:20.000Z",
    email_address: email,
    first_name: "",
    last_name: "",
    group_id: "",
    id: "made-1",
    last_login_date: never,
    org_id: "",
    password_max_days: 0,
    password_updated: never,
    user_permissions: {},
  };
  expect((await dashboard("GET /api/users/made-1")).body).toEqual(user);
  const named = { first_name: "Ann", user_permissions: { IsAdmin: "yes" } };
  expect(await dashboard("PUT /api/users/made-1", named)).toMatchObject({
    status: 200,
    body: { Status: "OK", Message: "User updated", Meta: null },
  });
  expect((await dashboard("GET /api/users")).body).toEqual({
    pages: 1,
    users: [{ ...user, ...named }],
  });
  const other = { email_address: "ANN@example.COM" };
  expect(await dashboard("POST /api/users", other)).toMatchObject({
    status: 409,
    body: { Status: "Error", Message: "Another user has this e-mail address", Meta: null },
  });
  expect((await dashboard("DELETE /api/users/made-1")).body).toEqual({
    Status: "OK",
    Message: "User deleted",
    Meta: null,
  });
  expect((await dashboard("GET /api/users")).body).toEqual({ pages: 0, users: null });
});

test("the dashboard keeps APIs, classic and OAS, and policies that grant them", async () => {
  const { dashboard, management } = await caller();
  const orders = { api_id: "orders", proxy: { listen_path: "/orders" }, tag: "kept" };
  expect((await dashboard("POST /api/apis", orders)).body).toEqual({
    Status: "OK",
    Message: "API created",
    Meta: "orders",
    Warnings: ["The body: stored, but without effect here: tag"],
  });
  const oas = { openapi: "3.0.3", info: { title: "Mail" }, listen: "/mail", paths: {} };
  expect(await dashboard("POST /api/apis", oas)).toMatchObject({ body: { Meta: "made-1" } });
  expect((await dashboard("GET /api/apis")).body).toEqual({
    apis: [
      { id: "made-1", api_definition: oas },
      { id: "orders", api_definition: orders },
    ],
    pages: 1,
  });
  const gold = { id: "gold", rate: 5, per: 60, access_rights: { orders: {} } };
  expect((await dashboard("POST /api/portal/policies", gold)).body).toEqual({
    Status: "OK",
    Message: "gold",
    Meta: null,
  });
  expect(await dashboard("PUT /api/portal/policies/gold", { rate: 7 })).toMatchObject({
    body: { Status: "OK", Message: "Policy updated", Meta: null },
  });
  expect((await dashboard("GET /api/portal/policies")).body).toEqual({
    Data: [{ ...gold, rate: 7 }],
    Pages: 1,
  });
  expect(management.configuration().policies.get("gold")?.limit?.rate).toBe(7);
  expect(await dashboard("DELETE /api/apis/orders")).toMatchObject({
    body: { Status: "OK", Message: "API deleted", Meta: null },
  });
  expect(await dashboard("DELETE /api/portal/policies/gold")).toMatchObject({
    body: { Status: "OK", Message: "Policy deleted", Meta: null },
  });
});

test("the admin API stores keys, and returns a secret once (MGT-C10)", async () => {
  const { admin, management } = await caller();
  const made = await admin("POST /admin/org/keys", { rate: 5, per: 1, alias: "ann" });
  const data = { rate: 5, per: 1, alias: "ann", key_id: "made-1" };
  expect(made.body).toEqual({
    api_model: {},
    key: "secret-1",
    key_id: "made-1",
    key_hash: "hash-of-secret-1",
    data,
  });
  const again = await admin("GET /admin/org/keys/made-1");
  expect(again.body).toEqual(data);
  expect((await management.records.find("keys", "hash-of-secret-1"))?.id).toBe("made-1");
  expect((await admin("GET /admin/org/keys")).body).toEqual({
    data: { keys: ["made-1"] },
    pages: 1,
  });
  expect((await admin("DELETE /admin/org/keys/made-1")).body).toEqual({
    ID: "made-1",
    Status: "OK",
    Message: "Key deleted successfully",
    Meta: null,
  });
});

test("the broker keeps profiles, with every field of the table (MGT-11)", async () => {
  const { broker } = await caller();
  const IdentityHandlerConfig = { "oauth-client-id": "weir", "oauth-client-secret": "s" };
  const made = await broker("POST /api/profiles/p1", { Name: "Ann's", IdentityHandlerConfig });
  const profile = {
    ID: "p1",
    ActionType: "",
    Type: "",
    ProviderName: "",
    Name: "Ann's",
    OrgID: "",
    MatchedPolicyID: "",
    CustomEmailField: "",
    CustomUserIDField: "",
    ProviderConfig: {},
    IdentityHandlerConfig: { ...IdentityHandlerConfig, "oauth-client-base-url": "" },
    ProviderConstraints: { Domain: "", Group: "" },
    ReturnURL: "",
    DefaultUserGroupID: "",
    CustomUserGroupField: "",
    UserGroupMapping: {},
    UserGroupSeparator: "",
    SSOOnlyForRegisteredUsers: false,
  };
  expect([made.status, made.body]).toEqual([201, { Status: "ok", ID: "p1", Data: profile }]);
  const changed = await broker("PUT /api/profiles/p1", { Name: null, Type: "redirect" });
  const next = { ...profile, Name: "", Type: "redirect" };
  expect([changed.status, changed.body]).toEqual([200, { Status: "ok", ID: "p1", Data: next }]);
  expect((await broker("GET /api/profiles/p1")).body).toEqual({
    Status: "ok",
    ID: "p1",
    Data: next,
  });
  expect((await broker("GET /api/profiles")).body).toEqual({ Status: "ok", ID: "", Data: [next] });
});

test("the portal stores webhooks, and never returns their secret (MGT-9)", async () => {
  const { portal } = await caller();
  const fields = {
    Name: "refusals",
    URL: "https://example.com/hook?for=weir",
    Events: ["RatelimitExceeded"],
    Headers: [{ Name: "X-Team", Value: "limits" }],
  };
  const hook = { ...fields, ID: "made-1", Method: "POST", Timeout: 10 };
  const shown = { ...hook, Headers: [{ ID: "made-2", Name: "X-Team", Value: "limits" }] };
  const at = "2023-11-14T22:13:20.000Z";
  const made = await portal("POST /portal-api/webhooks", { ...fields, Secret: "s".repeat(16) });
  expect([made.status, made.body]).toEqual([201, { ...shown, CreatedAt: at, UpdatedAt: at }]);
  const changed = await portal("PUT /portal-api/webhooks/made-1", { Timeout: 30 });
  expect(changed).toMatchObject({ status: 200, body: { ...shown, Timeout: 30 } });
  expect((await portal("GET /portal-api/webhooks")).body).toEqual([{ ...shown, Timeout: 30 }]);
  expect(await portal("DELETE /portal-api/webhooks/made-1")).toMatchObject({
    status: 200,
    body: { status: "ok" },
  });
});
