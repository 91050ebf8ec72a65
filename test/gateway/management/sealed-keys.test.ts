// Other credentials of a key than its secret can be read again, and are stored sealed.
import { expect, test } from "vitest";
import { exportWorld } from "#src/gateway/management/export-world.ts";
import { importWorld } from "#src/gateway/management/import-world.ts";
import { writeJson, type JsonObject } from "#src/gateway/management/json.ts";
import { readWorldFile } from "#src/gateway/settings/world.ts";
import { caller, PLAIN, type App } from "./app.ts";

const DATA = { password: "sesame", hash_type: "", tries: 3, more: ["sesame", { last: "sesame" }] };
const STORED = {
  hmac_string: "sealed for keys k hmac_string: sesame",
  basic_auth_data: {
    password: "sealed for keys k basic_auth_data.password: sesame",
    hash_type: "",
    tries: 3,
    more: [
      "sealed for keys k basic_auth_data.more.0: sesame",
      { last: "sealed for keys k basic_auth_data.more.1.last: sesame" },
    ],
  },
};
const OPEN = { hmac_string: "sesame", basic_auth_data: DATA };

const readKey = async ({ management }: App): Promise<JsonObject> =>
  (await management.records.read("keys", "k"))!.document;

test("credentials of a key are sealed, each for its field, and returned unsealed", async () => {
  const app = await caller();
  const { status, body } = await app.admin("POST /admin/org/keys", { key_id: "k", ...OPEN });
  expect([status, body]).toMatchObject([200, { data: OPEN }]);
  expect(await readKey(app)).toMatchObject(STORED);
  expect((await app.admin("GET /admin/org/keys/k")).body).toMatchObject(OPEN);
  await app.admin("PUT /admin/org/keys/k", { hmac_string: null });
  expect(await readKey(app)).not.toHaveProperty("hmac_string");
});

test("unsealed values of earlier versions are returned, and sealed with the next change", async () => {
  const app = await caller();
  await app.keep("keys", "k", { key_id: "k", ...OPEN });
  expect((await app.admin("GET /admin/org/keys/k")).body).toMatchObject(OPEN);
  expect((await app.admin("PUT /admin/org/keys/k", { alias: "ann" })).status).toBe(200);
  expect(await readKey(app)).toMatchObject({ ...STORED, alias: "ann" });
  expect((await app.admin("GET /admin/org/keys/k")).body).toMatchObject(OPEN);
  expect(app.reports).toEqual([]);
});

test("a world comes in sealed, and goes out open only with its secrets", async () => {
  const app = await caller();
  const { records } = app.management;
  const text = writeJson({ keys: { s: { key_id: "k", ...OPEN } } });
  const read = readWorldFile({ file: "w.yaml", text });
  const raw = read.raw as JsonObject;
  const world = { ...read, raw, configuration: read.configuration! };
  await importWorld(records, world, PLAIN, { actor: "t", operation: "import", atUs: 1 });
  expect(await readKey(app)).toMatchObject(STORED);
  const { keys } = (await exportWorld(records, PLAIN)).world;
  expect(keys).toMatchObject({ k: OPEN });
  expect(writeJson((await exportWorld(records, null)).world)).not.toContain("sesame");
});
