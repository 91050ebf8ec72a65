// A gateway that applies the records of a file, and the management API that changes them.
import type { FastifyInstance } from "fastify";
import { limiter, LOCAL_STORE_TRAITS } from "../../src/limiter/core/limiter.ts";
import { resolver, sessionOf } from "../../src/limiter/core/resolve/resolver.ts";
import { micros } from "../../src/kit/units.ts";
import { forgetKeys, gateway, reconfigure, type Gateway } from "../../src/gateway/gateway.ts";
import { NO_BUDGETS } from "../../src/gateway/management/budgets.ts";
import {
  liveConfiguration,
  type LiveConfiguration,
} from "../../src/gateway/management/live-configuration.ts";
import type { Secrets } from "../../src/gateway/management/management.ts";
import { recordsInFile } from "../../src/gateway/management/records/sqlite.node.ts";
import { managementApp } from "../../src/gateway/management/http/management.node.ts";
import { requireValue } from "../../src/kit/reading/failure.ts";
import { localStore, memoryStore } from "../../src/limiter/store/memory.ts";
import { credential, hashOf } from "./credential.node.ts";

export interface Governed {
  readonly force: LiveConfiguration;
  readonly app: FastifyInstance;
  readonly gateway: Gateway;
  /** Of the key with that credential, which is looked up if it is not known yet. */
  readonly rate: (credential: string) => Promise<number | null>;
}

const SECRETS: Secrets = {
  generate: () => "made",
  hashOf,
  seal: (text) => text,
  unseal: (sealed) => sealed,
  isSealed: () => true,
  isOfKey: () => true,
  useKeyOf: () => {},
};
const CREDENTIAL = "of-the-benchmark";
const all = <T>(value: T) => ({
  studio: value,
  dashboard: value,
  admin: value,
  broker: value,
  portal: value,
});
const BASES = {
  studio: "/studio",
  dashboard: "/dashboard",
  admin: "/admin-api",
  broker: "/broker",
  portal: "/portal",
};

/** The first `known` keys are looked up before it returns. */
export async function governFrom(file: string, known: number): Promise<Governed> {
  const records = requireValue(await recordsInFile(file));
  const force = await liveConfiguration(records, SECRETS);
  const here = localStore(memoryStore(), memoryStore());
  const served = gateway(
    limiter(resolver(force.configuration()), here, LOCAL_STORE_TRAITS, null),
    () => micros(Date.now() * 1_000),
  );
  force.onChange(({ configuration, forgotten }) => {
    if (configuration !== null) reconfigure(served, resolver(configuration));
    forgetKeys(served, forgotten);
  });
  const app = await managementApp({
    management: {
      records,
      secrets: SECRETS,
      features: { catalogues: true, pageSize: 10 },
      nowUs: () => micros(Date.now() * 1_000),
      newId: () => "made",
      configuration: force.configuration,
      budgets: NO_BUDGETS,
      report: console.error,
      applyChanges: async () => {
        await force.applyChanges();
      },
    },
    credentials: () => all(CREDENTIAL),
    bases: BASES,
    log: console.error,
  });
  await app.ready();
  const rateNow = (shown: string): number | null =>
    sessionOf(served.limiter.resolver, shown)?.profile.merged.root?.limit.rate ?? null;
  const rate: Governed["rate"] = (shown) =>
    force.isKnown(shown)
      ? Promise.resolve(rateNow(shown))
      : new Promise((resolve, reject) =>
          force.lookUp(shown, (failure) =>
            failure === null ? resolve(rateNow(shown)) : reject(failure),
          ),
        );
  for (let from = 0; from < known; from += TOGETHER)
    await Promise.all(Array.from({ length: TOGETHER }, (_, i) => rate(credential(from + i))));
  return { force, app, gateway: served, rate };
}

const TOGETHER = 1_000;

const HEADERS = { "admin-auth": CREDENTIAL, "content-type": "application/json" };

export async function putKey(app: FastifyInstance, id: string, document: object): Promise<void> {
  const url = `/admin-api/admin/org/keys/${id}`;
  const payload = JSON.stringify(document);
  const { statusCode, body } = await app.inject({ method: "PUT", url, headers: HEADERS, payload });
  if (statusCode !== 200) throw new Error(`${url}: ${statusCode} ${body}`);
}

export async function putPolicy(app: FastifyInstance, id: string, document: object): Promise<void> {
  const url = `/dashboard/api/portal/policies/${id}`;
  const headers = { authorization: `Bearer ${CREDENTIAL}`, "content-type": "application/json" };
  const payload = JSON.stringify(document);
  const { statusCode, body } = await app.inject({ method: "PUT", url, headers, payload });
  if (statusCode !== 200) throw new Error(`${url}: ${statusCode} ${body}`);
}
