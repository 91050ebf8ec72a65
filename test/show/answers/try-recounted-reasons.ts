// What an answer of weir try may claim about causes, other choices and what else decides, recounted by other code.
import { expect } from "vitest";
import type { AnswerSentence } from "#src/lab/report/answer.ts";
import type { TryRow, UnansweredTry } from "#src/studies/try/result.ts";
import {
  alikeTo,
  always,
  COUNTING,
  fates,
  hasRange,
  middle,
  VALUES,
  valuesIn,
  wordsOf,
  type Draw,
} from "./try-recounted.ts";

/** The algorithms of a sentence such as "with a token bucket and GCRA": of a sentence without "the others", all named. */
const rowsIn = (rows: readonly TryRow[], text: string): readonly TryRow[] =>
  rows.filter((row) => new RegExp(`${wordsOf(row)}\\b`).test(text));

/** Checks that a value of the middle draws is at least half as much again with some of the candidates. */
export function checkDecider(
  facts: UnansweredTry,
  { text, numbers }: AnswerSentence,
  chosen: TryRow | null,
  of: (draw: Draw) => number | null,
): void {
  const group = facts.candidates.filter(alikeTo(chosen ?? facts.candidates[0]!));
  const valueOf = (row: TryRow): number => middle(valuesIn(row, (draw) => of(draw)!));
  const low = rowsIn(group, text).filter((row) => valueOf(row) <= 1.1 * numbers["least"]!);
  expect(low.length).toBeGreaterThan(0);
  expect(Math.min(...low.map(valueOf))).toBe(numbers["least"]);
  expect(group.map(valueOf)).toContain(numbers["most"]);
  expect(numbers["most"]).toBeGreaterThanOrEqual(1.5 * numbers["least"]!);
  expect(text).toMatch(/^(?:Choose by|By|Between them choose by|Or by) /);
}

/** How limiters return budget: two that do it alike have no such cause. */
const RETURNS: readonly (readonly [algorithms: RegExp, words: RegExp])[] = [
  [COUNTING, /one window after each attempt, refused or not/],
  [/^(?:fixed_window|drl)$/, /only when a window ends/],
  [/^gcra$/, /for one request at a time, [\d.]+ \w+ after the last/],
  [/^token_bucket$/, /request by request as time passes/],
  [/^sliding_window_counter$/, /as the window before counts less and less/],
];

export function checkCause(
  { candidates }: UnansweredTry,
  { text, numbers }: AnswerSentence,
  chosen: TryRow,
): void {
  const mostOf = (draw: Draw): number => draw.mostInWindow;
  const of = (row: TryRow): RegExp => RETURNS.find(([names]) => names.test(row.algorithm!))![1];
  expect(text.startsWith(`The cause: ${wordsOf(chosen)} `)).toBe(true);
  const next = candidates.filter(
    (row) => alikeTo(chosen)(row) && row !== chosen && text.includes(`, ${wordsOf(row)} `),
  );
  expect(next).toHaveLength(1);
  if (numbers["mostOf"] === undefined) {
    const [own, other] = text.split(`, ${wordsOf(next[0]!)} `) as [string, string];
    expect([own, other]).toEqual([
      expect.stringMatching(of(chosen)),
      expect.stringMatching(of(next[0]!)),
    ]);
    expect(own.replace(/^.* returns budget /, "")).not.toBe(other.replace(/\.$/, ""));
  } else {
    expect(of(chosen)).toEqual(of(next[0]!));
    expect(always(chosen, next[0]!, (own, other) => mostOf(own) > mostOf(other))).toBe(true);
  }
}

/** Checks that the limiter that was left out is better in each draw by what the sentence names. */
export function checkInstead(
  { candidates }: UnansweredTry,
  { text, numbers }: AnswerSentence,
  chosen: TryRow,
): void {
  const next = candidates.find(
    (row) =>
      alikeTo(chosen)(row) &&
      text.toLowerCase().startsWith(`${wordsOf(row).toLowerCase()} is better if `),
  )!;
  for (const [name, of] of VALUES) {
    const key = name === "median" ? "medianUs" : name;
    if (numbers[`${key}Taken`] === undefined && numbers[`${key}TakenFrom`] === undefined) continue;
    expect(always(chosen, next, (own, other) => of(own) > 1.1 * of(other))).toBe(true);
    expect(hasRange(numbers, key, valuesIn(next, of))).toBe(true);
    expect(hasRange(numbers, `${key}Taken`, valuesIn(chosen, of))).toBe(true);
  }
  if (numbers["sent"] !== undefined)
    expect(always(chosen, next, (own, other) => own.peakSent > 2 * other.peakSent)).toBe(true);
}

export function checkStrict(
  facts: UnansweredTry,
  { text, numbers }: AnswerSentence,
  chosen: TryRow,
): void {
  const keepers = facts.candidates.filter(
    (row) => alikeTo(chosen)(row) && row.mostPossible !== null && row.mostPossible <= row.rate,
  );
  // One with a queue admits more, later; GCRA is never named without its default.
  const left = keepers.filter((row) => fates(keepers, facts).get(row) === null);
  const row = left.find((each) =>
    new RegExp(`^If an? .*, take (?:.* )?${wordsOf(each)}[ :,.(]`).test(text),
  );
  expect(
    hasRange(
      numbers,
      "unadmitted",
      valuesIn(row!, ({ gaveUp }) => gaveUp),
    ),
  ).toBe(true);
  expect(text.includes(" (its default: one request at once)")).toBe(row!.algorithm === "gcra");
  expect(text.includes(", in which requests wait")).toBe(row!.algorithm === "leaky_bucket");
  const refused = valuesIn(row!, ({ refusedAttempts }) => refusedAttempts);
  expect(hasRange(numbers, "refused", refused)).toBe(true);
}
