// The keys that requests have used, by credential. There may be a million, so keys share equal parts, and above the
// limit the oldest key is dropped.
import type { Key } from "../../limiter/core/config.ts";

interface KeyCache {
  /** A live view of the cache, always the same object. */
  readonly byCredential: ReadonlyMap<string, Key>;
  readonly credentialOf: (id: string) => string | null;
  /** Adds a key. Returns the credentials of keys that were dropped for it. */
  readonly keep: (credential: string, key: Key) => readonly string[];
  /** Removes a key. Returns its credentials. */
  readonly forget: (id: string) => readonly string[];
  readonly forgetAll: () => readonly string[];
}

const MOST_SHARED = 10_000;

export function keyCache(most: number): KeyCache {
  const keys = new Map<string, Key>();
  const credentials = new Map<string, readonly string[]>(); // credentials of each key, by its id
  const oldest = keys.keys(); // this iterator continues in insertion order while the map changes
  const shared = new Map<string, unknown>(); // parts of keys, by their JSON

  const same = <Part>(part: Part): Part => {
    const text = JSON.stringify(part instanceof Map ? [...part] : part);
    const known = shared.get(text);
    if (known !== undefined) return known as Part;
    if (shared.size >= MOST_SHARED) shared.clear();
    shared.set(text, part);
    return part;
  };

  const drop = (credential: string): void => {
    const id = keys.get(credential)!.id;
    const others = credentials.get(id)!.filter((other) => other !== credential);
    if (others.length === 0) credentials.delete(id);
    else credentials.set(id, others);
    keys.delete(credential);
  };

  return {
    byCredential: keys,
    credentialOf: (id) => credentials.get(id)?.[0] ?? null,
    keep: (credential, key) => {
      if (keys.has(credential)) drop(credential);
      keys.set(credential, {
        ...key,
        limit: same(key.limit),
        quota: same(key.quota),
        throttle: same(key.throttle),
        applyPolicies: same(key.applyPolicies),
        accessRights: same(key.accessRights),
        metaData: same(key.metaData),
        unenforced: same(key.unenforced),
      });
      credentials.set(key.id, [...(credentials.get(key.id) ?? []), credential]);
      if (keys.size <= most) return [];
      const first = oldest.next().value!;
      drop(first);
      return [first];
    },
    forget: (id) => {
      const known = credentials.get(id) ?? [];
      for (const credential of known) keys.delete(credential);
      credentials.delete(id);
      return known;
    },
    forgetAll: () => {
      const known = [...keys.keys()];
      keys.clear();
      credentials.clear();
      return known;
    },
  };
}
