// The effective rules of a key with its policies, built once for all keys with equal rules (LIM-5).
import type { Key } from "../config.ts";
import { NEVER } from "../../../kit/units.ts";
import { merge, throttleAt, type MergedKey } from "./merge.ts";
import type { KeyProfile, Resolver } from "./resolved.ts";

export const isPlainKey = (key: Key, merged: MergedKey): boolean =>
  merged.missing.length === 0 &&
  !merged.inactive &&
  [...merged.grants.values()].every((grant) => throttleAt(merged, grant) === null) &&
  key.unenforced.length === 0 &&
  key.expiresUs === NEVER;

export function profileOf(resolver: Resolver, key: Key, isShared: boolean): KeyProfile {
  const name = `${rulesOf(resolver, key)} ${isShared}`;
  const existing = resolver.profiles.get(name);
  if (existing !== undefined) return existing;
  const { policies, options } = resolver.configuration;
  const merged = merge(key, policies, options);
  const hasEndpoints = [...merged.grants.values()].some(({ endpoints }) => endpoints.length > 0);
  const profile: KeyProfile = {
    merged,
    rules: [],
    hasEndpoints,
    isShared,
  };
  resolver.profiles.set(name, profile);
  return profile;
}

/** All parts of a key that determine its profile, as text. Its metadata determines only its identity. */
const rulesOf = (resolver: Resolver, key: Key): string =>
  [
    textOf(resolver, key.applyPolicies),
    textOf(resolver, key.limit),
    textOf(resolver, key.quota),
    textOf(resolver, key.throttle),
    textOf(resolver, key.accessRights),
    key.inactive,
  ].join(" ");

/** A part of a key as JSON. A part that many keys of a configuration share is serialized only once. */
function textOf({ texts }: Resolver, part: object | null): string {
  if (part === null) return "-";
  let text = texts.get(part);
  if (text === undefined)
    texts.set(part, (text = JSON.stringify(part instanceof Map ? [...part] : part)));
  return text;
}

/**
 * Whether to replace this resolver by a new one, to drop unused profiles: each changed set of limits adds a profile and
 * leaves an unused one. Spent budgets are not lost, because they are stored elsewhere.
 */
export function isOutgrown({ profiles, sessions, shadow }: Resolver): boolean {
  return (
    profiles.size > MOST_PROFILES + 2 * sessions.size || (shadow !== null && isOutgrown(shadow))
  );
}

const MOST_PROFILES = 1_000;
