// Records become a world file again, which an import takes. Credentials are not known any more: a key is named by its
// id there, and `secret_hash` is what stands for its secret.
import type { JsonObject, JsonValue } from "./json.ts";
import type { Family } from "./records/family.ts";
import type { Records, Stored } from "./records/records.ts";
import type { Secrets } from "./management.ts";
import { unsealed } from "./sealed.ts";
import { leavingSecretsOut } from "./without-secrets.ts";

export interface Exported {
  readonly world: JsonObject;
  /** What no world has a place for, by its family. */
  readonly left: Readonly<Record<(typeof LEFT)[number], number>>;
}

const LEFT = ["users", "profiles", "webhooks", "catalogues"] as const;

/** Null: without secrets. No key of it opens anything, until it is given a hash. */
export async function exportWorld(records: Records, secrets: Secrets | null): Promise<Exported> {
  const shown = (family: Family, { id, document }: Stored): JsonObject =>
    secrets === null
      ? leavingSecretsOut(family, document)
      : unsealed(secrets, family, id, document);
  const all = async (
    family: "apis" | "policies" | "keys",
    also: (stored: Stored) => JsonObject,
  ): Promise<JsonObject> => {
    const listed = await records.list(family, null);
    return Object.fromEntries(
      listed.records
        .filter(({ isDamaged }) => isDamaged !== true)
        .map((stored): [string, JsonValue] => [
          stored.id,
          { ...shown(family, stored), ...also(stored) },
        ]),
    );
  };
  const gateway = await records.read("gateway", "gateway");
  const world = {
    apis: await all("apis", () => ({})),
    policies: await all("policies", () => ({})),
    keys: await all("keys", ({ id, unique }) => ({
      key_id: id,
      secret_hash: secrets === null ? null : unique,
    })),
    ...(gateway === null || gateway.isDamaged === true ? {} : { gateway: gateway.document }),
  };
  const left = { users: 0, profiles: 0, webhooks: 0, catalogues: 0 };
  for (const family of LEFT)
    left[family] = (await records.list(family, { size: 1, page: 1 })).total;
  return { world, left };
}
