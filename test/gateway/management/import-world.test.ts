import { stringify } from "yaml";
import { expect, onTestFinished, test } from "vitest";
import { exportWorld } from "#src/gateway/management/export-world.ts";
import {
  importWorld,
  type Importing,
  type ImportedWorld,
} from "#src/gateway/management/import-world.ts";
import type { RecordTypeName } from "#src/gateway/management/records/record-types.ts";
import type { Records } from "#src/gateway/management/records/records.ts";
import { recordsInMemory } from "#src/gateway/management/records/sqlite.node.ts";
import { secretsWith } from "./secrets/secrets-with.ts";
import { readWorldFile } from "#src/gateway/settings/world.ts";

const SECRETS = secretsWith("a key of thirty-two letters or so");
const AUDITED = { actor: "test", operation: "import", atUs: 1 };

function world(text: string): ImportedWorld {
  const read = readWorldFile({ file: "w.yaml", text }, { allowsDanglingNames: true });
  expect(read.errors).toEqual([]);
  return { ...read, raw: read.raw as ImportedWorld["raw"], configuration: read.configuration! };
}

async function records(): Promise<Records> {
  const opened = await recordsInMemory();
  onTestFinished(opened.close);
  return opened;
}

const take = (into: Records, text: string, importing: Partial<Importing> = {}): Promise<void> =>
  importWorld(into, world(text), SECRETS, AUDITED, { file: "w.yaml", ...importing });

const documents = async (from: Records, family: RecordTypeName): Promise<unknown> =>
  (await from.list(family, null)).records.map(({ id, document }) => [id, document]);

const NAMED = `apis:
  orders: { api_id: a1, proxy: { listen_path: /orders }, name: Orders }
  mail: { listen: /mail }
policies:
  gold: { id: p1, rate: 3, per: 60, apis: [orders, mail] }
  silver: { rate: 2, per: 60, access_rights: { orders: { limit: { rate: 1, per: 1 } }, mail: null } }
keys:
  "007": { key_id: alice, apply_policies: [gold, silver] }
  secret-of-bob: { apply_policy_id: gold, quota_renews: 9223372036854775807 }
  many: { count: 2, apis: [orders], rate: 1, per: 1 }
gateway: { algorithm: gcra }
`;

test("a world becomes records that call each other by ids, and no credential is one (MGT-C10)", async () => {
  const all = await records();
  let made = 0;
  await take(all, NAMED, { idOf: () => `made-${++made}` });
  expect(await documents(all, "apis")).toEqual([
    ["a1", { api_id: "a1", proxy: { listen_path: "/orders" }, name: "Orders" }],
    ["mail", { listen: "/mail" }],
  ]);
  expect(await documents(all, "policies")).toEqual([
    ["p1", { id: "p1", rate: 3, per: 60, access_rights: { a1: {}, mail: {} } }],
    [
      "silver",
      { rate: 2, per: 60, access_rights: { a1: { limit: { rate: 1, per: 1 } }, mail: {} } },
    ],
  ]);
  expect(await documents(all, "keys")).toEqual([
    ["alice", { key_id: "alice", apply_policies: ["p1", "silver"] }],
    [
      "made-1",
      { key_id: "made-1", apply_policy_id: "p1", quota_renews: 9_223_372_036_854_775_807n },
    ],
    ["made-2", { key_id: "made-2", rate: 1, per: 1, access_rights: { a1: {} } }],
    ["made-3", { key_id: "made-3", rate: 1, per: 1, access_rights: { a1: {} } }],
  ]);
  expect(await documents(all, "gateway")).toEqual([["gateway", { algorithm: "gcra" }]]);
  const of = async (credential: string): Promise<string | undefined> =>
    (await all.find("keys", SECRETS.hashOf(credential)))?.id;
  expect(await Promise.all(["007", "secret-of-bob", "many-2", "alice"].map(of))).toEqual([
    "alice",
    "made-1",
    "made-3",
    undefined,
  ]);
  expect((await all.find("apis", "/orders"))?.id).toBe("a1");
});

test("a world that was exported with its secrets is imported unchanged, to the last digit", async () => {
  const [one, other] = [await records(), await records()];
  await take(one, NAMED, { idOf: (credential) => `id-of-${credential}` });
  const { world: exported } = await exportWorld(one, SECRETS);
  await take(other, stringify(exported), { idOf: () => "unused" });
  for (const family of ["apis", "policies", "keys", "gateway"] as const)
    expect(await documents(other, family)).toEqual(await documents(one, family));
  expect((await other.find("keys", SECRETS.hashOf("007")))?.id).toBe("alice");
  expect(await other.find("keys", SECRETS.hashOf("alice"))).toBeNull();
});

const GONE = ["apis orders", "apis mail", "policies gold", "policies silver"] as const;

test.each(GONE)("what refers to %s comes in when that is gone, as it was", async (gone) => {
  const [one, other] = [await records(), await records()];
  await take(one, NAMED, { idOf: (credential) => `id-of-${credential}` });
  const [family, name] = gone.split(" ") as [RecordTypeName, string];
  const ids: Readonly<Record<string, string>> = { orders: "a1", gold: "p1" };
  await one.write(AUDITED, async ({ read, remove }) =>
    remove(family, (await read(family, ids[name] ?? name))!),
  );
  const { world: exported } = await exportWorld(one, SECRETS);
  const text = stringify(exported);
  const strict = readWorldFile({ file: "w.yaml", text });
  const lenient = readWorldFile({ file: "w.yaml", text }, { allowsDanglingNames: true });
  expect(lenient.errors).toEqual([]);
  // A file written by hand is checked strictly: without gold, the key of bob has no limit.
  expect(strict.errors.length > 0).toBe(gone !== "policies silver");
  expect(lenient.warnings[0]).toContain(`there is no ${family === "apis" ? "API" : "policy"}`);
  await take(other, text);
  for (const each of ["apis", "policies", "keys", "gateway"] as const)
    expect(await documents(other, each)).toEqual(await documents(one, each));
  expect((await exportWorld(other, SECRETS)).world).toEqual(exported);
});

test("without its secrets nothing opens a key that was exported, its own id least of all", async () => {
  const [one, other] = [await records(), await records()];
  await take(one, NAMED.replace("key_id: alice", "key_id: alice, hmac_string: sesame"));
  const { world: exported, left } = await exportWorld(one, null);
  const text = stringify(exported);
  expect(text).not.toMatch(/sesame|\*\*\*/);
  expect(text).not.toContain(SECRETS.hashOf("007"));
  expect(left).toEqual({ users: 0, profiles: 0, webhooks: 0, catalogues: 0 });
  await take(other, text);
  for (const credential of ["007", "alice", "secret-of-bob"])
    expect(await other.find("keys", SECRETS.hashOf(credential))).toBeNull();
  expect(await other.read("keys", "alice")).not.toBeNull();
});

test("an import that replaces takes away what the file has not, and a key keeps its id by its secret", async () => {
  const all = await records();
  let made = 0;
  const idOf = () => `made-${++made}`;
  await take(all, NAMED, { idOf });
  const profile = { unique: null, text: null };
  await all.write(AUDITED, ({ insert }) => insert("profiles", "p", { ID: "p" }, profile));
  await take(
    all,
    "apis: { mail: { listen: /orders } }\nkeys:\n  secret-of-bob: { apis: [mail] }\n  new: { apis: [mail] }",
    { idOf, replaces: true },
  );
  expect(await documents(all, "apis")).toEqual([["mail", { listen: "/orders" }]]);
  expect(await documents(all, "policies")).toEqual([]);
  expect(await documents(all, "gateway")).toEqual([]);
  expect(await documents(all, "keys")).toEqual([
    ["made-1", { key_id: "made-1", access_rights: { mail: {} } }],
    ["made-4", { key_id: "made-4", access_rights: { mail: {} } }],
  ]);
  expect(await all.read("profiles", "p")).not.toBeNull();
});

test("an import that cannot be whole changes nothing", async () => {
  const all = await records();
  await take(all, NAMED);
  const before = await documents(all, "keys");
  await expect(take(all, "apis: { new: { listen: /new }, a1: { listen: /a } }")).rejects.toThrow(
    "apis a1 already exists",
  );
  expect(await all.read("apis", "new")).toBeNull();
  expect(await documents(all, "keys")).toEqual(before);
});

test("a record that is larger than may be kept is named, and nothing is taken in", async () => {
  const large = `tags: [${Array.from({ length: 9_000 }, (_, i) => `tag${i}`).join(", ")}]`;
  const all = await records();
  await take(all, "apis: { old: { listen: /old } }\nkeys: { s: { key_id: k, apis: [old] } }");
  const before = await documents(all, "keys");
  const rejectionOf = async (text: string): Promise<string> => {
    const importing = { replaces: true, idOf: () => "made-of-chance" };
    const message = await take(all, text, importing).then(String, String);
    expect(await documents(all, "apis")).toEqual([["old", { listen: "/old" }]]);
    expect(await documents(all, "policies")).toEqual([]);
    expect(await documents(all, "keys")).toEqual(before);
    return message;
  };
  const bytes =
    /: the record would have \d+ bytes, and at most 65536 are stored: make it smaller, or raise limits\.record_bytes$/;
  const world = (rest: string): string => `apis: { new: { listen: /new } }\n${rest}`;
  const named = await rejectionOf(
    world(`keys: { secret: { key_id: bob, apis: [new], ${large} } }`),
  );
  expect(named).toContain("keys bob: ");
  expect(named).toMatch(bytes);
  const policy = await rejectionOf(
    world(`policies: { gold: { id: p1, rate: 1, per: 1, ${large} } }`),
  );
  expect(policy).toContain("policies p1: ");
  // What it is called in the file is its credential, and its id is not in the file.
  const bare = await rejectionOf(
    world(`keys: { a: { apis: [new] }, secret: { apis: [new], ${large} } }`),
  );
  expect(bare).toContain("key number 2 of the file: ");
  expect(bare).not.toMatch(/secret|made-of-chance/);
});

test("the log of changes has the newest first, and no secret", async () => {
  const all = await records();
  await take(
    all,
    "apis: { a: { listen: /a } }\nkeys: { s: { key_id: k, apis: [a], hmac_string: sesame } }",
  );
  const key = await all.read("keys", "k");
  const put = { actor: "admin 127.0.0.1", operation: "updateKey", atUs: 2_000_000 };
  await all.write(put, ({ replace }) =>
    replace("keys", key!, { ...key!.document, rate: 7 }, { unique: key!.unique, text: null }),
  );
  const log = await all.listAudit(10);
  expect(log.map(({ operation, family, id }) => [operation, family, id])).toEqual([
    ["updateKey", "keys", "k"],
    ["import", "keys", "k"],
    ["import", "apis", "a"],
    ["import", "installation", "installation"],
  ]);
  expect(log[0]).toMatchObject({ ...put, before: { hmac_string: "***" }, after: { rate: 7 } });
  expect(JSON.stringify(log)).not.toContain("sesame");
  expect(await all.listAudit(1)).toHaveLength(1);
});
