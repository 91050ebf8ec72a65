// Renders records as a world file that can be imported. Only hashes of secrets are stored, so the file names a key by
// its id and has `secret_hash` instead of the secret.
import type { JsonObject, JsonValue } from "./json.ts";
import type { RecordTypeName } from "./records/record-types.ts";
import type { ManagedRecords, Stored } from "./records/records.ts";
import type { Secrets } from "./management.ts";
import { unsealFields } from "./sealed.ts";
import { omitSecrets } from "./without-secrets.ts";

interface ExportedWorld {
  readonly world: JsonObject;
  /** How many records of each type were left out, because a world file cannot contain them. */
  readonly left: Readonly<Record<(typeof LEFT)[number], number>>;
}

const LEFT = ["users", "profiles", "webhooks", "catalogues"] as const;

/** If `secrets` is null, hashes are left out: imported keys are unusable until they get a hash. */
export async function exportWorld(
  records: ManagedRecords,
  secrets: Secrets | null,
): Promise<ExportedWorld> {
  const visibleDocument = (family: RecordTypeName, { id, document }: Stored): JsonObject =>
    secrets === null ? omitSecrets(family, document) : unsealFields(secrets, family, id, document);
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
          { ...visibleDocument(family, stored), ...also(stored) },
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
