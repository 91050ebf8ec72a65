// What the body of an answer has to look like: its own values, and words in angle brackets for values that nobody
// can know, or does not want to.
import type { Path, Problem } from "../../reading/problems.ts";
import { isMembers, reportName, type Json } from "../../reading/shape.ts";

export const PATTERN_WORDS = [
  "any",
  "text",
  "number",
  "whole",
  "yes or no",
  "list",
  "map",
  "absent",
] as const;
export type PatternWord = (typeof PATTERN_WORDS)[number];
export const PATTERN_TEXTS: readonly string[] = PATTERN_WORDS.map((word) => `<${word}>`);

export type Pattern =
  | { readonly kind: "word"; readonly word: PatternWord }
  | { readonly kind: "has"; readonly part: string }
  | { readonly kind: "unknown"; readonly word: string };

const HAS = "has ";

/** Null: it stands for itself. */
export function patternIn(value: Json): Pattern | null {
  const inside = typeof value === "string" ? /^<(.+)>$/s.exec(value)?.[1] : undefined;
  if (inside === undefined) return null;
  if (inside.startsWith(HAS)) return { kind: "has", part: inside.slice(HAS.length) };
  const word = PATTERN_WORDS.find((each) => each === inside);
  return word === undefined ? { kind: "unknown", word: inside } : { kind: "word", word };
}

/** False after a fault. */
export function checkPattern(value: Json, at: Path, problems: Problem[]): boolean {
  const pattern = patternIn(value);
  if (pattern?.kind === "unknown") {
    reportName(
      problems,
      "SCN-VALUE",
      at,
      `<${pattern.word}> stands for no value`,
      pattern.word,
      PATTERN_WORDS,
      `known: ${PATTERN_TEXTS.join(", ")}, <has a part of a text>`,
    );
    return false;
  }
  const inner: readonly (readonly [string | number, Json])[] = Array.isArray(value)
    ? [...(value as readonly Json[]).entries()]
    : isMembers(value)
      ? Object.entries(value)
      : [];
  return inner
    .map(([name, each]) => checkPattern(each, [...at, name], problems))
    .every((isSound) => isSound);
}
