// Tests whether a value has the fields of a pattern; the value may have further fields.
import { patternIn, type PatternWord } from "../scenario/read/body-pattern.ts";
import { isJsonMap, type Json } from "../../kit/reading/shape.ts";

/** `value` is undefined if the field is missing. */
export function isPartOf(wanted: Json, value: Json | undefined): boolean {
  const pattern = patternIn(wanted);
  if (pattern?.kind === "word") return isOf(pattern.word, value);
  if (pattern?.kind === "contains")
    return typeof value === "string" && value.includes(pattern.part);
  if (Array.isArray(wanted))
    return (
      Array.isArray(value) &&
      value.length === wanted.length &&
      wanted.every((item, index) => isPartOf(item, value[index]))
    );
  if (!isJsonMap(wanted)) return wanted === value;
  return (
    value !== undefined &&
    isJsonMap(value) &&
    Object.entries(wanted).every(([name, item]) =>
      isPartOf(item, Object.hasOwn(value, name) ? value[name] : undefined),
    )
  );
}

function isOf(word: PatternWord, value: Json | undefined): boolean {
  switch (word) {
    case "any":
      return value !== undefined;
    case "absent":
      return value === undefined;
    case "string":
      return typeof value === "string";
    case "number":
      return typeof value === "number";
    case "integer":
      return Number.isInteger(value);
    case "boolean":
      return typeof value === "boolean";
    case "list":
      return Array.isArray(value);
    case "map":
      return value !== undefined && isJsonMap(value);
  }
}
