// The answer of weir diff: who would lose requests by the new configuration, who would gain, and what may be wrong.
import { plural } from "../../kit/reading/legible.ts";
import type { Answer, AnswerSentence } from "../../lab/report/answer.ts";
import { percent, thousands } from "../../studies/replay/table.ts";
import type { UnansweredDiff } from "../../studies/diff/result.ts";
import { clientWords, listWords } from "./words.ts";

export const answerDiff = (facts: UnansweredDiff): Answer =>
  [changeSentence(facts), totalSentence(facts), placeSentence(facts), doubtSentence(facts)].flatMap(
    (sentence) => sentence ?? [],
  );

const MOST_NAMED = 3;

function changeSentence(facts: UnansweredDiff): AnswerSentence {
  const { requests, losers, gainers, lost, gained, changedClients } = facts;
  const numbers = { requests, losers, gainers, lost, gained };
  if (losers + gainers === 0)
    return {
      id: "change",
      text: `Nothing changes: both decide all ${thousands(requests)} requests of the log alike.`,
      numbers,
    };
  const named = changedClients.slice(0, MOST_NAMED).filter((row) => row.lost > 0);
  const losses =
    losers === 0
      ? "No client loses a request"
      : losers <= MOST_NAMED
        ? `${thousands(losers)} ${plural(losers, "client")} would lose ${listWords(named.map((row) => percent(row.lost / row.requests)))} of ${plural(losers, "its", "their")} requests: ${listWords(named.map(({ name }) => clientWords(name)))}`
        : `${thousands(losers)} clients would lose ${thousands(lost)} requests, most of all ${clientWords(named[0]!.name)} (${percent(named[0]!.lost / named[0]!.requests)} of its own)`;
  const gains =
    gainers === 0
      ? "none gains one"
      : `${thousands(gainers)} ${plural(gainers, "gains", "gain")} ${thousands(gained)}`;
  return { id: "change", text: `${losses}; ${gains}.`, numbers };
}

function totalSentence({
  requests,
  refusedBefore,
  refusedAfter,
}: UnansweredDiff): AnswerSentence | null {
  if (requests === 0) return null;
  return {
    id: "total",
    text: `Of ${thousands(requests)} requests ${thousands(refusedBefore)} are refused before (${percent(refusedBefore / requests)}) and ${thousands(refusedAfter)} after (${percent(refusedAfter / requests)}).`,
    numbers: { requests, refusedBefore, refusedAfter },
  };
}

function placeSentence({ lost, changedEndpoints }: UnansweredDiff): AnswerSentence | null {
  const [first] = changedEndpoints;
  if (first === undefined || first.lost === 0) return null;
  return {
    id: "place",
    text: `${first.lost === lost ? "All" : thousands(first.lost)} of the ${thousands(lost)} lost requests ${first.lost === 1 ? "is" : "are"} ${clientWords(first.name)}.`,
    numbers: { lost, lostThere: first.lost },
  };
}

/** What the files have that the decisions do not reflect. */
function doubtSentence({ before, after }: UnansweredDiff): AnswerSentence | null {
  const open = before.open.length + after.open.length;
  const questions = new Set(
    [...before.questions, ...after.questions].flatMap(({ name, isSet }) => (isSet ? [] : name)),
  ).size;
  if (open + questions === 0) return null;
  const parts = [
    ...(open === 0
      ? []
      : [
          `${thousands(open)} ${plural(open, "statement")} ${plural(open, "was", "were")} not understood`,
        ]),
    ...(questions === 0
      ? []
      : [
          `${thousands(questions)} ${plural(questions, "variable")} ${plural(questions, "has", "have")} values that only production knows`,
        ]),
  ];
  return {
    id: "doubt",
    text: `This may be wrong: ${listWords(parts)}; both are listed below.`,
    numbers: { open, questions },
  };
}
