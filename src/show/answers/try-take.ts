// The first sentence of the answer of weir try if a limiter is chosen: which to take, and those that do about the same.
import type { AnswerSentence } from "../../lab/report/answer.ts";
import type { TryRow, UnansweredTry } from "../../studies/try/result.ts";
import { listNear, mainReason, type TryChoice } from "./try-choice.ts";
import { idleSentence, type TriedGroup } from "./try-sentences.ts";
import {
  alikeWords,
  effectWords,
  groupWords,
  limitersWords,
  numberOf,
  valueWords,
} from "./try-words.ts";
import { limiterWords, listWords } from "./words.ts";

export const beginning = (row: TryRow, facts: UnansweredTry): string =>
  [row.isRandom && row.otherDraws.length === 0 ? "in this draw" : "", groupWords(row, facts)]
    .filter((words) => words !== "")
    .map((words) => `${words} `)
    .join("");

/** The similar limiters that no draw separates by what decides: they are taken as well as the chosen one. */
export const nearIn = (choice: TryChoice): readonly TryRow[] => {
  const reason = mainReason(choice);
  return reason === undefined ? [] : listNear(choice, reason.by);
};

const listOut = ({ leftOut }: TryChoice): readonly TryRow[] => leftOut.flatMap(({ rows }) => rows);

/** Whether the few that are left out are named, because all others do about the same. */
const isAnyBut = (choice: TryChoice): boolean =>
  listOut(choice).length <= MOST_EQUAL && nearIn(choice).length === choice.similar.length;

/** A row with the draws of others too, for words about all of them. */
const joinDraws = (row: TryRow, others: readonly TryRow[]): TryRow => ({
  ...row,
  otherDraws: [
    ...row.otherDraws,
    ...others.flatMap((other) => [{ ...other, seed: 0 }, ...other.otherDraws]),
  ],
});

export function choiceSentence(
  choice: TryChoice,
  rows: TriedGroup,
  facts: UnansweredTry,
): AnswerSentence {
  const { best, equal } = choice;
  const reason = mainReason(choice);
  const near = nearIn(choice);
  const alike = [...equal, ...near];
  if (reason === undefined)
    return (
      idleSentence(rows, facts) ?? {
        id: "no-difference",
        text: `Nothing separates the ${rows.length} limiters: ${beginning(best, facts)}${alikeWords(rows)}.`,
        numbers: { candidates: rows.length },
      }
    );
  const { by, next } = reason;
  const does = `${beginning(best, facts)}${alike.length === 0 ? "it" : "each"} ${effectWords(joinDraws(best, alike), by)}`;
  const same = `do ${near.length === 0 ? "" : "about "}the same`;
  const take =
    alike.length <= MOST_EQUAL
      ? `Take ${limitersWords([best, ...alike], "or")}${alike.length === 0 ? "" : `, which ${same}`}: ${does}`
      : isAnyBut(choice)
        ? `Take any but ${limitersWords(listOut(choice), "or")}: ${does.replace("each", `each of the ${alike.length + 1} others`)}`
        : `Take ${limiterWords(best)}, or one of ${alike.length} that ${same}: ${does}`;
  return {
    id: "choice",
    text: `${take}, ${limiterWords(next)} ${valueWords(next, by, best)}.`,
    numbers: {
      ...numberOf(best, by),
      ...numberOf(next, by, "next"),
      ...(equal.length === 0 ? {} : { equal: equal.length }),
      ...(near.length === 0 ? {} : { near: near.length }),
    },
  };
}

/** The most equal limiters that the first sentence names. */
const MOST_EQUAL = 2;

/** The names of the limiters that do the same, if the first sentence has only their number. */
export function sameSentence(choice: TryChoice): AnswerSentence | null {
  const near = nearIn(choice);
  const alike = [...choice.equal, ...near];
  if (choice.leftOut.length === 0 || alike.length <= MOST_EQUAL || isAnyBut(choice)) return null;
  return {
    id: "same",
    text: `${near.length === 0 ? "The" : "About the"} same here: ${listWords(alike.map(limiterWords))}.`,
    numbers: { candidates: alike.length },
  };
}
