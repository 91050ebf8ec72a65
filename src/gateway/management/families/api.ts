// API definitions, classic or OAS. A definition is stored in the form in which it was sent (MGT-C5, MGT-C8).
import type { ApiDefinition } from "../../../limiter/core/config.ts";
import { errorAt } from "../../../kit/reading/problems.ts";
import { readApi } from "../../../limiter/world/api.ts";
import { validateRecord } from "../validate-record.ts";
import { type JsonObject, type JsonValue, mergeBody } from "../json.ts";
import type { RecordType } from "../record-type.ts";
import { object } from "./fields.ts";

export const api = object;

const isOas = (document: JsonObject): boolean => Object.hasOwn(document, "openapi");

export const apis: RecordType = {
  name: "apis",
  unknownMessage: "API not found",
  conflictMessage: "Another API listens on this path",
  idAt: ["api_id"],
  idIn: (document) => apiIdOf(document),
  // If only one of definition and body is OAS, the body replaces the definition: a mix of both forms is invalid.
  merge: (before, body) =>
    before === null || isOas(before) !== isOas(body) ? body : mergeBody(before, body),
  prepare: ({ configuration }, id, document, before) => {
    const listenPath = listenPathOf(document);
    const problems = validateRecord("apis", id, document, before, configuration());
    const isLong = listenPath !== null && listenPath.length > LONGEST_LISTEN_PATH;
    return {
      document,
      foundBy: { unique: listenPath, text: null },
      problems: isLong ? [TOO_LONG, ...problems] : problems,
    };
  },
};

/** The longest listen path in letters. Listen paths are indexed, and PostgreSQL limits the length of an index entry. */
const LONGEST_LISTEN_PATH = 1_024;
const TOO_LONG = errorAt(
  "MGT-FIELD",
  [],
  `the listen path has at most ${LONGEST_LISTEN_PATH} letters`,
);

const WITHOUT_ID = "";
const definitions = new WeakMap<JsonObject, { readonly api: ApiDefinition | null }>();

/** Parses a document once, for both its id and its path. */
function definitionIn(document: JsonObject): ApiDefinition | null {
  const read = definitions.get(document) ?? { api: readApi(WITHOUT_ID, document, [], []) };
  definitions.set(document, read);
  return read.api;
}

/** Null if the document has no listen path; the gateway's reader reports that. */
const listenPathOf = (document: JsonObject): string | null =>
  definitionIn(document)?.listenPath ?? null;

/** The id as the gateway reads it, in either form of definition. */
const apiIdOf = (document: JsonObject): JsonValue | undefined =>
  definitionIn(document)?.id ?? document["api_id"] ?? document["id"];
