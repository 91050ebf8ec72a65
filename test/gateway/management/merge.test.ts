// How a body changes a record (MGT-C5), and its effect on the gateway.
import { describe, expect, test } from "vitest";
import { caller } from "./app.ts";

const KEY = "PUT /admin/org/keys/alice";

async function withKey(document: object) {
  const calling = await caller();
  await calling.dashboard("POST /api/apis", { api_id: "orders", listen: "/orders" });
  const made = await calling.admin("POST /admin/org/keys", { key_id: "alice", ...document });
  expect(made.status).toBe(200);
  const readKey = async (): Promise<unknown> =>
    (await calling.management.records.read("keys", "alice"))?.document;
  return { ...calling, readKey };
}

describe("a key", () => {
  test("keeps unset fields, and null resets to the default", async () => {
    const document = { rate: 5, per: 60, tags: ["a"], meta_data: { tier: "gold" }, alias: "ann" };
    const { admin, readKey } = await withKey(document);
    expect((await admin(KEY, { rate: 9 })).status).toBe(200);
    expect(await readKey()).toEqual({ key_id: "alice", ...document, rate: 9 });
    expect((await admin(KEY, { tags: null, alias: null })).status).toBe(200);
    expect(await readKey()).toEqual({
      key_id: "alice",
      rate: 9,
      per: 60,
      meta_data: { tier: "gold" },
    });
    expect((await admin(KEY, { meta_data: { tier: "tin" } })).status).toBe(200);
    expect(await readKey()).toMatchObject({ meta_data: { tier: "tin" } });
    expect((await admin(KEY, {})).status).toBe(200);
  });

  test("is validated as a whole after the change, not by the body alone", async () => {
    const { admin, readKey } = await withKey({ rate: 5, per: 60 });
    const response = await admin(KEY, { per: null });
    expect(response).toMatchObject({
      status: 400,
      body: { Message: "rate: rate 5 needs a window above 0; add per, in seconds" },
    });
    expect(await readKey()).toEqual({ key_id: "alice", rate: 5, per: 60 });
    expect((await admin(KEY, { rate: null, per: null })).status).toBe(200);
  });

  test("without access rights has access to nothing", async () => {
    const { admin, force } = await withKey({ access_rights: { orders: {} } });
    const credential = "secret-1";
    await force.learn(credential);
    expect(force.configuration().keys.get(credential)?.accessRights?.size).toBe(1);
    await admin(KEY, { access_rights: null });
    await force.learn(credential);
    expect(force.configuration().keys.get(credential)?.accessRights).toBeNull();
  });

  test("warns of fields without effect, or with another one than expected", async () => {
    const { admin } = await withKey({ rate: 5, per: 60 });
    const fields = { allowance: 7, hmac_enabled: true, apply_policies: ["gone"] };
    expect((await admin(KEY, fields)).body).toEqual({
      ID: "alice",
      Status: "OK",
      Message: "Key updated",
      Meta: {
        warnings: expect.arrayContaining([
          "allowance: allowance is 7 but rate is 5; only rate decides; write allowance: 5",
          'apply_policies.0: there is no policy "gone", so it is skipped',
        ]) as unknown,
      },
    });
  });

  test("may have a limit that is only evaluated (LIM-C13)", async () => {
    const { admin, force } = await withKey({ rate: 5, per: 60 });
    expect((await admin(KEY, { shadow: true })).status).toBe(200);
    await force.learn("secret-1");
    expect(force.configuration().shadow).not.toBeNull();
  });

  test("stays in its organisation, which it may be given once (MGT-C10)", async () => {
    const { admin } = await withKey({ rate: 5, per: 60 });
    expect((await admin(KEY, { org_id: "one" })).status).toBe(200);
    for (const org_id of ["two", "", null])
      expect(await admin(KEY, { org_id })).toMatchObject({
        status: 400,
        body: { Message: 'org_id: is not the one of this key: "one"' },
      });
    expect((await admin(KEY, { org_id: "one", rate: 6 })).status).toBe(200);
  });

  test("may be changed when an API that it has rights to has gone, but gets no rights to it", async () => {
    const { admin, dashboard } = await withKey({ access_rights: { orders: {} } });
    await dashboard("DELETE /api/apis/orders");
    expect((await admin(KEY, { alias: "ann" })).body).toMatchObject({
      Message: "Key updated",
      Meta: { warnings: ['access_rights.orders: there is no API "orders"'] },
    });
    const more = { access_rights: { orders: {}, mail: {} } };
    expect(await admin(KEY, more)).toMatchObject({
      status: 400,
      body: { Message: 'access_rights.mail: there is no API "mail"' },
    });
  });
});

test("a key may refer to what another gateway has created a moment ago", async () => {
  const { admin, dashboard, keep } = await caller();
  await keep("apis", "orders", { listen: "/orders" }); // this gateway has not applied it yet
  const access_rights = { orders: {} };
  expect(await admin("POST /admin/org/keys", { access_rights })).toMatchObject({ status: 200 });
  await keep("apis", "mail", { listen: "/mail" });
  const gold = { id: "gold", access_rights: { mail: {} } };
  expect(await dashboard("POST /api/portal/policies", gold)).toMatchObject({ status: 200 });
  await keep("apis", "news", { listen: "/news" });
  const more = { access_rights: { news: {} } };
  expect(await dashboard("PUT /api/portal/policies/gold", more)).toMatchObject({ status: 200 });
});

test("an API takes members one by one, and another form whole", async () => {
  const { dashboard } = await caller();
  await dashboard("POST /api/apis", {
    api_id: "a",
    listen: "/a",
    name: "A",
    custom: { kept: [1] },
  });
  const one = "/api/apis/a";
  expect((await dashboard(`PUT ${one}`, { name: null, active: false })).status).toBe(200);
  expect((await dashboard(`GET ${one}`)).body).toEqual({
    api_id: "a",
    listen: "/a",
    active: false,
    custom: { kept: [1] },
  });
  const oas = { openapi: "3.0.3", listen: "/a", paths: {}, tags: null };
  expect((await dashboard(`PUT ${one}`, oas)).status).toBe(200);
  expect((await dashboard(`GET ${one}`)).body).toEqual(oas);
});

test("a user's key is made anew when it is cleared, and sealed where it is kept", async () => {
  const { dashboard, management } = await caller();
  const made = {
    id: "one",
    email_address: "a@b",
    access_key: "mine",
    first_name: "Ann",
    active: false,
  };
  await dashboard("POST /api/users", made);
  expect((await dashboard("GET /api/users/one")).body).toMatchObject(made);
  await dashboard("PUT /api/users/one", { access_key: null, first_name: null, active: null });
  expect((await dashboard("GET /api/users/one")).body).toMatchObject({
    access_key: "secret-1",
    first_name: "",
    active: true,
  });
  const stored = await management.records.read("users", "one");
  expect(stored?.document["access_key"]).toBe("sealed for users one access_key: secret-1");
});

test("a profile's secret is stored sealed, and a webhook's secret is never returned", async () => {
  const { broker, portal, management } = await caller();
  const handler = { "oauth-client-secret": "secret" };
  const profile = await broker("POST /api/profiles", { ID: "p", IdentityHandlerConfig: handler });
  expect(profile.body).toMatchObject({ Data: { IdentityHandlerConfig: handler } });
  const { records } = management;
  expect((await records.read("profiles", "p"))?.document["IdentityHandlerConfig"]).toEqual({
    "oauth-client-secret":
      "sealed for profiles p IdentityHandlerConfig.oauth-client-secret: secret",
  });
  const hook = { ID: "w", URL: "http://a", Secret: "a secret of the test" };
  for (const what of ["POST /portal-api/webhooks", "PUT /portal-api/webhooks/w"])
    expect(JSON.stringify((await portal(what, hook)).body)).not.toContain("ecret");
  for (const what of ["GET /portal-api/webhooks", "GET /portal-api/webhooks/w"])
    expect(JSON.stringify((await portal(what)).body)).not.toContain("ecret");
  const readSecret = async () => (await records.read("webhooks", "w"))?.document["Secret"];
  expect(await readSecret()).toBe("sealed for webhooks w Secret: a secret of the test");
  await portal("PUT /portal-api/webhooks/w", { Timeout: 3 });
  expect(await readSecret()).toBe("sealed for webhooks w Secret: a secret of the test");
  await portal("PUT /portal-api/webhooks/w", { Secret: null });
  expect(await readSecret()).toBeUndefined();
});

test("headers of a webhook keep their ids, and new ones get some", async () => {
  const { portal } = await caller();
  const [first, second] = [
    { Name: "A", Value: "1" },
    { Name: "B", Value: "2" },
  ];
  await portal("POST /portal-api/webhooks", { ID: "w", URL: "http://a", Headers: [first] });
  const Headers = [{ ...first, ID: "made-1" }, second];
  const response = await portal("PUT /portal-api/webhooks/w", { Headers });
  expect(response.body).toMatchObject({ Headers: [Headers[0], { ...second, ID: "made-2" }] });
  const renamed = await portal("PUT /portal-api/webhooks/w", { Name: "w" });
  expect(renamed.body).toMatchObject({ Headers: [Headers[0], { ...second, ID: "made-2" }] });
});
