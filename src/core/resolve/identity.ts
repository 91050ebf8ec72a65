// Who a request is to its budgets: the key, or what a `rate_limit_pattern` makes of its metadata
// (LIM-11, LIM-12, LIM-14, LIM-C8).
import type { MetaData } from "../config.ts";

/** A part of a pattern that reads a member of the metadata. */
export const META_REFERENCE = /^\$gw_meta\.([^$|]+)$/;

export const keyIdentity = (keyId: string): string => `key:${keyId}`;

/** The identity under a pattern; null where the credential counts after all. */
export function patternIdentity(metaData: MetaData): string | null {
  const pattern = ownMember(metaData, "rate_limit_pattern");
  if (typeof pattern !== "string") return null;
  const parts: string[] = [];
  for (const part of pattern.split("|")) {
    const value = partValue(part, metaData);
    if (value === null) return null;
    parts.push(value);
  }
  // As JSON the parts stay apart, and no key's identity can look like a pattern's.
  return parts.join("") === "" ? null : `pattern:${JSON.stringify(parts)}`;
}

/** Null where a referenced value is missing, or the part is no part at all. */
function partValue(part: string, metaData: MetaData): string | null {
  const reference = META_REFERENCE.exec(part)?.[1];
  if (reference === undefined) return part.includes("$") ? null : part;
  const value = ownMember(metaData, reference);
  if (typeof value === "string") return value === "" ? null : value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}

const ownMember = (metaData: MetaData, name: string): unknown =>
  Object.hasOwn(metaData, name) ? metaData[name] : undefined;
