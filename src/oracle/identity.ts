// LIM-C8: whose budget a key-level count is. A pattern's parts are kept apart, and no pattern can be
// mistaken for a key, because the two are different kinds of text.
const REFERENCE = /^\$gw_meta\.(.+)$/;

export function identityOf(keyId: string, metaData: Readonly<Record<string, unknown>>): string {
  const parts = patternParts(metaData);
  return parts === null ? `key ${keyId}` : `pattern ${JSON.stringify(parts)}`;
}

function patternParts(metaData: Readonly<Record<string, unknown>>): string[] | null {
  const pattern = own(metaData, "rate_limit_pattern");
  if (typeof pattern !== "string") return null;
  const parts = pattern.split("|").map((part) => {
    const name = REFERENCE.exec(part)?.[1];
    if (name !== undefined) return textOf(own(metaData, name));
    return part.includes("$") ? null : part;
  });
  const present = parts.filter((part) => part !== null);
  return present.length < parts.length || present.join("") === "" ? null : present;
}

const own = (record: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(record, name) ? record[name] : undefined;

/** Null where the value is missing: a non-empty text, a number or a boolean is present. */
const textOf = (value: unknown): string | null => {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value !== "" ? value : null;
};
