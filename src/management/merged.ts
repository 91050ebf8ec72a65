// How a body changes a document: what it leaves out stays, and an explicit null takes away (MGT-C5).
import type { JsonObject, JsonValue } from "./json.ts";

export const merged = (document: JsonObject, body: object): JsonObject => {
  const next = new Map<string, JsonValue>(Object.entries(document));
  for (const [name, value] of Object.entries(body) as [string, JsonValue][])
    if (value === null) next.delete(name);
    else next.set(name, value);
  return Object.fromEntries(next);
};
