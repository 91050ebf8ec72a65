// An API definition, classic or OAS, is kept as it was pasted (MGT-C5, MGT-C8).
import type { ApiDefinition } from "../../core/config.ts";
import { fault } from "../../reading/problems.ts";
import { readApi } from "../../world/api.ts";
import { validateRecord } from "../judged.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { RecordType } from "../record-type.ts";
import { mergeBody } from "../merge-body.ts";
import { object } from "./fields.ts";

export const api = object;

const isOas = (document: JsonObject): boolean => Object.hasOwn(document, "openapi");

export const apis: RecordType = {
  name: "apis",
  unknownMessage: "API not found",
  conflictMessage: "Another API listens on this path",
  idAt: ["api_id"],
  idIn: (document) => saidId(document),
  // Half of one form beside half of the other would be neither.
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

/** It is found by an index, whose entries have an end in one of the databases. */
const LONGEST_LISTEN_PATH = 1_024;
const TOO_LONG = fault(
  "MGT-FIELD",
  [],
  `the listen path has at most ${LONGEST_LISTEN_PATH} letters`,
);

const OF_NOBODY = "";
const known = new WeakMap<JsonObject, { readonly api: ApiDefinition | null }>();

/** Once for each document: it is asked for its id and for its path. */
function readIn(document: JsonObject): ApiDefinition | null {
  const read = known.get(document) ?? { api: readApi(OF_NOBODY, document, [], []) };
  known.set(document, read);
  return read.api;
}

/** Null where there is none, which is a fault that the gateway's reader tells. */
const listenPathOf = (document: JsonObject): string | null => readIn(document)?.listenPath ?? null;

/** As the gateway reads it, wherever a definition says it. */
const saidId = (document: JsonObject): JsonValue | undefined =>
  readIn(document)?.id ?? document["api_id"] ?? document["id"];
