// Sentences of the answer of weir try for limiters that refuse about as much: by what else to choose, with its figures.
import { thousands } from "../../kit/reading/legible.ts";
import type { AnswerSentence } from "../../lab/report/answer.ts";
import { drawsOf, middleOf } from "../../studies/try/draw-values.ts";
import type { DrawFigures, UnansweredTry } from "../../studies/try/result.ts";
import { boundsSentence, type TriedGroup } from "./try-sentences.ts";
import { limitersWords } from "./try-words.ts";
import { limiterWords, rangeWords } from "./words.ts";

interface Decider {
  readonly id: string;
  readonly what: string;
  readonly valueOf: (draw: DrawFigures) => number | null;
  readonly sides: (low: string, few: string, rest: string, many: string) => string;
  readonly words: (value: number) => string;
}

const DECIDERS: readonly Decider[] = [
  {
    id: "commands",
    what: "commands of the store",
    valueOf: ({ commands }) => commands,
    sides: (low, few, rest, many) => `with ${low} ${few} for each attempt, with ${rest} ${many}`,
    words: (value) => String(Number(value.toFixed(2))),
  },
  {
    id: "served",
    what: "the busiest second of the upstream",
    valueOf: ({ peakAdmitted }) => peakAdmitted,
    sides: (low, few, rest, many) => `with ${low} it gets ${few} requests, with ${rest} ${many}`,
    words: thousands,
  },
  {
    id: "advised",
    what: "Retry-After",
    valueOf: ({ retryAfterS }) => retryAfterS,
    sides: (low, few, rest, many) =>
      `its median is ${few} s with ${low}, and ${many} s with ${rest}`,
    words: thousands,
  },
];

/** How far candidates may exceed the limit, and what else differs between them by half or more. */
export function deciderSentences(
  rows: TriedGroup,
  facts: UnansweredTry,
  lead = "Choose by",
): readonly (AnswerSentence | null)[] {
  const bounds = boundsSentence(rows, facts, `${lead} the worst case: `);
  const others = DECIDERS.flatMap((decider) => deciderSentence(rows, decider) ?? []);
  const isFirst = bounds === null || bounds.numbers["strict"]! * bounds.numbers["others"]! === 0;
  return [
    bounds,
    ...others.map((sentence, at) => ({
      ...sentence,
      text: `${isFirst && at === 0 ? lead : "Or by"} ${sentence.text}`,
    })),
  ];
}

/** What such sentences choose by first: "by the worst case"; null: nothing else differs. */
export function firstDecider(rows: TriedGroup, facts: UnansweredTry): string | null {
  const texts = deciderSentences(rows, facts).flatMap((sentence) => sentence?.text ?? []);
  return texts.map((text) => /^Choose (by .+?):/.exec(text)?.[1]).find(Boolean) ?? null;
}

/** Null: the middle values of the draws are about the same, or they are not known of two candidates. */
function deciderSentence(
  rows: TriedGroup,
  { id, what, valueOf, sides, words }: Decider,
): AnswerSentence | null {
  const known = rows.flatMap((row) => {
    const values = drawsOf(row).map(valueOf);
    const own = values.filter((value) => value !== null);
    return own.length < values.length ? [] : [{ row, value: middleOf(own) }];
  });
  const least = Math.min(...known.map(({ value }) => value));
  const low = known.filter(({ value }) => value <= 1.1 * least);
  const rest = known.filter(({ value }) => value > 1.1 * least);
  const most = Math.max(...rest.map(({ value }) => value));
  if (rest.length === 0 || most < 1.5 * least) return null;
  const valuesIn = (some: typeof known): string =>
    rangeWords(
      some.map(({ value }) => value),
      words,
    );
  const others = rest.length === 1 ? limiterWords(rest[0]!.row) : "the others";
  const names = limitersWords(
    low.map(({ row }) => row),
    "and",
  );
  return {
    id,
    text: `${what}: ${sides(names, valuesIn(low), others, valuesIn(rest))}.`,
    numbers: { least, most, few: low.length, others: rest.length },
  };
}
