// An API definition, classic or OAS, is kept as it was pasted (MGT-C5, MGT-C8).
import type { ApiDefinition } from "../../core/config.ts";
import { readApi } from "../../core/read/api.ts";
import { judged } from "../judged.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { Kind } from "../kind.ts";
import { merged } from "../merged.ts";
import { object } from "./fields.ts";

export const api = object;

const isOas = (document: JsonObject): boolean => Object.hasOwn(document, "openapi");

export const apis: Kind = {
  family: "apis",
  unknown: "API not found",
  taken: "Another API listens on this path",
  idAt: ["api_id"],
  idIn: (document) => saidId(document),
  // Half of one form beside half of the other would be neither.
  merged: (before, body) =>
    before === null || isOas(before) !== isOas(body) ? body : merged(before, body),
  kept: ({ configuration }, id, document, before) => ({
    document,
    foundBy: { unique: listenPathOf(document), text: null },
    problems: judged("apis", id, document, before, configuration()),
  }),
};

const OF_NOBODY = "";
const readIn = (document: JsonObject): ApiDefinition | null => readApi(OF_NOBODY, document, [], []);

/** Null where there is none, which is a fault that the gateway's reader tells. */
const listenPathOf = (document: JsonObject): string | null => readIn(document)?.listenPath ?? null;

/** As the gateway reads it, wherever a definition says it. */
const saidId = (document: JsonObject): JsonValue | undefined =>
  readIn(document)?.id ?? document["api_id"] ?? document["id"];
