// What the gateway obeys, made of the records and kept up with them. APIs, policies and options are all here; of the
// keys only those that have come, because there may be a million.
import type { Configuration, Key } from "../core/config.ts";
import { configurationWithout, keyOf } from "./as-configured.ts";
import type { Secrets } from "./management.ts";
import type { Records } from "./records/records.ts";

/** What a gateway has to do about the changes since it last asked. */
export interface Followed {
  readonly configuration: Configuration | null; // a new one, where anything but keys has changed
  readonly forgotten: readonly string[]; // credentials that mean something else now
}

export interface InForce {
  readonly configuration: () => Configuration;
  readonly follow: () => Promise<Followed>;
  /** Whether it is known what a credential means: its key, or that nobody has it. */
  readonly isKnown: (credential: string) => boolean;
  readonly learn: (credential: string) => Promise<void>;
}

const MOST_STRANGERS = 10_000;

export async function inForce(records: Records, { hashOf }: Secrets): Promise<InForce> {
  let seq = await records.latestChange();
  let keys = new Map<string, Key>();
  const credentials = new Map<string, string>(); // by the id of their key
  const strangers = new Set<string>();
  let configuration: Configuration = { ...(await configurationWithout(records)), keys };
  return {
    configuration: () => configuration,
    isKnown: (credential) => keys.has(credential) || strangers.has(credential),
    learn: async (credential) => {
      for (;;) {
        const before = seq;
        const stored = await records.find("keys", hashOf(credential));
        if (seq !== before) continue; // it may have changed meanwhile
        const key = stored === null ? null : keyOf(stored, configuration);
        if (key === null) {
          if (strangers.size >= MOST_STRANGERS) strangers.clear();
          strangers.add(credential);
        } else {
          keys.set(credential, key);
          credentials.set(key.id, credential);
        }
        return;
      }
    },
    follow: async () => {
      const changes = await records.changesSince(seq);
      if (changes?.length === 0) return { configuration: null, forgotten: [] };
      const isForAll = changes === null || changes.some(({ family }) => GOVERNING.has(family));
      const latest = changes === null ? await records.latestChange() : changes.at(-1)!.seq;
      const next = isForAll ? await configurationWithout(records) : null;
      seq = latest;
      strangers.clear();
      if (next !== null) {
        keys = new Map();
        credentials.clear();
        configuration = { ...next, keys };
        return { configuration, forgotten: [] };
      }
      const forgotten = (changes ?? []).flatMap(({ family, id }) => {
        const credential = family === "keys" ? credentials.get(id) : undefined;
        return credential === undefined ? [] : [credential];
      });
      for (const credential of forgotten) keys.delete(credential);
      return { configuration: null, forgotten };
    },
  };
}

const GOVERNING: ReadonlySet<string> = new Set(["apis", "policies", "gateway"]);
