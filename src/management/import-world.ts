// A world file becomes records, once: as it is written, but that policies and keys have the form of the document's
// tables and call everything by its id, and that each key has a secret of its own.
import type { Configuration } from "../core/config.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { Secrets } from "./management.ts";
import { Refusal } from "./refusal.ts";
import type { Family } from "./records/family.ts";
import type { Audited, Records, Writing } from "./records/records.ts";
import { sealed } from "./sealed.ts";
import { INSTALLATION, installed } from "./secrets/installation.ts";

export interface World {
  readonly raw: JsonObject; // as the file says it
  readonly configuration: Configuration; // as it was read
  /** Name of a key in the file -> its credentials. */
  readonly credentials: ReadonlyMap<string, readonly string[]>;
  /** Name of a key that was exported -> the hash of its secret; null: nothing opens it. */
  readonly hashes?: ReadonlyMap<string, string | null>;
}

export interface Importing {
  readonly file: string | null; // as it is remembered; null: there is no world
  /** What a key of the file goes by that says no id: never its credential, where that is a secret. */
  readonly idOf: (credential: string) => string;
  readonly replaces: boolean; // what is there of these families goes
}

const AS_NAMED: Importing = { file: null, idOf: (credential) => credential, replaces: false };
const OF_A_WORLD = ["keys", "policies", "apis", "gateway"] as const satisfies readonly Family[];
const NOTHING = { unique: null, text: null };

/** All of it, or nothing. A key that is there already under its secret keeps its id, and so what it has spent. */
export async function importWorld(
  records: Records,
  world: World | null,
  secrets: Secrets,
  audited: Audited,
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
      family: Family,
      id: string,
      document: JsonObject,
      unique: string | null = null,
    ): Promise<void> => {
      const kept = await writing.insert(family, id, document, { unique, text: null });
      if (kept === null) throw new Error(`the ${family} ${id} is there already`);
    };
    const { gateway } = world.raw;
    if (gateway !== undefined && gateway !== null)
      await keep("gateway", "gateway", gateway as JsonObject);
    for (const { id, document, listenPath } of apisOf(world))
      await keep("apis", id, document, listenPath);
    for (const { id, document } of policiesOf(world)) await keep("policies", id, document);
    for (const { id, document, hash, number } of keys)
      try {
        await keep("keys", id, sealed(secrets, "keys", id, document), hash);
      } catch (error) {
        if (number === null || !(error instanceof Refusal)) throw error;
        const message = error.message.replace(`keys ${id}`, `key number ${number} of the file`);
        throw new Refusal(error.status, message);
      }
  });
}

async function remember(writing: Writing, secrets: Secrets, file: string | null): Promise<void> {
  const { family, id } = INSTALLATION;
  const before = await writing.read(family, id);
  if (before === null) await writing.insert(family, id, installed(secrets, file), NOTHING);
  else {
    secrets.heed(before.document);
    await writing.replace(family, before, { ...before.document, world: file }, NOTHING);
  }
}

/** What is there and would be gone after a world has replaced it: what has a place in both only changes. */
export async function goneAfter(
  records: Records,
  world: World,
  secrets: Secrets,
): Promise<readonly (readonly [Family, string])[]> {
  const keys = await keysOf(records, world, secrets, AS_NAMED.idOf);
  const stays: Readonly<Record<string, ReadonlySet<string>>> = {
    apis: new Set(apisOf(world).map(({ id }) => id)),
    policies: new Set(policiesOf(world).map(({ id }) => id)),
    keys: new Set(keys.map(({ id }) => id)),
    gateway: new Set(world.raw["gateway"] ? ["gateway"] : []),
  };
  return (await idsIn(records)).filter(([family, id]) => !stays[family]!.has(id));
}

async function idsIn(records: Records): Promise<readonly (readonly [Family, string])[]> {
  const found: (readonly [Family, string])[] = [];
  for (const family of OF_A_WORLD)
    for (const { id } of (await records.list(family, null)).records) found.push([family, id]);
  return found;
}

const entriesOf = (
  { raw }: World,
  family: "apis" | "policies" | "keys",
): readonly (readonly [name: string, document: JsonObject])[] =>
  Object.entries((raw[family] ?? {}) as Record<string, JsonObject | null>).map(
    ([name, document]) => [name, document ?? {}],
  );

const apisOf = (world: World) => {
  const read = [...world.configuration.apis.values()]; // in the order of the file
  return entriesOf(world, "apis").map(([name, document], index) => {
    const { id, listenPath } = read[index]!;
    return { name, id, document, listenPath };
  });
};

const policiesOf = (world: World) => {
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
  readonly number: number | null; // in the file, where nothing else but its credential names it there
}

async function keysOf(
  records: Records,
  world: World,
  { hashOf }: Secrets,
  idOf: Importing["idOf"],
): Promise<readonly KeyToKeep[]> {
  const apis = new Map(apisOf(world).map(({ name, id }) => [name, id]));
  const policies = new Map(policiesOf(world).map(({ name, id }) => [name, id]));
  const keys: KeyToKeep[] = [];
  for (const [index, [name, document]] of entriesOf(world, "keys").entries())
    for (const credential of world.credentials.get(name) ?? []) {
      const said = world.configuration.keys.get(credential)!.id;
      const exported = world.hashes?.get(name);
      const hash = exported === undefined ? hashOf(credential) : exported;
      const isBare = exported === undefined && said === credential;
      const known = isBare ? await records.find("keys", hashOf(credential)) : null;
      const id = known?.id ?? (isBare ? idOf(credential) : said);
      const { count: _, ...rest } = under(granting(document, apis), policies);
      keys.push({ id, document: { ...rest, key_id: id }, hash, number: isBare ? index + 1 : null });
    }
  return keys;
}

/** The short `apis` is `access_rights` that limit nothing; either calls APIs by their names or by their ids. */
function granting(document: JsonObject, ids: ReadonlyMap<string, string>): JsonObject {
  const { apis, access_rights: rights, ...rest } = document;
  const idOf = (name: string): string => ids.get(name) ?? name;
  if (Array.isArray(apis)) {
    const names = apis as readonly string[]; // as it was read
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
