// Turns raw values (parsed JSON or YAML) into a configuration, or into a list of all problems with their paths. Never
// throws.
import type { ApiDefinition, Configuration, Key, Policy, Supplies } from "../core/config.ts";
import type { Path, Problem } from "../../kit/reading/problems.ts";
import { readApi } from "./api.ts";
import { warnEffective, type PlacedKey } from "./effective.ts";
import { readKeys } from "./key.ts";
import { GATEWAY, WORLD } from "./members.ts";
import { DEFAULT_OPTIONS, readOptions } from "./options.ts";
import {
  at,
  isObject,
  member,
  note,
  noteAt,
  open,
  openMember,
  show,
  strictFindings,
  type PlacedObject,
} from "./place.ts";
import { readPolicy, SUPPLIES_ALL } from "./policy.ts";
import { merge } from "../core/resolve/merge.ts";
import { referencesTo } from "./references.ts";
import { separateShadows } from "../core/shadow.ts";

interface ReadResult {
  /** Null if there is any error. */
  readonly configuration: Configuration | null;
  readonly problems: readonly Problem[];
  /** Name of a key in the file -> its credentials; several if the key has a `count`. */
  readonly credentials: ReadonlyMap<string, readonly string[]>;
  /** Ids of records, including those with errors. Null: records of this type could not be read. */
  readonly ids: { readonly apis: Iterable<string> | null; readonly keys: Iterable<string> | null };
}

interface ReadOptions {
  /**
   * Which references to a missing record are accepted: "none" in a file, "policies" in a change at run time, "all" in
   * an export.
   */
  readonly keepsDangling?: "none" | "policies" | "all";
  /** Whether to find warnings about effective limits, which take as long as to read the configuration; unset: yes. */
  readonly hasEffectiveWarnings?: boolean;
}

export function readConfiguration(
  raw: unknown,
  path: Path = [],
  { keepsDangling = "none", hasEffectiveWarnings = true }: ReadOptions = {},
): ReadResult {
  const problems: Problem[] = [];
  const credentials = new Map<string, readonly string[]>();
  const world = open(raw, path, strictFindings(problems, path), WORLD);
  if (world === null)
    return { configuration: null, problems, credentials, ids: { apis: null, keys: null } };

  const gateway = openMember(world, "gateway", GATEWAY);
  const options = gateway === null ? DEFAULT_OPTIONS : readOptions(gateway);

  const apis = new Map<string, ApiDefinition>();
  const apiIds = new Map<string, string>();
  const listeners = new Map<string, string>();
  for (const { name, value, place } of entriesOf(world, "apis")) {
    const api = readApi(name, value, place, problems, options);
    apiIds.set(name, api?.id ?? name); // other records can still refer to an API with errors
    if (api === null) continue;
    claim(problems, place, "CFG-ID-DUPLICATE", `API id ${show(api.id)}`, api.id, apis);
    claim(
      problems,
      place,
      "CFG-LISTEN-PATH-DUPLICATE",
      `listen path ${show(api.listenPath)}`,
      api.listenPath,
      listeners,
    );
    apis.set(api.id, api);
    listeners.set(api.listenPath, api.id);
  }

  const policies = new Map<string, Policy>();
  const policyIds = new Map<string, string>();
  const apiReferences = { ...referencesTo(apiIds), keepsDangling: keepsDangling === "all" };
  for (const { name, value, place } of entriesOf(world, "policies")) {
    const policy = readPolicy(name, value, place, problems, { apis: apiReferences, options });
    policyIds.set(name, policy?.id ?? name);
    if (policy === null) continue;
    claim(problems, place, "CFG-ID-DUPLICATE", `policy id ${show(policy.id)}`, policy.id, policies);
    policies.set(policy.id, policy);
  }

  const keys = new Map<string, Key>();
  const keyIds = new Set<string>();
  const placed: PlacedKey[] = [];
  const suppliesOf = (id: string): Supplies => policies.get(id)?.supplies ?? SUPPLIES_ALL;
  const policyReferences = { ...referencesTo(policyIds), keepsDangling: keepsDangling !== "none" };
  const known = { apis: apiReferences, policies: policyReferences, suppliesOf, options };
  const keyEntries = entriesOf(world, "keys");
  for (const { name, value, place } of keyEntries) {
    const read = readKeys(name, value, place, problems, known);
    const repeated = read.find(({ credential, key }) => keys.has(credential) || keyIds.has(key.id));
    if (repeated !== undefined)
      note(problems, "CFG-ID-DUPLICATE", place, `key ${show(repeated.key.id)} is given twice`);
    for (const { credential, key } of read) {
      keys.set(credential, key);
      keyIds.add(key.id);
    }
    if (read[0] !== undefined) placed.push({ credential: read[0].credential, path: place });
    credentials.set(
      name,
      read.map(({ credential }) => credential),
    );
  }

  const wantsKeys = [...apis.values()].some(({ keyless }) => !keyless);
  const errors = problems.filter(({ severity }) => severity === "error");
  for (const { name, place } of wantsKeys ? keyEntries : []) {
    const key = keys.get(credentials.get(name)?.[0] ?? "");
    // The key may have no access because of an error, which is reported already.
    if (key === undefined || errors.some(({ path: fault }) => isBelow(fault, place))) continue;
    warnWithoutAccess(place, key, { apis, policies }, problems);
  }

  const sound = problems.every(({ severity }) => severity === "warning");
  const configuration = sound
    ? separateShadows({ apis, policies, keys, options, shadow: null })
    : null;
  if (configuration !== null && hasEffectiveWarnings)
    warnEffective(configuration, placed, problems);
  const isRead = (family: string): boolean => isObject(member(world, family) ?? {});
  const ids = {
    apis: isRead("apis") ? apiIds.values() : null,
    keys: isRead("keys") ? keyIds : null,
  };
  return { configuration, problems, credentials, ids };
}

/** Warns of a key without access, unless its policies or its unenforced checks already cause a warning. */
function warnWithoutAccess(
  place: Path,
  key: Key,
  { apis, policies }: Pick<Configuration, "apis" | "policies">,
  problems: Problem[],
): void {
  if (key.unenforced.length > 0) return;
  const { grants, hasNoKnownPolicy } = merge(key, policies);
  if (grants.size > 0 || hasNoKnownPolicy) return;
  const ids = [...apis.keys()].slice(0, MOST_NAMED).map(show).join(", ");
  const fix =
    key.applyPolicies.length > 0
      ? `grant an API in one of its policies: apis: [${ids}]`
      : `add apis: [${ids}]`;
  const message = `key ${show(key.id)} has no APIs, so all its requests are rejected (403)`;
  note(problems, "CFG-KEY-WITHOUT-ACCESS", place, message, fix);
}

const isBelow = (path: Path, place: Path): boolean =>
  place.every((part, index) => path[index] === part);

const MOST_NAMED = 3;

interface Entry {
  readonly name: string;
  readonly value: unknown;
  readonly place: Path;
}

/** The entries of the map named `family`, in the order of the file. */
function entriesOf(world: PlacedObject, family: string): readonly Entry[] {
  const map = member(world, family) ?? {};
  if (!isObject(map)) {
    noteAt(world, family, "CFG-TYPE", `${family} must be a map from names; got ${show(map)}`);
    return [];
  }
  return Object.entries(map).flatMap(([name, value]) => {
    const place = [...at(world, family), name];
    if (name !== "") return [{ name, value, place }];
    note(world.findings.problems, "CFG-VALUE", place, `a name in ${family} must not be empty`);
    return [];
  });
}

function claim(
  problems: Problem[],
  place: Path,
  code: "CFG-ID-DUPLICATE" | "CFG-LISTEN-PATH-DUPLICATE",
  what: string,
  name: string,
  taken: ReadonlyMap<string, unknown>,
): void {
  if (taken.has(name)) note(problems, code, place, `${what} is taken by another entry`);
}
