// A document as a log, an audit or an event may show it.
import type { JsonObject, JsonValue } from "./json.ts";

/** Members that are secret wherever they stand. */
const SECRET = new Set([
  "access_key",
  "password",
  "oauth-client-secret",
  "hmac_string",
  "Secret",
  "secret_hash",
]);
const MASK = "***";

export const withoutSecrets = (document: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(document).map(([name, value]) => [
      name,
      SECRET.has(name) && value !== null && value !== "" ? MASK : masked(value),
    ]),
  );

function masked(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(masked);
  return typeof value === "object" && value !== null ? withoutSecrets(value as JsonObject) : value;
}
