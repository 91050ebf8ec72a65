// Versions: no client overwrites a change that it has not seen, and unique values stay unique.
import { describe, expect, test } from "vitest";
import type { InterfaceName } from "#src/gateway/management/interface-name.ts";
import { caller } from "./app.ts";

const RECORDS: readonly (readonly [InterfaceName, string, string, object, object])[] = [
  ["dashboard", "PUT", "/api/users", { id: "one", email_address: "a@b" }, { first_name: "A" }],
  ["dashboard", "PUT", "/api/portal/policies", { id: "one" }, { rate: 1, per: 1 }],
  ["dashboard", "PUT", "/api/apis", { api_id: "one", listen: "/one" }, { name: "One" }],
  ["admin", "PUT", "/admin/org/keys", { key_id: "one" }, { rate: 1, per: 1 }],
  ["broker", "PUT", "/api/profiles", { ID: "one" }, { Name: "One" }],
  ["portal", "PUT", "/portal-api/webhooks", { ID: "one", URL: "http://a" }, { Name: "One" }],
];

describe.each(RECORDS)("%s %s %s", (name, method, path, made, change) => {
  const one = `${path}/one`;

  test("a version is returned, and required by If-Match", async () => {
    const { [name]: call } = await caller();
    expect((await call(`POST ${path}`, made)).etag).toBe('"1"');
    expect((await call(`GET ${one}`)).etag).toBe('"1"');
    const at = (version: string) => ({ "if-match": version });
    expect((await call(`${method} ${one}`, change, at('"1"'))).etag).toBe('"2"');
    for (const other of ['"1"', 'W/"2"', "2", '"1", "3"', '""'])
      expect(await call(`${method} ${one}`, change, at(other))).toMatchObject({
        status: 412,
        etag: '"2"',
      });
    expect((await call(`GET ${one}`)).etag).toBe('"2"');
    expect((await call(`${method} ${one}`, change, at('"1", "2"'))).etag).toBe('"3"');
    expect((await call(`${method} ${one}`, change, at("*"))).etag).toBe('"4"');
    expect((await call(`${method} ${one}`, change)).etag).toBe('"5"');
    expect(await call(`DELETE ${one}`, undefined, at('"4"'))).toMatchObject({ status: 412 });
    expect(await call(`DELETE ${one}`, undefined, at('"5"'))).toMatchObject({ status: 200 });
    for (const again of [`GET ${one}`, `DELETE ${one}`])
      expect((await call(again)).status).toBe(404);
    expect((await call(`${method} ${one}`, change, at("*"))).status).toBe(404);
    // Created again, it is another record: no earlier tag matches it.
    const again = await call(`POST ${path}`, made);
    for (const version of [1, 2, 3, 4, 5])
      expect(await call(`DELETE ${one}`, undefined, at(`"${version}"`))).toMatchObject({
        status: 412,
        etag: again.etag,
      });
  });

  test("an id is there once, and does not change", async () => {
    const { [name]: call } = await caller();
    await call(`POST ${path}`, made);
    const again = await call(`POST ${path}`, { ...made, email_address: "c@d", listen: "/other" });
    // What an interface does not know is refused before anything is looked up.
    expect([400, 409]).toContain(again.status);
    const id = Object.keys(made)[0]!;
    const twice = await call(`POST ${path}`, { ...made, ...OTHERWISE[path] });
    expect([twice.status, JSON.stringify(twice.body)]).toEqual([
      409,
      expect.stringContaining(String.raw`The id \"one\" is taken`),
    ]);
    const moved = await call(`${method} ${one}`, { [id]: "two" });
    expect([moved.status, JSON.stringify(moved.body)]).toEqual([
      400,
      expect.stringContaining(String.raw`${id}: is not the id that this record has: \"one\"`),
    ]);
    expect((await call(`${method} ${one}`, { [id]: "one" })).status).toBe(200);
  });

  test("of two clients that saw the same version, one gets a 412", async () => {
    const { [name]: call } = await caller();
    await call(`POST ${path}`, made);
    const both = await Promise.all(
      [1, 2].map(() => call(`${method} ${one}`, change, { "if-match": '"1"' })),
    );
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412]);
  });
});

/** The same id, with nothing else that would be taken as well. */
const OTHERWISE: Readonly<Record<string, object>> = {
  "/api/users": { email_address: "c@d" },
  "/api/apis": { listen: "/other" },
};

test("an update that removes the listen path of an API is rejected for that alone, and not for its id", async () => {
  const { dashboard } = await caller();
  // A classic definition may have an id of its database too.
  const made = { api_id: "one", id: "5e9d9544", proxy: { listen_path: "/one" } };
  expect((await dashboard("POST /api/apis", made)).status).toBe(200);
  expect(await dashboard("PUT /api/apis/one", { proxy: null })).toMatchObject({
    status: 400,
    body: { Message: "The body: the listen path is missing; add listen, such as /orders" },
  });
});

describe("a catalogue", () => {
  const catalogueNamed = (name: string) => ({ data: { type: "catalogues", attributes: { name } } });

  test("has a version as well", async () => {
    const { studio } = await caller();
    const one = "/api/v1/catalogues/made-1";
    expect((await studio("POST /api/v1/catalogues", catalogueNamed("a"))).etag).toBe('"1"');
    const stale = { "if-match": '"2"' };
    expect(await studio(`PATCH ${one}`, catalogueNamed("b"), stale)).toMatchObject({
      status: 412,
      body: { errors: [{ title: "Precondition Failed" }] },
    });
    expect((await studio(`DELETE ${one}`, undefined, stale)).status).toBe(412);
    expect((await studio(`DELETE ${one}`, undefined, { "if-match": "*" })).status).toBe(204);
  });

  test("has the id of its address", async () => {
    const { studio } = await caller();
    await studio("POST /api/v1/catalogues", catalogueNamed("a"));
    const body = { data: { type: "catalogues", id: "other", attributes: { name: "b" } } };
    expect(await studio("PATCH /api/v1/catalogues/made-1", body)).toMatchObject({
      status: 400,
      body: { errors: [{ detail: "data.id: is not the id of this catalogue" }] },
    });
  });

  test.each(["GET", "POST", "GET /made-1", "PATCH /made-1", "DELETE /made-1"])(
    "is a feature that a studio may not have: %s (MGT-2)",
    async (what) => {
      const { studio } = await caller({ catalogues: false });
      const [method, path = ""] = what.split(" ");
      const body = method === "POST" || method === "PATCH" ? catalogueNamed("a") : undefined;
      expect(await studio(`${method} /api/v1/catalogues${path}`, body)).toMatchObject({
        status: 402,
        body: { errors: [{ title: "Payment Required" }] },
      });
    },
  );
});

test("an address is taken in any case, and free again when its user has gone", async () => {
  const { dashboard } = await caller();
  await dashboard("POST /api/users", { id: "one", email_address: "ann@example.com" });
  await dashboard("POST /api/users", { id: "two", email_address: "bob@example.com" });
  const ann = { email_address: "ANN@EXAMPLE.COM" };
  const taken = {
    status: 409,
    body: { Status: "Error", Message: "Another user has this e-mail address", Meta: null },
  };
  expect(await dashboard("POST /api/users", ann)).toMatchObject(taken);
  expect(await dashboard("PUT /api/users/two", ann)).toMatchObject(taken);
  expect(await dashboard("PUT /api/users/one", ann)).toMatchObject({ status: 200 });
  await dashboard("DELETE /api/users/one");
  expect(await dashboard("PUT /api/users/two", ann)).toMatchObject({ status: 200 });
});

test("a listen path is taken in either form of definition", async () => {
  const { dashboard } = await caller();
  await dashboard("POST /api/apis", { api_id: "one", proxy: { listen_path: "/one/" } });
  const oas = { openapi: "3.0.3", listen: "/one", paths: {} };
  const taken = {
    status: 409,
    body: { Status: "Error", Message: "Another API listens on this path", Meta: null },
  };
  expect(await dashboard("POST /api/apis", oas)).toMatchObject(taken);
  expect(await dashboard("POST /api/apis", { ...oas, listen: "/two" })).toMatchObject({
    status: 200,
  });
  expect(await dashboard("PUT /api/apis/made-2", { listen: "/one" })).toMatchObject(taken);
  const long = { listen: `/${"x".repeat(1_024)}` };
  expect(await dashboard("POST /api/apis", long)).toMatchObject({
    status: 400,
    body: { Message: "The body: the listen path has at most 1024 letters" },
  });
});
