// Merges a body into a document: unset fields stay, and an explicit null removes one (MGT-C5).
import type { JsonObject, JsonValue } from "./json.ts";

export const mergeBody = (document: JsonObject, body: object): JsonObject => {
  const next = new Map<string, JsonValue>(Object.entries(document));
  for (const [name, value] of Object.entries(body) as [string, JsonValue][])
    if (value === null) next.delete(name);
    else next.set(name, value);
  return Object.fromEntries(next);
};
