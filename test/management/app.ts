// The five interfaces over records in memory, without a socket.
import type { FastifyInstance, InjectOptions } from "fastify";
import { expect } from "vitest";
import { micros } from "../../src/core/units.ts";
import { NO_BUDGETS, type Budgets } from "../../src/management/budgets.ts";
import { userFoundBy } from "../../src/management/families/user.ts";
import { liveConfiguration, type LiveConfiguration } from "../../src/management/in-force.ts";
import type { Management, SealedAt, Secrets } from "../../src/management/management.ts";
import type { RecordTypeName } from "../../src/management/records/record-types.ts";
import type { JsonObject } from "../../src/management/json.ts";
import type { InterfaceName } from "../../src/management/interface-name.ts";
import type { Records } from "../../src/management/records/records.ts";
import { recordsInMemory } from "../../src/management/records/sqlite.node.ts";
import { managementApp } from "../../src/management/http/management.node.ts";
import { contractFaults } from "./contract.ts";

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

export const PLAIN: Secrets = {
  generate: () => "made",
  hashOf: (secret) => `hash-of-${secret}`,
  seal: (text, at) => placeOf(at) + text,
  isSealed: (text) => text.startsWith("sealed for "),
  isOfKey: () => true,
  useKeyOf: () => {},
  unseal: (sealed, at) => {
    if (sealed === "damaged") throw new Error("is damaged");
    return sealed.replace(placeOf(at), "");
  },
};
const placeOf = ({ family, id, field }: SealedAt): string =>
  `sealed for ${family} ${id} ${field}: `;

type Asked = Omit<InjectOptions, "method" | "url"> & {
  readonly method: string;
  readonly url: string;
};
type Response = Awaited<ReturnType<FastifyInstance["inject"]>>;

export interface App {
  /** Hands a request in, and holds its answer against the interface's document. */
  readonly app: { readonly inject: (asked: Asked) => Promise<Response> };
  readonly served: FastifyInstance; // for whoever wants a socket
  readonly management: Management;
  readonly force: LiveConfiguration;
  readonly said: readonly string[]; // to whoever runs it
  readonly keep: (family: RecordTypeName, id: string, document: JsonObject) => Promise<void>;
}

/** Whoever obeys, and counts. */
export type Beside = (force: LiveConfiguration) => Promise<Budgets>;
const NOBODY: Beside = () => Promise.resolve(NO_BUDGETS);

export async function appWith(
  features: Partial<Management["features"]> = {},
  beside: Beside = NOBODY,
  kept: Records | null = null,
  base: Secrets = PLAIN,
): Promise<App> {
  const records = kept ?? (await recordsInMemory());
  const force = await liveConfiguration(records, base);
  let made = 0;
  let told = 0;
  const secrets: Secrets = { ...base, generate: () => `secret-${++told}` };
  const said: string[] = [];
  const management: Management = {
    report: (sentence) => void said.push(sentence),
    records,
    secrets,
    features: { catalogues: true, pageSize: 10, ...features },
    nowUs: () => micros(1_700_000_000_000_000),
    newId: () => `made-${++made}`,
    configuration: force.configuration,
    budgets: await beside(force),
    applyChanges: async () => {
      await force.applyChanges();
    },
  };
  const app = await managementApp({
    management,
    credentials: () => CREDENTIALS,
    bases: BASES,
    log: (line) => said.push(line),
  });
  const inject = async (asked: Asked): Promise<Response> => {
    const told = await app.inject(asked);
    const { statusCode: status, headers, body: text } = told;
    const { method, url } = asked;
    const faults = contractFaults(BASES, { method, url, status, headers, text });
    if (faults.length > 0)
      expect({ method, url, status, text, faults }).toHaveProperty("faults", []);
    return told;
  };
  const keep: App["keep"] = async (family, id, document) => {
    const audited = { actor: "test", operation: "keep", atUs: 0 };
    const nothing = { unique: family === "keys" ? PLAIN.hashOf(id) : null, text: null };
    const foundBy = family === "users" ? userFoundBy(document) : nothing;
    await records.write(audited, (writing) => writing.insert(family, id, document, foundBy));
  };
  return { app: { inject }, served: app, management, force, said, keep };
}

export interface Told {
  readonly status: number;
  readonly body: unknown; // as JSON, or "" where there is none
  readonly etag: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Calls an operation by its method and path behind the interface's base, with the right credential. */
export type Call = (
  what: string,
  body?: object | string | Buffer,
  headers?: Readonly<Record<string, string>>,
) => Promise<Told>;

export async function caller(
  features: Partial<Management["features"]> = {},
  beside: Beside = NOBODY,
  kept: Records | null = null,
  base: Secrets = PLAIN,
): Promise<App & Readonly<Record<InterfaceName, Call>>> {
  const made = await appWith(features, beside, kept, base);
  const calling =
    (name: InterfaceName, credential: Readonly<Record<string, string>>): Call =>
    async (what, body, headers = {}) => {
      const [method, path] = what.split(" ", 2) as ["GET", string];
      const told = await made.app.inject({
        method,
        url: `${BASES[name]}${path}`,
        headers: { ...credential, ...(body === undefined ? {} : JSON_TYPE), ...headers },
        ...(body === undefined ? {} : { payload: body }),
      });
      const text = told.body;
      return {
        status: told.statusCode,
        body: text === "" ? "" : (JSON.parse(text) as unknown),
        etag: told.headers.etag,
        headers: told.headers,
      };
    };
  return {
    ...made,
    studio: calling("studio", { authorization: `Bearer ${CREDENTIALS.studio}` }),
    dashboard: calling("dashboard", { authorization: `Bearer ${CREDENTIALS.dashboard}` }),
    admin: calling("admin", { "admin-auth": CREDENTIALS.admin }),
    broker: calling("broker", { authorization: CREDENTIALS.broker }),
    portal: calling("portal", { authorization: CREDENTIALS.portal }),
  };
}

const JSON_TYPE = { "content-type": "application/json" };
