import { expect, test } from "vitest";
import { caller } from "./app.ts";

test("one record that does not open hides no other, and its owner is told of it", async () => {
  const { dashboard, broker, keep, said } = await caller();
  for (const [id, access_key] of Object.entries({ a: "damaged", b: "of-b" }))
    await keep("users", id, { email_address: `${id}@example.com`, access_key });
  const secret = { "oauth-client-secret": "damaged" };
  await keep("profiles", "p", { Name: "p", IdentityHandlerConfig: secret });
  const users = [
    { id: "a", access_key: "" },
    { id: "b", access_key: "of-b" },
  ];
  for (const what of ["GET /api/users", "GET /api/users?p=-1"])
    expect((await dashboard(what)).body).toMatchObject({ users });
  expect((await dashboard("POST /api/users/search", { filters: {} })).body).toMatchObject({
    users,
  });
  expect((await broker("GET /api/profiles")).body).toMatchObject({ Data: [{ ID: "p" }] });
  expect([...new Set(said)]).toEqual([
    "users a: access_key does not open: Error: is damaged",
    "profiles p: IdentityHandlerConfig.oauth-client-secret does not open: Error: is damaged",
  ]);
});
