// A gateway over records, without sockets: what a request would meet is the rate of its key.
import { limiter, LOCAL_STORE_TRAITS } from "#src/limiter/core/limiter.ts";
import { resolver, sessionOf } from "#src/limiter/core/resolve/resolver.ts";
import { micros } from "#src/kit/units.ts";
import { forgetKeys, gateway, reconfigure, type Gateway } from "#src/gateway/gateway.ts";
import {
  liveConfiguration,
  type LiveConfiguration,
  type LiveConfigurationOptions,
} from "#src/gateway/management/live-configuration.ts";
import type { JsonObject } from "#src/gateway/management/json.ts";
import type { RecordTypeName } from "#src/gateway/management/records/record-types.ts";
import type { Records } from "#src/gateway/management/records/records.ts";
import { recordsInMemory } from "#src/gateway/management/records/sqlite.node.ts";
import { localStore, memoryStore } from "#src/limiter/store/memory.ts";
import { PLAIN } from "./app.ts";

const AUDITED = { actor: "test", operation: "test", atUs: 0 };

export const put = (
  records: Records,
  family: RecordTypeName,
  id: string,
  document: JsonObject,
): Promise<void> =>
  records.write(AUDITED, async (writing) => {
    const before = await writing.read(family, id);
    const foundBy = { unique: family === "keys" ? PLAIN.hashOf(id) : null, text: null };
    if (before === null) await writing.insert(family, id, document, foundBy);
    else await writing.replace(family, before, document, foundBy);
  });

export const remove = (records: Records, family: RecordTypeName, id: string): Promise<void> =>
  records.write(AUDITED, async (writing) => {
    const before = await writing.read(family, id);
    if (before !== null) await writing.remove(family, before);
  });

const API = { listen: "/a" };
export const keyOf = (rate: number): JsonObject => ({ rate, per: 1, access_rights: { a: {} } });

/** Built like a served gateway. */
function buildGateway(force: LiveConfiguration): Gateway {
  const here = localStore(memoryStore(), memoryStore());
  const made = gateway(
    limiter(resolver(force.configuration()), here, LOCAL_STORE_TRAITS, null),
    () => micros(0),
  );
  force.onChange(({ configuration, forgotten }) => {
    if (configuration !== null) reconfigure(made, resolver(configuration));
    forgetKeys(made, forgotten);
  });
  return made;
}

export interface Rig {
  readonly records: Records;
  readonly force: LiveConfiguration;
  readonly gateway: Gateway;
  readonly reports: string[];
  /** The rate of a key with its policies, null if no key has the credential. */
  readonly rate: (credential: string) => Promise<number | null>;
}

export async function rig(
  options: Partial<LiveConfigurationOptions> = {},
  around?: (real: Records) => Records,
): Promise<Rig> {
  const records = await recordsInMemory();
  await put(records, "apis", "a", API);
  return rigOver(records, options, around);
}

export async function rigOver(
  records: Records,
  options: Partial<LiveConfigurationOptions> = {},
  around?: (real: Records) => Records,
): Promise<Rig> {
  const reports: string[] = [];
  const report = (line: string): void => void reports.push(line);
  const force = await liveConfiguration(around?.(records) ?? records, PLAIN, {
    report,
    ...options,
  });
  const served = buildGateway(force);
  const decide = (credential: string): number | null => {
    const session = sessionOf(served.limiter.resolver, credential);
    return session?.profile.merged.root?.limit.rate ?? null;
  };
  const rate: Rig["rate"] = (credential) =>
    force.isKnown(credential)
      ? Promise.resolve(decide(credential))
      : new Promise((resolve, reject) =>
          force.lookUp(credential, (failure) =>
            failure === null ? resolve(decide(credential)) : reject(failure),
          ),
        );
  return { records, force, gateway: served, reports, rate };
}
