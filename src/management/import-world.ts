// A world file becomes records, once: as it is written, but that each key has the form of the document's table, and a
// secret of its own.
import type { Configuration } from "../core/config.ts";
import type { JsonObject } from "./json.ts";
import type { Secrets } from "./management.ts";
import type { Audited, Records } from "./records/records.ts";

export interface World {
  readonly raw: JsonObject; // as the file says it
  readonly configuration: Configuration; // as it was read
  /** Name of a key in the file -> its credentials. */
  readonly credentials: ReadonlyMap<string, readonly string[]>;
}

export async function importWorld(
  records: Records,
  { raw, configuration, credentials }: World,
  { hashOf }: Secrets,
  audited: Audited,
): Promise<void> {
  const family = (name: string): readonly (readonly [string, JsonObject])[] =>
    Object.entries((raw[name] ?? {}) as Record<string, JsonObject>);
  const nothing = { unique: null, text: null };
  await records.write(audited, async ({ insert }) => {
    if (raw["gateway"] !== undefined)
      await insert("gateway", "gateway", raw["gateway"] as JsonObject, nothing);
    const apis = [...configuration.apis.values()];
    for (const [index, [, document]] of family("apis").entries()) {
      const { id, listenPath } = apis[index]!;
      await insert("apis", id, document, { unique: listenPath, text: null });
    }
    const policies = [...configuration.policies.keys()];
    for (const [index, [, document]] of family("policies").entries())
      await insert("policies", policies[index]!, document, nothing);
    for (const [name, document] of family("keys"))
      for (const credential of credentials.get(name) ?? []) {
        const { id } = configuration.keys.get(credential)!;
        const unique = hashOf(credential);
        await insert("keys", id, { ...asTable(document), key_id: id }, { unique, text: null });
      }
  });
}

/** The short `apis` of a world is `access_rights` that limit nothing, and `count` has been counted. */
function asTable(document: JsonObject): JsonObject {
  const entries = Object.entries(document).filter(([name]) => name !== "apis" && name !== "count");
  const { apis } = document;
  if (Array.isArray(apis))
    entries.push(["access_rights", Object.fromEntries(apis.map((id) => [String(id), {}]))]);
  return Object.fromEntries(entries);
}
