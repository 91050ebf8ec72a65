// Documents without secrets, for logs, audits, events and exports.
import { isObject, writeJson, type JsonObject, type JsonValue } from "./json.ts";
import type { RecordTypeName } from "./records/record-types.ts";

/** Fields that are secret in every record. */
const NAMED = new Set([
  "access_key",
  "password",
  "oauth-client-secret",
  "hmac_string",
  "secret",
  "Secret",
  "secret_hash",
]);

/** Other fields of each type that are secret or may contain secrets. `*`: each item of a list. */
const PLACED: Readonly<Partial<Record<RecordTypeName, readonly string[]>>> = {
  keys: ["basic_auth_data", "oauth_keys", "jwt_data"],
  profiles: ["ProviderConfig"],
  webhooks: ["Headers.*.Value"],
  installation: ["check", "pepper", "next"],
};

/** Further fields to mask in audits. Exports contain them, because limits may use their values. */
const UNTOLD: Readonly<Partial<Record<RecordTypeName, readonly string[]>>> = {
  keys: ["meta_data"],
  policies: ["meta_data"],
};

const MASK = "***";
const CHANGED = "(changed)";

/** Masks secrets. A secret that differs from its value in `before` becomes CHANGED. */
export function withoutSecrets(
  family: RecordTypeName,
  document: JsonObject,
  before: JsonObject | null = null,
): JsonObject {
  const places = new Set([...(PLACED[family] ?? []), ...(UNTOLD[family] ?? [])]);
  const mask = (value: JsonValue, old: JsonValue | undefined, path: readonly string[]) => {
    const mark = (): string => (old === undefined || isSame(old, value) ? MASK : CHANGED);
    if (isSecret(places, path) && !isEmpty(value)) return mark();
    if (family === "webhooks" && path.join(".") === "URL" && typeof value === "string")
      return maskAddress(value, mark());
    if (isList(value))
      return value.map((each, index): JsonValue =>
        mask(each, memberOf(old, index), [...path, "*"]),
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
        mask(value, memberOf(old, name), [...path, name]),
      ]),
    );
  return membersOf(document, before ?? undefined, []);
}

/** Removes the fields with secrets. With a mask, an import would store the mask as the secret. */
export function omitSecrets(family: RecordTypeName, document: JsonObject): JsonObject {
  const places = new Set(PLACED[family]);
  const omit = (value: JsonValue, path: readonly string[]): JsonValue => {
    if (isList(value)) return value.map((each) => omit(each, [...path, "*"]));
    return isObject(value) ? membersOf(value, path) : value;
  };
  const membersOf = (object: JsonObject, path: readonly string[]): JsonObject =>
    Object.fromEntries(
      Object.entries(object)
        .map(([name, value]) => ({ name, value, at: [...path, name] }))
        .filter(({ value, at }) => !isSecret(places, at) || isEmpty(value))
        .map(({ name, value, at }): [string, JsonValue] => [name, omit(value, at)]),
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

/** Masks user names and queries of a URL, because they often contain tokens of receivers. */
const maskAddress = (address: string, mark: string): string =>
  address.replace(/^([a-z]+:\/\/)[^/?#]*@/i, `$1${mark}@`).replace(/([?#]).+$/s, `$1${mark}`);
