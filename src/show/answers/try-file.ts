// Sentences of the answer of weir try about the file of another limiter: what its own limits do with the traffic.
import { cut, oneLine, plural, thousands } from "../../kit/reading/legible.ts";
import type { Answer, AnswerSentence } from "../../lab/report/answer.ts";
import type { TryRow, UnansweredTry } from "../../studies/try/result.ts";
import { valuesOf } from "../../studies/try/draw-values.ts";
import { shortenAnswer } from "./answer.ts";
import {
  drawSentence,
  missingSentence,
  nextSentence,
  NO_REQUESTS,
  shortSentence,
} from "./try-notes.ts";
import { overloadSentence, priceSentences, unfairSentence, waitSentence } from "./try-sentences.ts";
import { numberOf, outcomeWords, retryWords } from "./try-words.ts";
import { clientWords, limiterWords, listWords } from "./words.ts";

const DISPENSABLE = ["wait", "exact", "unfair", "seen", "short"];

/** The answer if nothing but the file is tried. */
export function answerFile(facts: UnansweredTry): Answer {
  const { candidates: rows } = facts;
  const [first] = rows;
  if (first === undefined) return [];
  if (valuesOf(first, ({ requests }) => requests).includes(0)) return [NO_REQUESTS];
  const isOwn = first.file?.owner !== "all";
  const sentences = [
    ...rows.map((row) => fileSentence(row, facts)),
    limitsOfFile(first),
    isOwn ? overloadSentence(first, facts) : shareSentence(first),
    ...(rows.length === 1
      ? [
          waitSentence(first),
          unfairSentence(first),
          ...(isOwn ? priceSentences(first, undefined, [first], facts) : []),
        ]
      : []),
    doubtOfFile(first),
    missingSentence(facts),
    shortSentence(facts),
    drawSentence(facts, false),
    nextSentence(first),
  ].flatMap((sentence) => sentence ?? []);
  return shortenAnswer(sentences, DISPENSABLE);
}

/** What the limits of the file do with the requests, and which of them decides. */
export function fileSentence(row: TryRow, { retries }: UnansweredTry): AnswerSentence {
  const [lowest] = row.file!.rules;
  const { limit, rule, file, line, isDryRun } = lowest!;
  const clients = retries.length === 1 ? "" : ` with ${retryWords(row.retry)}`;
  const why = `${cut(oneLine(limit))} of ${cut(oneLine(rule))} (${oneLine(file)}:${line})`;
  return {
    id: "file",
    text: `${limiterWords(row)}${clients} ${outcomeWords(row)}: ${isDryRun ? "a dry run counts them by" : "its limit is"} ${why}.`,
    numbers: {
      rate: row.rate,
      perUs: row.perUs,
      ...numberOf(row, "unadmitted"),
      ...numberOf(row, "refused"),
    },
  };
}

/** The other limits that count the same requests. */
function limitsOfFile({ file }: TryRow): AnswerSentence | null {
  const [, ...others] = file!.rules;
  if (others.length === 0) return null;
  const named = others.slice(0, 2).map(({ limit, rule }) => `${limit} of ${cut(oneLine(rule))}`);
  const rest = others.length - named.length;
  return {
    id: "others",
    text: `${clientWords(file!.request)} is counted by ${thousands(others.length)} higher ${plural(others.length, "limit", "limits")} too: ${listWords([...named, ...(rest === 0 ? [] : [`${thousands(rest)} more`])])}.`,
    numbers: { limits: others.length },
  };
}

const shareSentence = ({ file }: TryRow): AnswerSentence => ({
  id: "shared",
  text: `All clients share the budget of ${cut(oneLine(file!.rules[0]!.rule))}: one of them can use it up for the others.`,
  numbers: {},
});

/** What the file leaves open. */
export function doubtOfFile(row: TryRow | undefined): AnswerSentence | null {
  const doubts = row?.file?.doubts ?? [];
  const [first] = doubts;
  if (first === undefined) return null;
  return {
    id: "doubt",
    text:
      doubts.length === 1
        ? `This may be wrong: ${oneLine(first)}.`
        : `This may be wrong: ${thousands(doubts.length)} parts of the file are in doubt, which are listed below.`,
    numbers: { doubts: doubts.length },
  };
}
