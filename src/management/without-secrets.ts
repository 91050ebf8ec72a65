// A document as a log, an audit, an event or an export may show it.
import type { JsonObject, JsonValue } from "./json.ts";

/** Members that are secret wherever they stand. */
const SECRET = new Set([
  "access_key",
  "password",
  "oauth-client-secret",
  "hmac_string",
  "secret",
  "Secret",
  "secret_hash",
]);
const MASK = "***";

const isSecret = (name: string, value: JsonValue): boolean =>
  SECRET.has(name) && value !== null && value !== "";

/** Shows that there is one. */
export const withoutSecrets = (document: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(document).map(([name, value]) => [
      name,
      isSecret(name, value) ? MASK : within(value, withoutSecrets),
    ]),
  );

/** As if there were none: what is read again must not take a mask for a secret. */
export const leavingSecretsOut = (document: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(document)
      .filter(([name, value]) => !isSecret(name, value))
      .map(([name, value]) => [name, within(value, leavingSecretsOut)]),
  );

function within(value: JsonValue, change: (document: JsonObject) => JsonObject): JsonValue {
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).map((each) => within(each, change));
  return typeof value === "object" && value !== null ? change(value as JsonObject) : value;
}
