// Records as the gateway needs them. The readers of files read them too; a 64-bit number that no limit can have
// becomes the double next to it.
import type { ApiDefinition, Configuration, GatewayOptions, Key, Policy } from "../core/config.ts";
import type { Problem } from "../core/problems.ts";
import { readApi } from "../core/read/api.ts";
import { readKeys } from "../core/read/key.ts";
import { GATEWAY } from "../core/read/members.ts";
import { DEFAULT_OPTIONS, readOptions } from "../core/read/options.ts";
import { open, strictFindings } from "../core/read/place.ts";
import { readPolicy } from "../core/read/policy.ts";
import { referencesTo } from "../core/read/references.ts";
import { withShadowsApart } from "../core/shadow.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { Family, Records, Stored } from "./records/records.ts";

type InForce = Pick<Configuration, "apis" | "policies" | "options">;

interface ReadRecord {
  readonly problems: readonly Problem[];
  readonly api?: ApiDefinition | null;
  readonly policy?: Policy | null;
  readonly key?: Key | null;
}

/** With everything that is wrong with it, or strange about it. */
export function readRecord(
  family: Family,
  id: string,
  document: JsonObject,
  { apis, policies, options }: InForce,
): ReadRecord {
  const problems: Problem[] = [];
  const raw = asDoubles(document);
  const known = { apis: referencesTo(idsIn(apis)), options };
  switch (family) {
    case "apis":
      return { problems, api: readApi(id, raw, [], problems) };
    case "policies":
      return { problems, policy: readPolicy(id, raw, [], problems, known) };
    case "keys": {
      const withPolicies = { ...known, policies: referencesTo(idsIn(policies)) };
      const [read] = readKeys(id, raw, [], problems, withPolicies);
      return { problems, key: read?.key ?? null };
    }
    case "users":
    case "profiles":
    case "webhooks":
    case "catalogues":
    case "gateway":
    case "installation":
      return { problems };
  }
}

const idsIn = (records: ReadonlyMap<string, unknown>): ReadonlyMap<string, string> =>
  new Map([...records.keys()].map((id) => [id, id]));

const asDoubles = (value: JsonValue): JsonValue => {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(asDoubles);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([name, member]) => [name, asDoubles(member)]),
  );
};

/** Everything but the keys, which are looked up one by one. */
export async function configurationWithout(records: Records): Promise<Configuration> {
  const options = await optionsIn(records);
  const apis = new Map<string, ApiDefinition>();
  const policies = new Map<string, Policy>();
  const empty = { apis, policies, options };
  for (const { id, document } of (await records.list("apis", null)).records) {
    const { api } = readRecord("apis", id, document, empty);
    if (api !== null && api !== undefined) apis.set(id, { ...api, id });
  }
  for (const { id, document } of (await records.list("policies", null)).records) {
    const { policy } = readRecord("policies", id, document, empty);
    if (policy !== null && policy !== undefined) policies.set(id, { ...policy, id });
  }
  return withShadowsApart({ apis, policies, keys: new Map(), options, shadow: null });
}

async function optionsIn(records: Records): Promise<GatewayOptions> {
  const kept = await records.read("gateway", "gateway");
  if (kept === null) return DEFAULT_OPTIONS;
  const place = open(asDoubles(kept.document), [], strictFindings([], []), GATEWAY);
  return place === null ? DEFAULT_OPTIONS : readOptions(place);
}

/** Null: it was sound when it was kept, and what it refers to has gone since. */
export function keyOf({ id, document }: Stored, inForce: InForce): Key | null {
  const { key } = readRecord("keys", id, document, inForce);
  return key === null || key === undefined ? null : { ...key, id };
}
