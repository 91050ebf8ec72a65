import { expect, test } from "vitest";
import { appWith, caller, CREDENTIALS } from "./app.ts";

const JSON_TYPE = { "content-type": "application/json" };

test("the studio creates a catalogue (MGT-1, MGT-C2), or lacks the feature (MGT-2)", async () => {
  const headers = { ...JSON_TYPE, authorization: `Bearer ${CREDENTIALS.studio}` };
  const payload = { data: { type: "catalogues", attributes: { name: "models" } } };
  const request = { method: "POST", url: "/studio/api/v1/catalogues", headers, payload } as const;
  const made = await (await appWith()).app.inject(request);
  expect([made.statusCode, made.json()]).toEqual([
    201,
    { data: { type: "catalogues", id: "made-1", attributes: { name: "models" } } },
  ]);
  const refused = await (await appWith({ catalogues: false })).app.inject(request);
  expect(refused.statusCode).toBe(402);
  expect(refused.json()).toEqual({
    errors: [
      {
        title: "Payment Required",
        detail: "Catalogues are a feature that this studio does not have",
      },
    ],
  });
});

test("an update of a key leaves unset fields unchanged, to the last digit (MGT-8, MGT-C5)", async () => {
  const { app, keep, management } = await appWith();
  await keep("keys", "alice", { rate: 5, per: 1, quota_renews: 9_223_372_036_854_775_807n });
  const headers = { ...JSON_TYPE, "admin-auth": CREDENTIALS.admin };
  const put = { method: "PUT", url: "/admin-api/admin/org/keys/alice", headers } as const;
  const updated = await app.inject({ ...put, payload: '{"rate": 7}' });
  expect([updated.statusCode, updated.json()]).toEqual([
    200,
    { ID: "alice", Message: "Key updated", Meta: null, Status: "OK" },
  ]);
  expect((await management.records.read("keys", "alice"))?.document).toEqual({
    rate: 7,
    per: 1,
    quota_renews: 9_223_372_036_854_775_807n,
  });
  const wrong = await app.inject({ ...put, payload: '{"ratee": 7, "tags": [1]}' });
  expect([wrong.statusCode, wrong.json()]).toEqual([
    400,
    {
      Status: "Error",
      Message: 'tags.0: is a string\nratee: is not a field of a key; did you mean "rate"?',
      Meta: null,
    },
  ]);
});

test("the broker deletes a profile for good (MGT-6, MGT-7, MGT-C4)", async () => {
  const { app, keep } = await appWith();
  await keep("profiles", "p1", { ID: "p1" });
  const request = { method: "DELETE", url: "/broker/api/profiles/p1" } as const;
  const headers = { authorization: CREDENTIALS.broker };
  expect((await app.inject(request)).json()).toEqual({
    Status: "error",
    Error: "Authorization failed",
  });
  expect((await app.inject({ ...request, headers })).json()).toEqual({
    Status: "ok",
    ID: "p1",
    Data: {},
  });
  const again = await app.inject({ ...request, headers });
  expect([again.statusCode, again.json()]).toEqual([
    404,
    { Status: "error", Error: "Profile not found" },
  ]);
});

test.each(["POST /api/profiles", "POST /api/profiles/a"])(
  "%s lists the problem of the profile's id after those of its fields (MGT-C1)",
  async (operation) => {
    const { broker } = await caller();
    const { status, body } = await broker(operation, { ID: "a/b", Name: 5 });
    const problems = [
      "Name: is a string",
      'ID: is an id of at most 128 letters, without "/" and control characters',
    ];
    expect([status, body]).toEqual([400, { Status: "error", Error: problems.join("\n") }]);
  },
);
