// The five interfaces over records in memory, without a socket.
import type { FastifyInstance } from "fastify";
import { micros } from "../../src/core/units.ts";
import { inForce, type InForce } from "../../src/management/in-force.ts";
import type { Management, Secrets } from "../../src/management/management.ts";
import type { Family } from "../../src/management/records/records.ts";
import type { JsonObject } from "../../src/management/json.ts";
import { recordsInMemory } from "../../src/management/records/sqlite.node.ts";
import { managementApp } from "../../src/servers/management.node.ts";

export const CREDENTIALS = {
  studio: "of-the-studio",
  dashboard: "of-the-dashboard",
  admin: "of-the-admin",
  broker: "of-the-broker",
  portal: "of-the-portal",
};

export const BASES = {
  studio: "/studio",
  dashboard: "/dashboard",
  admin: "/admin-api",
  broker: "/broker",
  portal: "/portal",
};

const PLAIN: Secrets = {
  made: () => "made",
  hashOf: (secret) => `hash of ${secret}`,
  seal: (text) => text,
  unseal: (sealed) => sealed,
};

export interface App {
  readonly app: FastifyInstance;
  readonly management: Management;
  readonly force: InForce;
  readonly keep: (family: Family, id: string, document: JsonObject) => Promise<void>;
}

export async function appWith(features: Partial<Management["features"]> = {}): Promise<App> {
  const records = await recordsInMemory();
  const force = await inForce(records, PLAIN);
  let made = 0;
  const management: Management = {
    records,
    secrets: PLAIN,
    features: { catalogues: true, pageSize: 10, ...features },
    nowUs: () => micros(1_700_000_000_000_000),
    newId: () => `made-${++made}`,
    configuration: force.configuration,
    changed: async () => {
      await force.follow();
    },
  };
  const app = await managementApp({ management, credentials: () => CREDENTIALS, bases: BASES });
  const keep: App["keep"] = async (family, id, document) => {
    const audited = { who: "test", what: "keep", atUs: 0 };
    const foundBy = { unique: family === "keys" ? PLAIN.hashOf(id) : null, text: null };
    await records.write(audited, (writing) => writing.insert(family, id, document, foundBy));
  };
  return { app, management, force, keep };
}
