// Expected and observed values, with the first difference marked in both and its position in words.
import type { Outcome } from "../../lab/scenario/verdict.ts";
import { html, type Html } from "./html.ts";

export interface MarkedDifference {
  readonly expected: Html;
  readonly observed: Html;
  /** The position of the difference in words; null if the marks are enough. */
  readonly place: string | null;
}

const DIGITS = /-?\d+(?:\.\d+)?/g;
const LONGEST = 600;
const AROUND = 120;

/** Matches the end of an observed sequence: the position of the first difference. */
const POSITION = /; differs at (.*)$/s;

/** Marks a difference only if the outcome is `fail`: an inconclusive value may be equal to the expected one. */
export function differenceOf(expected: string, whole: string, outcome: Outcome): MarkedDifference {
  const position = POSITION.exec(whole);
  const observed = position === null ? whole : whole.slice(0, position.index);
  const found =
    outcome === "fail"
      ? (runsApart(expected, observed) ??
        boundBroken(expected, observed) ??
        numbersApart(expected, observed))
      : null;
  if (found === null)
    return {
      expected: around(expected, null),
      observed: around(observed, null),
      place: placeIn(position),
    };
  const [left, right] = found.spans;
  return {
    expected: around(expected, left),
    observed: around(observed, right),
    place: placeIn(position) ?? found.place,
  };
}

/** The position in words, without the expected and observed values, which the page shows already. */
const placeIn = (position: RegExpExecArray | null): string | null =>
  position?.[1]?.replace(/: expected .*$/s, "") ?? null;

type Span = readonly [from: number, to: number];

interface Found {
  readonly spans: readonly [Span, Span];
  readonly place: string | null;
}

/** A status or event with its number of repetitions, as in "5*200 3*429". */
const RUN = /^(?:(\d+)\*)?(\d{3}|[A-Z]\w+)$/;

interface Run {
  readonly times: number;
  readonly what: string;
  readonly span: Span;
}

function runsOf(text: string): readonly Run[] | null {
  const runs: Run[] = [];
  for (const span of text === "nothing" ? [] : wordsOf(text)) {
    const match = RUN.exec(text.slice(...span));
    if (match === null) return null;
    runs.push({ times: Number(match[1] ?? 1), what: match[2]!, span });
  }
  return runs;
}

function runsApart(expected: string, observed: string): Found | null {
  const [left, right] = [runsOf(expected), runsOf(observed)];
  if (left === null || right === null) return null;
  let before = 0;
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const [one, other] = [left[index], right[index]];
    if (one?.what === other?.what && one?.times === other?.times) {
      before += one!.times;
      continue;
    }
    // Two runs of the same status differ in length: the difference is after the end of the shorter one.
    const isSame = one?.what === other?.what;
    if (isSame) before += Math.min(one!.times, other!.times);
    const end = (text: string): Span => [text.length, text.length];
    return {
      spans: [one?.span ?? end(expected), other?.span ?? end(observed)],
      place: `number ${before + 1}`,
    };
  }
  return null;
}

const NUMBER = String.raw`(-?\d+(?:\.\d+)?(?:e[+-]\d+)?(?:us|ms|s)?)`;
/** The format of `formatComparison`, with a look-ahead for the text that may follow it. */
const COMPARISON = new RegExp(
  `^(?:(at least|at most) ${NUMBER}|between ${NUMBER} and ${NUMBER}|${NUMBER})(?=$|,| in any | store )`,
  "d",
);
/** The format of `formatInterval`. */
const INTERVAL = new RegExp(`^(?:gaps of )?(?:\\[${NUMBER}, ${NUMBER}\\]|${NUMBER})(?=$|,| )`, "d");

interface Value {
  readonly text: string;
  readonly size: number;
  readonly span: Span;
}

const UNITS: Readonly<Record<string, number>> = { us: 1e-6, ms: 1e-3 };

function valuesOf({ indices, input }: RegExpExecArray): readonly (Value | undefined)[] {
  return (indices ?? []).map((span) => {
    if (span === undefined) return undefined;
    const text = input.slice(...span);
    return { text, size: parseFloat(text) * (UNITS[/[a-z]+$/.exec(text)?.[0] ?? ""] ?? 1), span };
  });
}

/** The bound and the value that breaks it, for example "at most 5" and "7" or "[3, 7]". */
function boundBroken(expected: string, observed: string): Found | null {
  const [comparison, seen] = [COMPARISON.exec(expected), INTERVAL.exec(observed)];
  if (comparison === null || seen === null) return null;
  const [, , one, from, to, exactly] = valuesOf(comparison);
  const [, first, last, single] = valuesOf(seen);
  const ends = single === undefined ? [first!, last!] : [single];
  const least = exactly ?? from ?? (comparison[1] === "at least" ? one : undefined);
  const most = exactly ?? to ?? (comparison[1] === "at most" ? one : undefined);
  for (const [bound, isBroken] of [
    [least, (end: Value) => end.size < least!.size],
    [most, (end: Value) => end.size > most!.size],
  ] as const) {
    const breaking = bound === undefined ? [] : ends.filter(isBroken);
    if (breaking.length === 0) continue;
    return {
      spans: [bound!.span, [breaking[0]!.span[0], breaking.at(-1)!.span[1]]],
      place: null,
    };
  }
  return null;
}

/** Finds the first different number if the texts differ only in numbers, as in "[3, 5]" and "[3, 6]". */
function numbersApart(expected: string, observed: string): Found | null {
  if (withoutNumbers(expected) !== withoutNumbers(observed)) return null;
  const right = numbersOf(observed);
  for (const [index, one] of numbersOf(expected).entries()) {
    const other = right[index]!;
    if (expected.slice(...one) !== observed.slice(...other))
      return {
        spans: [one, other],
        place: null,
      };
  }
  return null;
}

const withoutNumbers = (text: string): string => text.replaceAll(DIGITS, "0");

const spansOf = (text: string, pattern: RegExp): readonly Span[] =>
  [...text.matchAll(pattern)].map((match): Span => [match.index, match.index + match[0].length]);

const wordsOf = (text: string): readonly Span[] => spansOf(text, /\S+/g);
const numbersOf = (text: string): readonly Span[] => spansOf(text, DIGITS);

/** Shortens long texts to the part around the difference. */
function around(text: string, span: Span | null): Html {
  const [at, to] = span ?? [text.length, text.length];
  const from = text.length <= LONGEST ? 0 : Math.max(0, (span === null ? 0 : at) - AROUND);
  const end = text.length <= LONGEST ? text.length : Math.min(text.length, from + LONGEST);
  const stop = Math.min(to, end);
  const marked =
    span === null ? null : html`<mark>${at === to ? "(nothing)" : text.slice(at, stop)}</mark>`;
  return html`${from > 0 && "…"}${text.slice(from, Math.min(at, end))}${marked}${text.slice(stop, end)}${end < text.length && "…"}`;
}
