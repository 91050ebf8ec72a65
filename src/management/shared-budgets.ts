// What of a record would be counted together with the records of other organisations: budgets are told apart by what a
// pattern makes of metadata, by an address or by a header, and by no organisation (LIM-C8, LIM-C17). Whoever may choose
// that could spend what is another's, or give back what others have spent.
import { isObject, writeJson, type JsonObject, type JsonValue } from "./json.ts";
import type { Family } from "./records/family.ts";

export interface Written {
  readonly family: Family;
  readonly document: JsonObject;
  readonly before: JsonObject | null; // as somebody has put it who may see all organisations, perhaps
  readonly policies: readonly JsonObject[]; // of a key
}

/** Why a token of one organisation may not write it; null: it may. */
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
