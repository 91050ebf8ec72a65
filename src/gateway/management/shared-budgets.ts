// Finds fields of a record that would share a budget with other organisations. Budgets are separate by metadata
// pattern, address or header, but not by organisation (LIM-C8, LIM-C17). So a token of one organisation could spend or
// reset another's budget.
import { isObject, writeJson, type JsonObject, type JsonValue } from "./json.ts";
import type { RecordTypeName } from "./records/record-types.ts";

interface Written {
  readonly family: RecordTypeName;
  readonly document: JsonObject;
  readonly before: JsonObject | null; // the stored document, possibly written by an administrator of all organisations
  readonly policies: readonly JsonObject[]; // the policies that a key applies
}

/** Why a token of one organisation may not write the record; null: it may. */
export function whyShared(
  { family, document, before, policies }: Written,
  organisation: string,
): string | null {
  const isChanged = (...names: readonly string[]): boolean =>
    names.some((name) => textOf(document[name]) !== textOf(before?.[name]));
  if (family === "apis") {
    const { key_by: keyBy = null } = document;
    return keyBy === null || keyBy === "credential" || !isChanged("key_by")
      ? null
      : "key_by counts clients of all organisations together";
  }
  if (family !== "keys" && family !== "policies") return null;
  const patterns = [document, ...policies].flatMap((each) => patternIn(each) ?? []);
  const isShared = patterns.some((pattern) => pattern.split("|")[0] !== organisation);
  return isShared && isChanged("meta_data", "apply_policies", "apply_policy_id")
    ? `a rate_limit_pattern counts keys of all organisations together unless it begins with ${JSON.stringify(`${organisation}|`)}`
    : null;
}

function patternIn({ meta_data: metaData }: JsonObject): string | null {
  if (!isObject(metaData) || !Object.hasOwn(metaData, "rate_limit_pattern")) return null;
  const pattern = metaData["rate_limit_pattern"];
  return typeof pattern === "string" ? pattern : null;
}

const textOf = (value: JsonValue | undefined): string => writeJson(value ?? null);
