// A document as a log, an audit, an event or an export may show it.
import { isObject, writeJson, type JsonObject, type JsonValue } from "./json.ts";
import type { Family } from "./records/family.ts";

/** Members that are secret wherever they stand. */
const NAMED = new Set([
  "access_key",
  "password",
  "oauth-client-secret",
  "hmac_string",
  "secret",
  "Secret",
  "secret_hash",
]);

/** Members that are secret, or may hold secrets, where they stand in a family. `*`: each of a list. */
const PLACED: Readonly<Partial<Record<Family, readonly string[]>>> = {
  keys: ["basic_auth_data", "oauth_keys", "jwt_data"],
  profiles: ["ProviderConfig"],
  webhooks: ["Headers.*.Value"],
  installation: ["check", "pepper", "next"],
};

/** A limit may be counted by them, so a world goes on to need them; nobody who reads an audit does. */
const UNTOLD: Readonly<Partial<Record<Family, readonly string[]>>> = {
  keys: ["meta_data"],
  policies: ["meta_data"],
};

const MASK = "***";
const CHANGED = "(changed)";

/** Shows that there is one, and whether it is another than `before`. */
export function withoutSecrets(
  family: Family,
  document: JsonObject,
  before: JsonObject | null = null,
): JsonObject {
  const places = new Set([...(PLACED[family] ?? []), ...(UNTOLD[family] ?? [])]);
  const shown = (value: JsonValue, old: JsonValue | undefined, path: readonly string[]) => {
    const mark = (): string => (old === undefined || isSame(old, value) ? MASK : CHANGED);
    if (isSecret(places, path) && !isEmpty(value)) return mark();
    if (family === "webhooks" && path.join(".") === "URL" && typeof value === "string")
      return shownAddress(value, mark());
    if (isList(value))
      return value.map((each, index): JsonValue =>
        shown(each, memberOf(old, index), [...path, "*"]),
      );
    return isObject(value) ? membersOf(value, old, path) : value;
  };
  const membersOf = (
    object: JsonObject,
    old: JsonValue | undefined,
    path: readonly string[],
  ): JsonObject =>
    Object.fromEntries(
      Object.entries(object).map(([name, value]): [string, JsonValue] => [
        name,
        shown(value, memberOf(old, name), [...path, name]),
      ]),
    );
  return membersOf(document, before ?? undefined, []);
}

/** As if there were none: what is read again must not take a mask for a secret. */
export function leavingSecretsOut(family: Family, document: JsonObject): JsonObject {
  const places = new Set(PLACED[family]);
  const left = (value: JsonValue, path: readonly string[]): JsonValue => {
    if (isList(value)) return value.map((each) => left(each, [...path, "*"]));
    return isObject(value) ? membersOf(value, path) : value;
  };
  const membersOf = (object: JsonObject, path: readonly string[]): JsonObject =>
    Object.fromEntries(
      Object.entries(object)
        .map(([name, value]) => ({ name, value, at: [...path, name] }))
        .filter(({ value, at }) => !isSecret(places, at) || isEmpty(value))
        .map(({ name, value, at }): [string, JsonValue] => [name, left(value, at)]),
    );
  return membersOf(document, []);
}

const isSecret = (places: ReadonlySet<string>, path: readonly string[]): boolean =>
  NAMED.has(path.at(-1)!) || places.has(path.join("."));

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);

const isEmpty = (value: JsonValue): boolean =>
  value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);

function memberOf(value: JsonValue | undefined, name: string | number): JsonValue | undefined {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string | number, JsonValue>>)[name];
}

const isSame = (one: JsonValue, other: JsonValue): boolean => writeJson(one) === writeJson(other);

/** Receivers take tokens behind the question mark, and names before the host. */
const shownAddress = (address: string, mark: string): string =>
  address.replace(/^([a-z]+:\/\/)[^/?#]*@/i, `$1${mark}@`).replace(/([?#]).+$/s, `$1${mark}`);
