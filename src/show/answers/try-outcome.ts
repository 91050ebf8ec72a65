// Sentences of the answer of weir try about one limiter, without a choice: what it does with each kind of clients.
import { rateWords } from "../../kit/reading/periods.ts";
import type { AnswerSentence } from "../../lab/report/answer.ts";
import type { TryRow, UnansweredTry } from "../../studies/try/result.ts";
import { chooseTried, mainReason } from "./try-choice.ts";
import {
  effectWords,
  groupWords,
  numberOf,
  outcomeWords,
  retryWords,
  valueWords,
} from "./try-words.ts";
import { limiterWords, sentenceCase } from "./words.ts";

export function outcomeSentence(row: TryRow, facts: UnansweredTry): AnswerSentence {
  const { rate, perUs } = row;
  const where = groupWords(row, facts);
  const subject =
    where === ""
      ? `${limiterWords(row)} of ${rateWords(rate, perUs)}`
      : `${where}, ${limiterWords(row)}`;
  return {
    id: "outcome",
    text: `${sentenceCase(subject)} ${outcomeWords(row)}.`,
    numbers: { rate, perUs, ...numberOf(row, "unadmitted"), ...numberOf(row, "refused") },
  };
}

/** Which of several kinds of clients one limiter serves best, by the same rule. */
export function clientsSentence(
  rows: readonly TryRow[],
  facts: UnansweredTry,
): AnswerSentence | null {
  const [first, second, ...others] = rows;
  if (first === undefined || second === undefined) return null;
  const choice = chooseTried([first, second, ...others], facts);
  const reason = mainReason(choice);
  if (reason === undefined) return null;
  const { best } = choice;
  const { by, next } = reason;
  const value = valueWords(next, by, best);
  return {
    id: "clients",
    text: `${sentenceCase(retryWords(best.retry))} are served best: ${limiterWords(best)} ${effectWords(best, by)}, with ${retryWords(next.retry)} ${value.startsWith("leaves") ? "it " : ""}${value}.`,
    numbers: { ...numberOf(best, by), ...numberOf(next, by, "next") },
  };
}
