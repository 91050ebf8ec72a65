// An API definition, classic or OAS, is kept as it was pasted (MGT-C5, MGT-C8).
import { readRecord } from "../as-configured.ts";
import { judged } from "../judged.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { Kind } from "../kind.ts";
import { merged } from "../merged.ts";
import { DEFAULT_OPTIONS } from "../../core/read/options.ts";
import { isObject, object } from "./fields.ts";

export const api = object;

const isOas = (document: JsonObject): boolean => Object.hasOwn(document, "openapi");

export const apis: Kind = {
  family: "apis",
  unknown: "API not found",
  taken: "Another API listens on this path",
  idAt: ["api_id"],
  idIn: saidId,
  // Half of one form beside half of the other would be neither.
  merged: (before, body) =>
    before === null || isOas(before) !== isOas(body) ? body : merged(before, body),
  kept: ({ configuration }, id, document, before) => ({
    document,
    foundBy: { unique: listenPathOf(id, document), text: null },
    problems: judged("apis", id, document, before, configuration()),
  }),
};

const NOTHING = { apis: new Map(), policies: new Map(), options: DEFAULT_OPTIONS };

/** Null where there is none, which is a fault that the reader tells. */
const listenPathOf = (id: string, document: JsonObject): string | null =>
  readRecord("apis", id, document, NOTHING).api?.listenPath ?? null;

const OF_NOBODY = "";

/** As the gateway reads it, wherever a definition says it. */
function saidId(document: JsonObject): JsonValue | undefined {
  const read = readRecord("apis", OF_NOBODY, document, NOTHING).api;
  if (read !== null && read !== undefined) return read.id;
  return isObject(document) ? (document["api_id"] ?? document["id"]) : undefined;
}
