// The management of a scenario's world: its own records, in memory, and the interfaces over them without a socket.
import type { Budgets } from "../management/budgets.ts";
import { INTERFACE } from "../management/interfaces.ts";
import { importWorld } from "../management/import-world.ts";
import { liveConfiguration, type LiveConfiguration } from "../management/live-configuration.ts";
import { readJson, type JsonObject, type JsonValue } from "../management/json.ts";
import type { Credentials, Management, Secrets } from "../management/management.ts";
import { recordsInMemory } from "../management/records/sqlite.node.ts";
import type { ManagementCall } from "../scenario/types.ts";
import type { ManagementEnvironment, World } from "../scenario/world.ts";
import type { Json } from "../reading/shape.ts";
import { attempts, type Attempts } from "../management/http/attempts.ts";
import { BROWSER_HEADERS } from "../gateway/http/own-pages.node.ts";
import { keyBudgets } from "../management/http/key-budgets.node.ts";
import { managementApp } from "../management/http/management.node.ts";
import { MOST_WAITING } from "../management/events/deliveries.ts";
import { sign } from "../management/http/webhook-sender.node.ts";
import { receiversFor } from "./receivers.node.ts";
import type { CallAnswer, Manage, Managed, ManagementSurroundings } from "./virtual-calls.ts";
import { deliveryMade, virtualWebhooks } from "./virtual-webhooks.ts";

/** A scenario names them, so nothing of them is a secret. */
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
  world: World,
  { nowUs, taker, onChange: applyChanges }: ManagementSurroundings,
): Promise<OpenManagement> {
  const records = await recordsInMemory();
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
      report: reportOnStderr,
    },
  };
}

export const manage: Manage = (world, surroundings) =>
  managing(world, surroundings, reportOnStderr);

/** For runs of mutants, which fail in any way. */
export const manageQuietly: Manage = (world, surroundings) =>
  managing(world, surroundings, () => {});

async function managing(
  world: World,
  surroundings: ManagementSurroundings,
  log: (line: string) => void,
): Promise<Managed> {
  const { bases, eventCooldownUs, receivers } = world.management;
  const { management, newInForce, close } = await openManagement(world, surroundings);
  const opened = await openApp(bases);
  opened.present.management = management;
  opened.present.attempts = attempts(surroundings.nowUs);
  opened.present.log = log;
  return {
    call: async (call) => {
      const answer = await opened.app.inject({
        method: call.method as "GET", // the wire takes any
        url: `${bases[call.on]}${call.path}`,
        headers: headersOf(call),
        ...(call.body === null ? {} : { payload: call.body }),
      });
      return answerOf(answer.statusCode, answer.headers, answer.body);
    },
    newInForce,
    webhooks: (fromUs, random) =>
      virtualWebhooks({
        records: management.records,
        secrets: management.secrets,
        fromUs,
        random,
        bounds: () => ({ cooldownUs: eventCooldownUs, mostWaiting: MOST_WAITING }),
        sign,
        isCredential: (text) => world.configuration!.keys.has(text),
        receive: receiversFor(receivers),
      }),
    listDeliveries: async ({ attempts: all }, epochUs) => {
      const ends = await management.records.deliveries.list(null, MOST_WAITING);
      return all.map((each) => deliveryMade(each, epochUs, ends));
    },
    close: async () => {
      idle.push(opened);
      await close();
    },
  };
}

/** Of the run that has it. */
interface Present {
  management: Management | null;
  attempts: Attempts | null;
  log: (line: string) => void;
}

interface OpenApp {
  readonly app: Awaited<ReturnType<typeof managementApp>>;
  readonly bases: string;
  readonly present: Present;
}

/** Creating an app takes longer than most runs, and no state of a run stays in it. */
const idle: OpenApp[] = [];

async function openApp(bases: ManagementEnvironment["bases"]): Promise<OpenApp> {
  const name = JSON.stringify(bases);
  const place = idle.findIndex((each) => each.bases === name);
  if (place >= 0) return idle.splice(place, 1)[0]!;
  const present: Present = { management: null, attempts: null, log: reportOnStderr };
  const management = new Proxy({} as Management, {
    get: (_, member) => Reflect.get(present.management!, member) as unknown,
  });
  const app = await managementApp({
    management,
    credentials: () => CREDENTIALS,
    bases,
    log: (line) => present.log(line),
    attempts: {
      fail: (at, address) => present.attempts!.fail(at, address),
      guess: (at, address) => present.attempts!.guess(at, address),
    },
  });
  return { app, bases: name, present };
}

/** An internal error of Weir is no part of a history. */
export const reportOnStderr = (line: string): void => void process.stderr.write(`${line}\n`);

/** A key's secret is looked up by the secret itself, and new secrets are numbered. */
function secretsInClear(): Secrets {
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

/** Headers of the connection and of the time: no two runs have the same. */
const OF_THE_WAY = new Set([
  "date",
  "connection",
  "keep-alive",
  "content-length",
  "transfer-encoding",
  ...Object.keys(BROWSER_HEADERS).map((name) => name.toLowerCase()), // of the listener, where there is one
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

/** A string retains the digits that a double would lose. */
const plain = (value: JsonValue): Json => {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value)
    ? (value as readonly JsonValue[]).map(plain)
    : Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]));
};
