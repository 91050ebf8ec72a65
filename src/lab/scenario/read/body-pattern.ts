// The expected body of a response: literal values, and words in angle brackets for values that are unknown in advance
// or do not matter.
import type { Path, Problem } from "../../../kit/reading/problems.ts";
import { isJsonMap, reportName, type Json } from "../../../kit/reading/shape.ts";

const PATTERN_WORDS = [
  "any",
  "string",
  "number",
  "integer",
  "boolean",
  "list",
  "map",
  "absent",
] as const;
export type PatternWord = (typeof PATTERN_WORDS)[number];
export const PATTERN_TEXTS: readonly string[] = PATTERN_WORDS.map((word) => `<${word}>`);

type BodyPattern =
  | { readonly kind: "word"; readonly word: PatternWord }
  | { readonly kind: "contains"; readonly part: string }
  | { readonly kind: "unknown"; readonly word: string };

const CONTAINS = "contains ";

/** The pattern that a value contains; null for a plain value, which matches only itself. */
export function patternIn(value: Json): BodyPattern | null {
  const inside = typeof value === "string" ? /^<(.+)>$/s.exec(value)?.[1] : undefined;
  if (inside === undefined) return null;
  if (inside.startsWith(CONTAINS)) return { kind: "contains", part: inside.slice(CONTAINS.length) };
  const word = PATTERN_WORDS.find((each) => each === inside);
  return word === undefined ? { kind: "unknown", word: inside } : { kind: "word", word };
}

/** Checks all patterns in a value. Returns false if it reports a problem. */
export function checkPattern(value: Json, at: Path, problems: Problem[]): boolean {
  const pattern = patternIn(value);
  if (pattern?.kind === "unknown") {
    reportName(
      problems,
      "SCN-VALUE",
      at,
      `<${pattern.word}> is not a pattern`,
      pattern.word,
      PATTERN_WORDS,
      `known: ${PATTERN_TEXTS.join(", ")}, <contains part of a string>`,
    );
    return false;
  }
  const inner: readonly (readonly [string | number, Json])[] = Array.isArray(value)
    ? [...(value as readonly Json[]).entries()]
    : isJsonMap(value)
      ? Object.entries(value)
      : [];
  return inner
    .map(([name, each]) => checkPattern(each, [...at, name], problems))
    .every((isSound) => isSound);
}
