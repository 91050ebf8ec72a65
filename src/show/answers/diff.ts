// The answer of weir diff: who would lose requests by the new configuration, who would gain, and what may be wrong.
import { countText, cut, oneLine, percent, plural, thousands } from "../../kit/reading/legible.ts";
import { rateWords } from "../../kit/reading/periods.ts";
import type { Answer, AnswerSentence } from "../../lab/report/answer.ts";
import { lossOf, type DiffRow, type UnansweredDiff } from "../../studies/diff/result.ts";
import {
  doubtSentence,
  fleetSentences,
  idleSentence,
  nothingSentence,
  type RequestSource,
} from "./configuration-words.ts";
import { effectSentences } from "./diff-effects.ts";
import {
  clientWords,
  limiterWords,
  listWords,
  MOST_NAMED,
  namesWords,
  sentenceCase,
} from "./words.ts";

export function answerDiff(facts: UnansweredDiff): Answer {
  const { before, after } = facts;
  return [
    changeSentence(facts),
    limiterSentence(facts),
    idleSides(facts),
    isDoubtful(facts) ? doubtSentence([before, after]) : null,
    totalSentence(facts),
    exchangeSentence(facts),
    placeSentence(facts),
    causeSentence(facts),
    ...effectSentences(facts),
    timesSentence(facts),
    trafficSentence(facts),
    ...fleetSentences([
      { name: "before", side: before },
      { name: "after", side: after },
    ]),
    facts.requests === 0 ? null : idleSentence([before, after], sourceOf(facts)),
    isDoubtful(facts) ? null : doubtSentence([before, after]),
  ].flatMap((sentence) => sentence ?? []);
}

function changeSentence(facts: UnansweredDiff): AnswerSentence {
  const { requests, losers, gainers, lost, gained, changedClients } = facts;
  const { lostOnBalance, gainedOnBalance } = facts;
  const numbers = { requests, losers, gainers, lostOnBalance, gainedOnBalance };
  if (requests === 0)
    return { id: "change", text: `The ${sourceOf(facts)} has no request to decide.`, numbers };
  if (lost + gained === 0)
    return {
      id: "change",
      text: `Nothing changes: both decide all ${thousands(requests)} requests of the ${sourceOf(facts)} alike.`,
      numbers,
    };
  if (losers + gainers === 0)
    return {
      id: "change",
      text: `No client would be refused more or less: ${countText(lost, "other request")} ${plural(lost, "is", "are")} refused, and as many pass instead.`,
      numbers,
    };
  const named = changedClients.slice(0, losers).slice(0, MOST_NAMED);
  const losses =
    losers === 0
      ? "No client would be refused more"
      : losers <= MOST_NAMED && named.length === losers
        ? `${countText(losers, "client")} would lose ${listWords(named.map(shareLost))} of ${plural(losers, "its", "their")} requests: ${listWords(named.map(({ name }) => clientWords(name)))}`
        : `${countText(losers, "client")} would lose ${countText(lostOnBalance, "request")}${named[0] === undefined ? "" : `, most of all ${clientWords(named[0].name)} (${shareLost(named[0])} of its own)`}`;
  const gains =
    gainers === 0
      ? "none would gain one"
      : `${thousands(gainers)} would gain ${losers === 0 ? countText(gainedOnBalance, "request") : thousands(gainedOnBalance)}`;
  return { id: "change", text: `${losses}; ${gains}.`, numbers };
}

/** Whether a side that counts requests has a statement that is not understood: the first sentence may be wrong. */
const isDoubtful = ({ before, after }: UnansweredDiff): boolean =>
  [before, after].some(
    ({ open, rules }) => open.length > 0 && rules.some(({ counted }) => counted > 0),
  );

/** The limiters in words, where one was typed: its algorithm may be the usual one, which the command does not name. */
function limiterSentence({ requests, before, after }: UnansweredDiff): AnswerSentence | null {
  if (requests === 0 || (before.limiter === undefined && after.limiter === undefined)) return null;
  return {
    id: "limiters",
    text: `The change is from ${sideWords(before)} to ${sideWords(after)}`.replace(/,?$/, "."),
    numbers: {},
  };
}

function sideWords({ name, limiter }: UnansweredDiff["before"]): string {
  if (limiter === undefined) return clientWords(name);
  const counts = limiter.algorithm === "sliding_log" ? ", which counts refusals," : "";
  return `${limiterWords(limiter)} of ${rateWords(limiter.rate, limiter.perUs)}${counts}`;
}

/** The sides that limit none of the requests. */
function idleSides(facts: UnansweredDiff): AnswerSentence | null {
  const { requests, before, after } = facts;
  const sides = [
    { name: "the old configuration", side: before },
    { name: "the new configuration", side: after },
  ];
  const sentence = nothingSentence(sides, sourceOf(facts));
  if (requests === 0 || sentence === null) return null;
  return { ...sentence, text: sentenceCase(sentence.text) };
}

const shareLost = (row: DiffRow): string => percent(lossOf(row) / row.requests);

/** Requests that are refused after and not before, while as many of the same clients pass in their place. */
function exchangeSentence(facts: UnansweredDiff): AnswerSentence | null {
  const { losers, gainers, lost, lostOnBalance } = facts;
  const exchanged = lost - lostOnBalance;
  if (exchanged === 0 || losers + gainers === 0) return null;
  return {
    id: "exchanged",
    text: `Another ${countText(exchanged, "request")} ${plural(exchanged, "is", "are")} refused, and as many of the same clients pass in their place.`,
    numbers: { exchanged },
  };
}

function totalSentence({
  requests,
  refusedBefore,
  refusedAfter,
}: UnansweredDiff): AnswerSentence | null {
  if (requests === 0) return null;
  return {
    id: "total",
    text: `Of ${thousands(requests)} requests ${thousands(refusedBefore)} ${plural(refusedBefore, "is", "are")} refused before (${percent(refusedBefore / requests)}) and ${thousands(refusedAfter)} after (${percent(refusedAfter / requests)}).`,
    numbers: { requests, refusedBefore, refusedAfter },
  };
}

/** A place with less of the lost requests explains nothing. */
const LEAST_SHARE_OF_PLACE = 0.1;

function placeSentence(facts: UnansweredDiff): AnswerSentence | null {
  const { lost, losers, changedEndpoints } = facts;
  const [first] = changedEndpoints.toSorted((a, b) => b.lost - a.lost);
  if (first === undefined || losers === 0 || first.lost < LEAST_SHARE_OF_PLACE * lost) return null;
  const numbers = { lost, lostThere: first.lost };
  const name = clientWords(first.name);
  if (lost === 1) return { id: "place", text: `The lost request is ${name}.`, numbers };
  const some =
    first.lost === lost
      ? `All ${thousands(lost)} lost requests are`
      : `${thousands(first.lost)} of the ${thousands(lost)} lost requests ${plural(first.lost, "is", "are")}`;
  return { id: "place", text: `${some} ${name}.`, numbers };
}

/** The statements that differ. */
function causeSentence({ before, lost, gained, changes }: UnansweredDiff): AnswerSentence | null {
  const [first, ...others] = changes;
  if (first === undefined || lost + gained === 0 || before.rules.length === 0) return null;
  const numbers = { changes: changes.length };
  const placeOf = ({ file, line }: DiffChange): string => `${oneLine(file)}:${line}`;
  if (others.length === 0 && first.was === undefined)
    return {
      id: "cause",
      text: `One statement about limits is new: ${cut(oneLine(first.text))} (${placeOf(first)}).`,
      numbers,
    };
  const named = changes.map(
    (each) =>
      `${each.was === undefined ? `${cut(oneLine(each.text))} is new` : wordsOfChange(each.was, each.text)} (${placeOf(each)})`,
  );
  return {
    id: "cause",
    text: `${plural(changes.length, "One statement about limits differs", `${thousands(changes.length)} statements about limits differ`)}: ${namesWords(named, MOST_NAMED)}.`,
    numbers,
  };
}

type DiffChange = UnansweredDiff["changes"][number];

/** "minute: 60 became 30", or of a longer statement its words that differ: "rate=60r/m became rate=30r/m". */
function wordsOfChange(was: string, text: string): string {
  const [old, now] = [was.split(" "), text.split(" ")];
  const differing = [...now.keys()].filter((at) => old[at] !== now[at]);
  const words = (all: readonly string[]): string =>
    cut(oneLine(all.length > 2 ? differing.map((at) => all[at] ?? "").join(" ") : all.join(" ")));
  return `${words(old)} became ${words(now.length === 2 && old[0] === now[0] ? now.slice(1) : now)}`;
}

const sourceOf = ({ traffic }: UnansweredDiff): RequestSource =>
  traffic === undefined ? "log" : "traffic";

/** Requests that are of no log. */
function trafficSentence({ traffic }: UnansweredDiff): AnswerSentence | null {
  if (traffic === undefined) return null;
  const { scenario, withoutKey } = traffic;
  const left =
    withoutKey === 0
      ? ""
      : `; ${countText(withoutKey, "request")} without a key ${plural(withoutKey, "is", "are")} left out`;
  return {
    id: "traffic",
    text: `The requests are ${scenario === null ? "described" : `those of the scenario ${oneLine(scenario)}`}, not logged${left}: a log shows what your clients send.`,
    numbers: { withoutKey },
  };
}

function timesSentence({ timestamps, lost, gained }: UnansweredDiff): AnswerSentence | null {
  if (timestamps !== "whole seconds" || lost + gained === 0) return null;
  return {
    id: "times",
    text: "The log has whole seconds: the times within a second are drawn, and --seed draws others.",
    numbers: {},
  };
}
