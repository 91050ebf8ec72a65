// The answer of weir worst --config: the limit that a sender can exceed most, and what is not searched.
import { cut, oneLine, plural, thousands } from "../../kit/reading/legible.ts";
import { perWords, rateWords } from "../../kit/reading/periods.ts";
import type { Answer, AnswerSentence } from "../../lab/report/answer.ts";
import type { WorstLimit, WorstOfFile } from "../../studies/diff/worst-of-file.ts";
import { clientWords } from "./words.ts";

type Facts = Omit<WorstOfFile, "answer">;

export const answerWorstOfFile = (facts: Facts): Answer =>
  [mostSentence(facts), instancesSentence(facts), openSentence(facts)].flatMap(
    (sentence) => sentence ?? [],
  );

const timesOf = ({ most, rate }: WorstLimit): number => (most ?? 0) / rate;

/** The limit that a sender exceeds most. */
const worstOf = ({ limits }: Facts): WorstLimit | undefined =>
  limits.filter(({ most }) => most !== null).toSorted((a, b) => timesOf(b) - timesOf(a))[0];

function mostSentence(facts: Facts): AnswerSentence {
  const worst = worstOf(facts);
  if (worst === undefined)
    return {
      id: "worst",
      text: `${clientWords(facts.name)} has no limit that was searched.`,
      numbers: { limits: 0 },
    };
  const { written, rule, rate, perUs, most } = worst;
  return {
    id: "worst",
    text: `At worst a sender gets ${thousands(most!)} requests in any ${perWords(perUs)} through ${cut(oneLine(written))} of ${cut(oneLine(rule))}, which is ${rateWords(rate, perUs)} on average.`,
    numbers: { most: most!, rate, perUs },
  };
}

function instancesSentence(facts: Facts): AnswerSentence | null {
  const instances = worstOf(facts)?.instances ?? 1;
  return instances === 1
    ? null
    : {
        id: "instances",
        text: `That is on ${thousands(instances)} instances that count apart, which the sender reaches by turns.`,
        numbers: { instances },
      };
}

function openSentence({ limits }: Facts): AnswerSentence | null {
  const open = limits.filter(({ most }) => most === null).length;
  return open === 0
    ? null
    : {
        id: "open",
        text: `${thousands(open)} ${plural(open, "limit is", "limits are")} too large to search.`,
        numbers: { open },
      };
}
