// The management of a scenario's world: its own records, and the calls to its interfaces with their responses. The
// caller supplies the records and the way to call the interfaces.
import { BROWSER_HEADER_NAMES } from "../../gateway/http/browser-headers.ts";
import { keyBudgets } from "../../gateway/management/http/key-budgets.ts";
import type { Budgets } from "../../gateway/management/budgets.ts";
import { importWorld } from "../../gateway/management/import-world.ts";
import { INTERFACE } from "../../gateway/management/interfaces.ts";
import { readJson, type JsonObject, type JsonValue } from "../../gateway/management/json.ts";
import {
  liveConfiguration,
  type LiveConfiguration,
} from "../../gateway/management/live-configuration.ts";
import type { Credentials, Management, Secrets } from "../../gateway/management/management.ts";
import type { ManagedRecords } from "../../gateway/management/records/records.ts";
import type { Json } from "../../kit/reading/shape.ts";
import type { ManagementCall } from "../scenario/types.ts";
import type { World } from "../scenario/world.ts";
import type { CallAnswer, ManagementSurroundings } from "./virtual-calls.ts";

/** These credentials are not secret: scenarios name them. */
export const CREDENTIALS: Credentials = {
  studio: "of-the-studio",
  dashboard: "of-the-dashboard",
  admin: "of-the-admin",
  broker: "of-the-broker",
  portal: "of-the-portal",
};

export interface OpenManagement {
  readonly management: Management;
  readonly newInForce: () => Promise<LiveConfiguration>;
  readonly close: () => Promise<void>;
}

export async function openManagement(
  records: ManagedRecords,
  world: World,
  { nowUs, taker, onChange: applyChanges }: ManagementSurroundings,
  report: (line: string) => void,
): Promise<OpenManagement> {
  const secrets = secretsInClear();
  const { management, raw, credentials } = world;
  if (world.configuration === null)
    throw new Error("a world whose configuration has errors has no records");
  const read = { raw: raw as JsonObject, configuration: world.configuration, credentials };
  await importWorld(records, read, secrets, {
    actor: "scenario",
    operation: "import",
    atUs: nowUs(),
  });
  let made = 0;
  const budgets = (): Budgets => keyBudgets(taker().gateway, taker().store, taker().inForce);
  return {
    newInForce: () => liveConfiguration(records, secrets),
    close: () => records.close(),
    management: {
      records,
      secrets,
      features: { catalogues: management.catalogues, pageSize: management.pageSize },
      nowUs,
      newId: () => `made-${++made}`,
      configuration: () => taker().inForce.configuration(),
      budgets: {
        read: (id) => budgets().read(id),
        reset: (id, name) => budgets().reset(id, name),
      },
      applyChanges,
      report,
    },
  };
}

/** In simulations a key's secret is its own hash, and generated secrets are numbered. */
export function secretsInClear(): Secrets {
  let made = 0;
  return {
    generate: () => `secret-${++made}`,
    hashOf: (secret) => secret,
    seal: (text) => text,
    unseal: (sealed) => sealed,
    isSealed: () => true,
    isOfKey: () => true,
    useKeyOf: () => {},
  };
}

export function headersOf({ on, as, headers }: ManagementCall): Record<string, string> {
  const { header, isBearer } = INTERFACE[on].scheme;
  const valid = CREDENTIALS[on];
  const shown = { valid, invalid: `${valid.slice(0, -1)}?`, empty: "", none: null }[as];
  return {
    ...(shown === null ? {} : { [header]: isBearer ? `Bearer ${shown}` : shown }),
    ...headers,
  };
}

/** Headers that are not recorded: they describe the connection or the date, and differ from run to run. */
const OF_THE_WAY = new Set([
  "date",
  "connection",
  "keep-alive",
  "content-length",
  "transfer-encoding",
  ...BROWSER_HEADER_NAMES, // only a listener writes them
]);

export function answerOf(
  status: number,
  headers: Readonly<Record<string, string | readonly string[] | number | undefined>>,
  text: string,
): CallAnswer {
  const recorded = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || OF_THE_WAY.has(name) ? [] : [[name, String(value)] as const],
  );
  return { status, headers: Object.fromEntries(recorded), body: bodyIn(text) };
}

function bodyIn(text: string): Json {
  if (text === "") return null;
  const { value } = readJson(text);
  return value === undefined ? text : plain(value);
}

/** Converts a big integer to a string, which retains digits that a double would lose. */
const plain = (value: JsonValue): Json => {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value)
    ? (value as readonly JsonValue[]).map(plain)
    : Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]));
};
