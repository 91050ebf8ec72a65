// The content of a database's files, searched as bytes, the way the thief of a backup would search.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Records } from "#src/gateway/management/records/records.ts";
import type { JsonObject } from "#src/gateway/management/json.ts";
import {
  INSTALLATION,
  buildInstallation,
  SEALED_AS,
} from "#src/gateway/management/secrets/installation.ts";
import { sealOpenFields } from "#src/gateway/management/secrets/rotation.ts";
import { secretsWith } from "./secrets-with.ts";
import { caller } from "../app.ts";
import { inFile, kindsOf, opener, postgres, type DatabaseKind } from "../records/every-database.ts";

const SECRETS = secretsWith("a key of thirty-two letters or so");
const opening = opener();
const nothing = { unique: null, text: null };

/** Each is found in no text but its own. */
const PLAIN = (of: string) => ({
  jwt: `jwt-of-${of}`,
  oauth: `oauth-of-${of}`,
  basic: `basic-of-${of}`,
  hmac: `hmac-of-${of}`,
  header: `header-of-${of}`,
  query: `query-of-${of}`,
  signing: `signing-of-${of}-and-more`,
  access: `access-of-${of}`,
  client: `client-of-${of}`,
  provider: `provider-of-${of}`,
});

const documents = (s: ReturnType<typeof PLAIN>) => ({
  keys: {
    hmac_string: s.hmac,
    basic_auth_data: { password: s.basic, hash_type: "" },
    jwt_data: { secret: s.jwt },
    oauth_keys: { orders: s.oauth },
  },
  webhooks: {
    URL: `https://receiver.example/hook?token=${s.query}`,
    Headers: [{ ID: "1", Name: "Authorization", Value: `Bearer ${s.header}` }],
    Secret: s.signing,
  },
  users: { email_address: "ann@example.com", access_key: s.access },
  profiles: {
    IdentityHandlerConfig: { "oauth-client-secret": s.client },
    ProviderConfig: { UseProviders: [{ Name: "hub", Secret: s.provider }] },
  },
});

/** Names of the secrets that one of the files contains, and how many files were searched. */
function searchFiles(
  folder: string,
  secrets: readonly string[],
  isSearched: (file: string) => boolean = Boolean,
) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter(isSearched);
  const found = new Set<string>();
  for (const file of files) {
    const bytes = readFileSync(file);
    for (const each of secrets) if (bytes.includes(each)) found.add(each);
  }
  return { files: files.length, found: [...found].toSorted() };
}

const KINDS: readonly (DatabaseKind & { readonly folder: () => Promise<string> })[] = kindsOf(
  inFile,
).map((kind) => {
  let folder = "";
  const place: DatabaseKind["place"] = async () => {
    const made = await kind.place();
    return {
      ...made,
      open: async (report) => {
        const records = await made.open(report);
        folder = await (kind === inFile
          ? made.query("pragma database_list").then(([one]) => dirname(String(one!["file"])))
          : made.query("show data_directory").then(([one]) => String(one!["data_directory"])));
        return records;
      },
    };
  };
  return { ...kind, place, folder: async () => folder };
});

/** So that all of it is in files. */
async function settle(kind: (typeof KINDS)[number], records: Records): Promise<string> {
  await records.close();
  if (kind.name === "PostgreSQL") await (await postgres()).query("checkpoint");
  return kind.folder();
}

describe.each(KINDS)("in $name", (kind) => {
  test("no file contains a secret that an API received, and each is returned unchanged", async () => {
    const records = await opening((await kind.place()).open());
    const { admin, portal, dashboard, broker } = await caller({}, undefined, records, SECRETS);
    const plain = PLAIN("new");
    const { keys, webhooks, users, profiles } = documents(plain);
    expect([
      (await admin("POST /admin/org/keys", { key_id: "k", ...keys })).status,
      (await portal("POST /portal-api/webhooks", { ...webhooks, ID: "w" })).status,
      (await dashboard("POST /api/users", { id: "u", ...users })).status,
      (await broker("POST /api/profiles", { ID: "p", ...profiles })).status,
      (await admin("PUT /admin/org/keys/k", { alias: "ann" })).status,
    ]).toEqual([200, 201, 200, 201, 200]);
    const { Secret: _never, ...shown } = webhooks;
    expect((await admin("GET /admin/org/keys/k")).body).toMatchObject(keys);
    expect((await portal("GET /portal-api/webhooks")).body).toMatchObject([shown]);
    expect((await dashboard("GET /api/users/u")).body).toMatchObject(users);
    expect((await broker("GET /api/profiles/p")).body).toMatchObject({ Data: profiles });
    const folder = await settle(kind, records);
    const { files, found } = searchFiles(folder, [...Object.values(plain), "receiver.example"]);
    expect(found).toEqual(["receiver.example"]); // which is no secret, and shows that it is looked in the right place
    expect(files).toBeGreaterThan(0);
  });

  test("what an earlier version left open is sealed, and gone from the files", async () => {
    const place = await kind.place();
    const first = await opening(place.open());
    const plain = PLAIN("old");
    const all = documents(plain);
    const { check, world } = buildInstallation(SECRETS, null);
    const open: readonly (readonly ["keys" | "profiles" | "webhooks", JsonObject])[] = [
      ["keys", all.keys],
      ["webhooks", { ...all.webhooks, Secret: SECRETS.seal("s", at("webhooks", "Secret")) }],
      ["profiles", { ProviderConfig: all.profiles.ProviderConfig }],
    ];
    await first.write({ actor: "test", operation: "keep", atUs: 0 }, async (writing) => {
      const { family, id } = INSTALLATION;
      await writing.insert(family, id, { check: check!, world: world! }, nothing);
      for (const [name, document] of open) await writing.insert(name, "x", document, nothing);
    });
    const { jwt, oauth, basic, hmac, header, query, provider } = plain;
    const lying = [jwt, oauth, basic, hmac, header, query, provider].toSorted();
    const versions = async (records: Records) =>
      (await Promise.all(open.map(([name]) => records.read(name, "x")))).map((x) => x!.version);
    const before = await versions(first);
    const isOfTable = (file: string): boolean => !file.includes("pg_wal");
    expect(searchFiles(await settle(kind, first), lying, isOfTable).found).toEqual(lying);

    const second = await opening(place.open());
    expect(await sealOpenFields(second, SECRETS, 1)).toBe(3);
    expect(await sealOpenFields(second, SECRETS, 1)).toBe(0);
    expect(await versions(second)).toEqual(before); // no If-Match fails for it
    const { document } = (await second.read(INSTALLATION.family, INSTALLATION.id))!;
    expect(document["sealed"]).toBe(SEALED_AS);
    const { admin, portal } = await caller({}, undefined, second, SECRETS);
    expect((await admin("GET /admin/org/keys/x")).body).toMatchObject(all.keys);
    const { Secret: _, ...shown } = all.webhooks;
    expect((await portal("GET /portal-api/webhooks/x")).body).toMatchObject(shown);
    expect(searchFiles(await settle(kind, second), lying, isOfTable).found).toEqual([]);
  });
});

const at = (family: "webhooks", field: string) => ({ family, id: "x", field });
