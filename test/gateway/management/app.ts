// The five management APIs over records in memory, without a socket.
import type { FastifyInstance, InjectOptions } from "fastify";
import { expect } from "vitest";
import { micros } from "#src/kit/units.ts";
import { NO_BUDGETS, type Budgets } from "#src/gateway/management/budgets.ts";
import { userFoundBy } from "#src/gateway/management/families/user.ts";
import {
  liveConfiguration,
  type LiveConfiguration,
} from "#src/gateway/management/live-configuration.ts";
import type { Management, SealedAt, Secrets } from "#src/gateway/management/management.ts";
import type { RecordTypeName } from "#src/gateway/management/records/record-types.ts";
import type { JsonObject } from "#src/gateway/management/json.ts";
import { INTERFACES, type InterfaceName } from "#src/gateway/management/interface-name.ts";
import type { Records } from "#src/gateway/management/records/records.ts";
import { recordsInMemory } from "#src/gateway/management/records/sqlite.node.ts";
import { attempts } from "#src/gateway/management/http/attempts.ts";
import { managementApp } from "#src/gateway/management/http/management.node.ts";
import { contractProblems } from "./contract.ts";

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

type InjectedRequest = Omit<InjectOptions, "method" | "url"> & {
  readonly method: string;
  readonly url: string;
};
type Response = Awaited<ReturnType<FastifyInstance["inject"]>>;

export interface App {
  /** Injects a request, and checks its response against the OpenAPI document of the API. */
  readonly app: { readonly inject: (request: InjectedRequest) => Promise<Response> };
  readonly serve: () => Promise<FastifyInstance>; // all APIs, for tests that need a socket
  readonly management: Management;
  readonly force: LiveConfiguration;
  readonly reports: readonly string[]; // lines for the operator
  readonly keep: (family: RecordTypeName, id: string, document: JsonObject) => Promise<void>;
}

/** Starts a gateway with this configuration, whose budgets the APIs then read. */
export type BuildBudgets = (force: LiveConfiguration) => Promise<Budgets>;
const WITHOUT_BUDGETS: BuildBudgets = () => Promise.resolve(NO_BUDGETS);

export async function appWith(
  features: Partial<Management["features"]> = {},
  buildBudgets: BuildBudgets = WITHOUT_BUDGETS,
  existing: Records | null = null,
  base: Secrets = PLAIN,
): Promise<App> {
  const records = existing ?? (await recordsInMemory());
  const force = await liveConfiguration(records, base);
  let idCount = 0;
  let secretCount = 0;
  const secrets: Secrets = { ...base, generate: () => `secret-${++secretCount}` };
  const reports: string[] = [];
  const management: Management = {
    report: (sentence) => void reports.push(sentence),
    records,
    secrets,
    features: { catalogues: true, pageSize: 10, ...features },
    nowUs: () => micros(1_700_000_000_000_000),
    newId: () => `made-${++idCount}`,
    configuration: force.configuration,
    budgets: await buildBudgets(force),
    applyChanges: async () => {
      await force.applyChanges();
    },
  };
  const failing = attempts(management.nowUs);
  const appOf = (bases: Partial<typeof BASES>): Promise<FastifyInstance> =>
    managementApp({
      management,
      credentials: () => CREDENTIALS,
      attempts: failing,
      bases,
      log: (line) => reports.push(line),
    });
  // Routes of an API are registered for its first request: most tests call one or two of the five.
  const apps = new Map<InterfaceName | null, Promise<FastifyInstance>>();
  const appFor = (url: string): Promise<FastifyInstance> => {
    const name = INTERFACES.find((each) => url.startsWith(`${BASES[each]}/`)) ?? null;
    let app = apps.get(name);
    if (app === undefined)
      apps.set(name, (app = appOf(name === null ? BASES : { [name]: BASES[name] })));
    return app;
  };
  const inject = async (request: InjectedRequest): Promise<Response> => {
    const response = await (await appFor(request.url)).inject(request);
    const { statusCode: status, headers, body: text } = response;
    const { method, url } = request;
    const problems = contractProblems(BASES, { method, url, status, headers, text });
    if (problems.length > 0)
      expect({ method, url, status, text, problems }).toHaveProperty("problems", []);
    return response;
  };
  const keep: App["keep"] = async (family, id, document) => {
    const audited = { actor: "test", operation: "keep", atUs: 0 };
    const nothing = { unique: family === "keys" ? PLAIN.hashOf(id) : null, text: null };
    const foundBy = family === "users" ? userFoundBy(document) : nothing;
    await records.write(audited, (writing) => writing.insert(family, id, document, foundBy));
  };
  return { app: { inject }, serve: () => appOf(BASES), management, force, reports, keep };
}

export interface ApiResponse {
  readonly status: number;
  readonly body: unknown; // as JSON, or "" where there is none
  readonly etag: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Calls an operation by its method and path below the API's base, with the correct credential. */
export type Call = (
  what: string,
  body?: object | string | Buffer,
  headers?: Readonly<Record<string, string>>,
) => Promise<ApiResponse>;

export async function caller(
  features: Partial<Management["features"]> = {},
  buildBudgets: BuildBudgets = WITHOUT_BUDGETS,
  existing: Records | null = null,
  base: Secrets = PLAIN,
): Promise<App & Readonly<Record<InterfaceName, Call>>> {
  const api = await appWith(features, buildBudgets, existing, base);
  const calling =
    (name: InterfaceName, credential: Readonly<Record<string, string>>): Call =>
    async (what, body, headers = {}) => {
      const [method, path] = what.split(" ", 2) as ["GET", string];
      const response = await api.app.inject({
        method,
        url: `${BASES[name]}${path}`,
        headers: { ...credential, ...(body === undefined ? {} : JSON_TYPE), ...headers },
        ...(body === undefined ? {} : { payload: body }),
      });
      const text = response.body;
      return {
        status: response.statusCode,
        body: text === "" ? "" : (JSON.parse(text) as unknown),
        etag: response.headers.etag,
        headers: response.headers,
      };
    };
  return {
    ...api,
    studio: calling("studio", { authorization: `Bearer ${CREDENTIALS.studio}` }),
    dashboard: calling("dashboard", { authorization: `Bearer ${CREDENTIALS.dashboard}` }),
    admin: calling("admin", { "admin-auth": CREDENTIALS.admin }),
    broker: calling("broker", { authorization: CREDENTIALS.broker }),
    portal: calling("portal", { authorization: CREDENTIALS.portal }),
  };
}

const JSON_TYPE = { "content-type": "application/json" };
