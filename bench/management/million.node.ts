// Records with as many keys as are wanted, in a file, and a gateway that obeys them: made once for all cases.
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { FastifyInstance } from "fastify";
import { limiter, LOCAL_STORE } from "../../src/core/limiter.ts";
import { resolver, sessionOf } from "../../src/core/resolve/resolver.ts";
import { micros } from "../../src/core/units.ts";
import { forgetKeys, gateway, reconfigure, type Gateway } from "../../src/gateway/gateway.ts";
import { NO_BUDGETS } from "../../src/management/budgets.ts";
import { inForce, type InForce } from "../../src/management/in-force.ts";
import type { Secrets } from "../../src/management/management.ts";
import { recordsInFile } from "../../src/management/records/sqlite.node.ts";
import { managementApp } from "../../src/management/http/management.node.ts";
import { atHand, memoryStore } from "../../src/store/memory.ts";

export interface Governed {
  readonly force: InForce;
  readonly app: FastifyInstance;
  readonly gateway: Gateway;
  readonly file: string;
  readonly known: number; // keys that have come already: the first of them
  /** Until it is known what the credential means, and its rate then. */
  readonly rate: (credential: string) => Promise<number | null>;
}

export const credential = (index: number): string => `a-key-that-is-long-enough-${index}`;
const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("base64url");
const SECRETS: Secrets = {
  made: () => "made",
  hashOf,
  seal: (text) => text,
  unseal: (sealed) => sealed,
  isSealed: () => true,
  isOfKey: () => true,
  heed: () => {},
};
const CREDENTIAL = "of-whoever-measures";
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

export async function governed(keys: number, known: number): Promise<Governed> {
  const folder = mkdtempSync(join(tmpdir(), "weir-bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "weir.db");
  const made = await recordsInFile(file);
  if ("fault" in made) throw new Error(made.fault);
  await made.close();
  fill(file, keys);
  const records = await recordsInFile(file);
  if ("fault" in records) throw new Error(records.fault);
  const force = await inForce(records, SECRETS);
  const here = atHand(memoryStore(), memoryStore());
  const served = gateway(limiter(resolver(force.configuration()), here, LOCAL_STORE, null), () =>
    micros(Date.now() * 1_000),
  );
  force.listen(({ configuration, forgotten }) => {
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
      tell: console.error,
      changed: async () => {
        await force.follow();
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
  return { force, app, gateway: served, file, known, rate };
}

const TOGETHER = 1_000;

/** Half of them by a policy, and the others each by a limit of its own. */
function fill(file: string, keys: number): void {
  const database = new DatabaseSync(file);
  database.function("hashed", (index) => hashOf(credential(Number(index))));
  database.exec(`
    pragma synchronous = off;
    begin;
    insert into records (family, id, version, document, found_by)
      values ('apis', 'a', 1, '{"listen":"/a"}', '/a'),
        ('policies', 'p', 1, '{"rate":100,"per":60,"access_rights":{"a":{}}}', null);
    insert into records (family, id, version, document, found_by)
      with recursive counted(n) as (select 0 union all select n + 1 from counted where n < ${keys - 1})
      select 'keys', 'k' || n, 1, iif(n % 2 = 0, '{"apply_policies":["p"]}',
        '{"rate":' || (n % 1000 + 1) || ',"per":60,"access_rights":{"a":{}}}'), hashed(n) from counted;
    commit;
  `);
  database.close();
}

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
