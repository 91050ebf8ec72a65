// Imports a world file as records. Policies and keys get the fields of the specification and refer to records by id.
// Each credential becomes one key.
import type { Configuration } from "../../limiter/core/config.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { Secrets } from "./management.ts";
import { Rejection } from "./rejection.ts";
import type { RecordTypeName } from "./records/record-types.ts";
import type { WriteContext, ManagedRecords, RecordTransaction } from "./records/records.ts";
import { sealFields } from "./sealed.ts";
import { INSTALLATION, buildInstallation } from "./secrets/installation.ts";

export interface ImportedWorld {
  readonly raw: JsonObject; // the parsed file
  readonly configuration: Configuration; // read from the file
  /** Credentials by the name of their key in the file. */
  readonly credentials: ReadonlyMap<string, readonly string[]>;
  /** The hash of each exported key's secret, by name of the key; null: the key is unusable. */
  readonly hashes?: ReadonlyMap<string, string | null>;
}

export interface Importing {
  readonly file: string | null; // stored in the installation's record; null: there is no world
  /** Builds the id of a key that has none in the file. The id must not be a secret credential. */
  readonly idOf: (credential: string) => string;
  readonly replaces: boolean; // true: existing APIs, policies, keys and gateway options are removed first
}

const AS_NAMED: Importing = { file: null, idOf: (credential) => credential, replaces: false };
const OF_A_WORLD = [
  "keys",
  "policies",
  "apis",
  "gateway",
] as const satisfies readonly RecordTypeName[];
const NOTHING = { unique: null, text: null };

/** Imports all records or none. An existing key with the same secret keeps its id, and so its budgets. */
export async function importWorld(
  records: ManagedRecords,
  world: ImportedWorld | null,
  secrets: Secrets,
  audited: WriteContext,
  importing: Partial<Importing> = {},
): Promise<void> {
  const { file, idOf, replaces }: Importing = { ...AS_NAMED, ...importing };
  const keys = world === null ? [] : await keysOf(records, world, secrets, idOf);
  const old = replaces ? await idsIn(records) : [];
  await records.write(audited, async (writing) => {
    await remember(writing, secrets, file);
    for (const [family, id] of old) {
      const before = await writing.read(family, id);
      if (before !== null) await writing.remove(family, before);
    }
    if (world === null) return;
    const keep = async (
      family: RecordTypeName,
      id: string,
      document: JsonObject,
      unique: string | null = null,
    ): Promise<void> => {
      const inserted = await writing.insert(family, id, document, { unique, text: null });
      if (inserted === null) throw new Error(`${family} ${id} already exists`);
    };
    const { gateway } = world.raw;
    if (gateway !== undefined && gateway !== null)
      await keep("gateway", "gateway", gateway as JsonObject);
    for (const { id, document, listenPath } of apisOf(world))
      await keep("apis", id, document, listenPath);
    for (const { id, document } of policiesOf(world)) await keep("policies", id, document);
    for (const { id, document, hash, number } of keys)
      try {
        await keep("keys", id, sealFields(secrets, "keys", id, document), hash);
      } catch (error) {
        if (number === null || !(error instanceof Rejection)) throw error;
        const message = error.message.replace(`keys ${id}`, `key number ${number} of the file`);
        throw new Rejection(error.status, message);
      }
  });
}

async function remember(
  writing: RecordTransaction,
  secrets: Secrets,
  file: string | null,
): Promise<void> {
  const { family, id } = INSTALLATION;
  const before = await writing.read(family, id);
  if (before === null) await writing.insert(family, id, buildInstallation(secrets, file), NOTHING);
  else {
    secrets.useKeyOf(before.document);
    await writing.replace(family, before, { ...before.document, world: file }, NOTHING);
  }
}

/** Lists existing records that are not in the world: an import that replaces would remove them. */
export async function goneAfter(
  records: ManagedRecords,
  world: ImportedWorld,
  secrets: Secrets,
): Promise<readonly (readonly [RecordTypeName, string])[]> {
  const keys = await keysOf(records, world, secrets, AS_NAMED.idOf);
  const stays: Readonly<Record<string, ReadonlySet<string>>> = {
    apis: new Set(apisOf(world).map(({ id }) => id)),
    policies: new Set(policiesOf(world).map(({ id }) => id)),
    keys: new Set(keys.map(({ id }) => id)),
    gateway: new Set(world.raw["gateway"] ? ["gateway"] : []),
  };
  return (await idsIn(records)).filter(([family, id]) => !stays[family]!.has(id));
}

async function idsIn(
  records: ManagedRecords,
): Promise<readonly (readonly [RecordTypeName, string])[]> {
  const found: (readonly [RecordTypeName, string])[] = [];
  for (const family of OF_A_WORLD)
    for (const { id } of (await records.list(family, null)).records) found.push([family, id]);
  return found;
}

const entriesOf = (
  { raw }: ImportedWorld,
  family: "apis" | "policies" | "keys",
): readonly (readonly [name: string, document: JsonObject])[] =>
  Object.entries((raw[family] ?? {}) as Record<string, JsonObject | null>).map(
    ([name, document]) => [name, document ?? {}],
  );

const apisOf = (world: ImportedWorld) => {
  const read = [...world.configuration.apis.values()]; // in the order of the file
  return entriesOf(world, "apis").map(([name, document], index) => {
    const { id, listenPath } = read[index]!;
    return { name, id, document, listenPath };
  });
};

const policiesOf = (world: ImportedWorld) => {
  const read = [...world.configuration.policies.keys()];
  const apis = new Map(apisOf(world).map(({ name, id }) => [name, id]));
  return entriesOf(world, "policies").map(([name, document], index) => ({
    name,
    id: read[index]!,
    document: granting(document, apis),
  }));
};

interface KeyToKeep {
  readonly id: string;
  readonly document: JsonObject;
  readonly hash: string | null;
  readonly number: number | null; // the key's number in the file, if the file names it only by its credential
}

async function keysOf(
  records: ManagedRecords,
  world: ImportedWorld,
  { hashOf }: Secrets,
  idOf: Importing["idOf"],
): Promise<readonly KeyToKeep[]> {
  const apis = new Map(apisOf(world).map(({ name, id }) => [name, id]));
  const policies = new Map(policiesOf(world).map(({ name, id }) => [name, id]));
  const keys: KeyToKeep[] = [];
  for (const [index, [name, document]] of entriesOf(world, "keys").entries())
    for (const credential of world.credentials.get(name) ?? []) {
      const configuredId = world.configuration.keys.get(credential)!.id;
      const exported = world.hashes?.get(name);
      const hash = exported === undefined ? hashOf(credential) : exported;
      const isBare = exported === undefined && configuredId === credential;
      const known = isBare ? await records.find("keys", hashOf(credential)) : null;
      const id = known?.id ?? (isBare ? idOf(credential) : configuredId);
      const { count: _, ...rest } = under(granting(document, apis), policies);
      keys.push({ id, document: { ...rest, key_id: id }, hash, number: isBare ? index + 1 : null });
    }
  return keys;
}

/** Turns the short form `apis` into `access_rights` without limits, and names of APIs into ids. */
function granting(document: JsonObject, ids: ReadonlyMap<string, string>): JsonObject {
  const { apis, access_rights: rights, ...rest } = document;
  const idOf = (name: string): string => ids.get(name) ?? name;
  if (Array.isArray(apis)) {
    const names = apis as readonly string[]; // validated before
    return { ...rest, access_rights: Object.fromEntries(names.map((name) => [idOf(name), {}])) };
  }
  if (typeof rights !== "object" || rights === null) return document;
  const entries = Object.entries(rights).map(([name, right]) => [idOf(name), right ?? {}] as const);
  return { ...rest, access_rights: Object.fromEntries(entries) };
}

function under(document: JsonObject, ids: ReadonlyMap<string, string>): JsonObject {
  const idOf = (name: JsonValue): JsonValue =>
    typeof name === "string" ? (ids.get(name) ?? name) : name;
  const { apply_policies: several, apply_policy_id: one } = document;
  return {
    ...document,
    ...(Array.isArray(several) ? { apply_policies: several.map(idOf) } : {}),
    ...(one === undefined ? {} : { apply_policy_id: idOf(one) }),
  };
}
