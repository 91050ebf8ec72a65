// The records of a served gateway, and the interfaces that change them.
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { micros } from "../../core/units.ts";
import { NO_BUDGETS } from "../../management/budgets.ts";
import { importWorld, type World } from "../../management/import-world.ts";
import { inForce, type InForce } from "../../management/in-force.ts";
import type { Management, Secrets } from "../../management/management.ts";
import type { Records, Unopened } from "../../management/records/records.ts";
import { recordsInFile, recordsInMemory } from "../../management/records/sqlite.node.ts";
import type { Settings } from "../../settings/table.ts";

export interface Held {
  readonly records: Records;
  readonly inForce: InForce;
  readonly management: Management;
}

export async function holdRecords(
  settings: Settings,
  world: World | null,
  tell: (sentence: string) => void,
): Promise<Held | Unopened | null> {
  if (settings.records === "off") return null;
  const { data } = settings;
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const records = await (settings.records === "memory"
    ? recordsInMemory()
    : recordsInFile(join(data, "weir.db"), { tell }));
  if ("fault" in records) return records;
  const nowUs = () => micros(Date.now() * 1_000);
  const isEmpty = (await records.latestChange()) === 0;
  if (isEmpty && world !== null)
    await importWorld(records, world, SECRETS, { who: "weir", what: "import", atUs: nowUs() });
  const force = await inForce(records, SECRETS, { tell });
  return {
    records,
    inForce: force,
    management: {
      records,
      secrets: SECRETS,
      features: { catalogues: settings["studio.catalogues"], pageSize: settings.page_size },
      nowUs,
      newId: () => randomBytes(12).toString("hex"),
      configuration: force.configuration,
      budgets: NO_BUDGETS,
      changed: async () => {
        await force.follow();
      },
    },
  };
}

const SECRETS: Secrets = {
  made: () => randomBytes(24).toString("base64url"),
  hashOf: (secret) => createHash("sha256").update(secret).digest("base64url"),
  seal: (text) => text,
  unseal: (text) => text,
};
