// The answer of weir identify: how the server limits, or what was seen and which behaviours are closest.
import { durationWords } from "../../kit/units.ts";
import { countText, plural, thousands } from "../../kit/reading/legible.ts";
import type { Answer, AnswerSentence } from "../../lab/report/answer.ts";
import { ASPECTS } from "../../studies/identify/counted-by.ts";
import { isPaced, type BehaviourName } from "../../studies/identify/behaviour.ts";
import { BLOCKED } from "../../studies/identify/first-findings.ts";
import { NOTHING_FITS } from "../../studies/identify/identify.ts";
import { NOT_CONFIRMED, NUMBERS_OPEN } from "../../studies/identify/naming.ts";
import { INTERRUPTED, NO_REQUESTS, NO_TIME } from "../../studies/identify/prober.ts";
import { roundestBetween } from "../../studies/identify/round-numbers.ts";
import type { IdentifiedBehaviour, UnansweredIdentify } from "../../studies/identify/result.ts";
import { limiterWords, listWords, namesWords, sentenceCase } from "./words.ts";

type Facts = UnansweredIdentify;

export function answerIdentify(facts: Facts): Answer {
  const { identified } = facts;
  const sentences =
    identified === null
      ? [
          likelySentence(facts) ?? openBeginSentence(facts) ?? evidenceSentence(facts),
          busySentence(facts),
          closestSentence(facts),
          deciderSentence(facts) ?? remainingSentence(facts),
          nextSentence(facts),
        ]
      : [
          behaviourSentence(identified, facts),
          algorithmsSentence(identified),
          alikeSentence(facts),
          waitSentence(facts),
          headerSentence(identified, facts),
          profileSentence(identified),
        ];
  return sentences.flatMap((sentence) => sentence ?? []);
}

/** "5 per 2 s": documents have durations as scenarios write them. */
const numberWords = (numbers: string): string =>
  numbers.replaceAll(/(?<=\d)(?=(?:us|ms|s)\b)/g, " ");

function behaviourSentence(
  { title, numbers, capacity, spanUs }: IdentifiedBehaviour,
  { countedBy }: Facts,
): AnswerSentence {
  const aspects = ASPECTS.filter((aspect) => countedBy[aspect] === true);
  const each = aspects.length === 0 ? "" : `, for each ${listWords(aspects)}`;
  return {
    id: "behaviour",
    text: `It is ${title}: ${numberWords(numbers)}${each}.`,
    numbers: { capacity, spanUs },
  };
}

function alikeSentence({ alike }: Facts): AnswerSentence | null {
  if (alike.length === 0) return null;
  const titles = [...new Set(alike.map(({ title }) => title))];
  return {
    id: "alike",
    text: `It may as well be ${titles.join(", or ")}: nothing that was sent shows the difference.`,
    numbers: { alike: alike.length },
  };
}

/** Whether clients may wait as Retry-After advises. */
function waitSentence({ announced }: Facts): AnswerSentence | null {
  if (announced === null || announced.refusals === 0) return null;
  const { refusals, waits, comparedWaits, tooShort, tooLong } = announced;
  const wrong = [
    ...(tooShort === 0 ? [] : [`too short in ${tooShort}`]),
    ...(tooLong === 0 ? [] : [`more than a second too long in ${tooLong}`]),
  ];
  const of = `of ${refusals} ${plural(refusals, "refusal")}`;
  const text =
    waits === 0
      ? `None ${of} has Retry-After: clients have to guess when to come back`
      : wrong.length === 0
        ? comparedWaits === 0
          ? `Retry-After is in ${waits} ${of}`
          : `Retry-After is right in ${comparedWaits} ${of}`
        : `Retry-After is in ${waits} ${of}, and ${listWords(wrong)}`;
  const rest = waits - comparedWaits;
  const unknown =
    rest === 0
      ? ""
      : comparedWaits === 0
        ? "; none could be compared"
        : `; ${rest} could not be compared`;
  return {
    id: "wait",
    text: `${text}${unknown}.`,
    numbers: { refusals, waits, comparedWaits, tooShort, tooLong },
  };
}

/** Headers that state something else than was observed. */
function headerSentence(
  { capacity }: IdentifiedBehaviour,
  { announced }: Facts,
): AnswerSentence | null {
  if (announced === null) return null;
  const { limits, remaining, reset } = announced;
  const wrong = [
    ...(limits.length === 0 || limits.includes(capacity)
      ? []
      : [`Limit is ${limits.join(" or ")}, and ${capacity} are admitted at once`]),
    ...(remaining.untrue === 0
      ? []
      : [`Remaining is wrong in ${remaining.untrue} of ${remaining.compared} responses`]),
    ...(reset.untrue === 0
      ? []
      : [`Reset is wrong in ${reset.untrue} of ${reset.compared} responses`]),
  ];
  return wrong.length === 0
    ? null
    : {
        id: "headers",
        text: `${wrong.join("; ")}.`,
        numbers: { capacity, remainingUntrue: remaining.untrue, resetUntrue: reset.untrue },
      };
}

function profileSentence({ profiles }: IdentifiedBehaviour): AnswerSentence | null {
  return profiles.length === 0
    ? null
    : {
        id: "profiles",
        text: `It behaves as ${namesWords(profiles)}.`,
        numbers: { profiles: profiles.length },
      };
}

/** An idle machine sends within two milliseconds. */
const BUSY_US = 20_000;

/** Reasons for which the behaviour that is left stays likely. */
const UNCONFIRMED: readonly string[] = [
  NO_TIME,
  NO_REQUESTS,
  INTERRUPTED,
  NOT_CONFIRMED,
  NUMBERS_OPEN,
];

/** If one limit is left: what it probably is. Null: there is none, or several that differ in more than a detail. */
function likelySentence(facts: Facts): AnswerSentence | null {
  const { left, why } = facts;
  const [first] = left;
  if (first === undefined || !left.every((each) => isAlike(each, first))) return null;
  if (!UNCONFIRMED.includes(why) && !why.startsWith(BLOCKED)) return null;
  return {
    id: "likely",
    text: `Probably ${probableWords(first)}, not confirmed: ${shortWords(facts)}.`,
    numbers: { capacity: first.capacity, spanUs: first.spanUs },
  };
}

const ALMOST = 0.1;

const isAlike = (a: IdentifiedBehaviour, b: IdentifiedBehaviour): boolean =>
  a.algorithms[0] === b.algorithms[0] &&
  a.capacity === b.capacity &&
  Math.abs(a.spanUs / b.spanUs - 1) < ALMOST;

/** The behaviours that are fixed windows and nothing else. */
const FIXED_WINDOWS: ReadonlySet<string> = new Set<BehaviourName>([
  "window",
  "clock_window",
  "key_window",
  "shifted_window",
]);

/** Whether those that are left are fixed windows of one size, of which only the begin is open. */
function isBeginOpen({ left }: Facts): boolean {
  const [first] = left;
  return (
    first !== undefined &&
    new Set(left.map(({ behaviour }) => behaviour)).size > 1 &&
    left.every(
      (each) =>
        FIXED_WINDOWS.has(each.behaviour) &&
        each.second === null &&
        each.pauseUs === null &&
        isAlike(each, first),
    )
  );
}

/** If all but the begin of a fixed window is known; null: more is open. */
function openBeginSentence(facts: Facts): AnswerSentence | null {
  const [first] = facts.left;
  if (first === undefined || !isBeginOpen(facts)) return null;
  const { capacity, spanUs } = first;
  return {
    id: "open-begin",
    text: `By what was sent it is a fixed window of ${aboutWords(first)} that admits ${thousands(capacity)}, its begin undecided: ${shortWords(facts)}.`,
    numbers: { capacity, spanUs },
  };
}

/** What to send if only the begin of windows is open; null: more is open. */
function deciderSentence(facts: Facts): AnswerSentence | null {
  const { left } = facts;
  const [first] = left;
  if (first === undefined || !isBeginOpen(facts)) return null;
  const begins = [...new Set(left.map(({ windowsBegin }) => windowsBegin ?? "unknown"))];
  const time = aboutWords(first);
  return {
    id: "decider",
    text: `Windows may begin ${begins.join(", or ")}. To decide it, wait for more than two windows of ${time}, use up the limit, and repeat a request: one that is admitted earlier than ${time} after the first one shows a window that did not begin with it.`,
    numbers: { left: left.length },
  };
}

/** Such as "10 per about 3 s in fixed windows", or "5 at once and one more every 400 ms by a token bucket". */
function probableWords(behaviour: IdentifiedBehaviour): string {
  const { algorithms, title, numbers, second, pauseUs, capacity } = behaviour;
  const [algorithm] = algorithms;
  if (algorithm === undefined || second !== null || pauseUs !== null)
    return `${numberWords(numbers)}, as ${title}`;
  const kind =
    algorithm === "fixed_window" ? "in fixed windows" : `by ${algorithmWords(algorithm)}`;
  const every = aboutWords(behaviour);
  if (!isPaced({ name: behaviour.behaviour as BehaviourName }))
    return `${thousands(capacity)} per ${every} ${kind}`;
  return `${capacity === 1 ? "one" : `${thousands(capacity)} at once and one more`} every ${every} ${kind}`;
}

/** The roundest span within the bounds. */
function aboutWords({ behaviour, capacity, spanUs, rangeUs }: IdentifiedBehaviour): string {
  if (rangeUs === null) return durationWords(spanUs);
  const shape = { name: behaviour as BehaviourName, capacity };
  const us = roundestBetween(shape, ...rangeUs) ?? spanUs;
  return `about ${durationWords(Number(us.toPrecision(2)))}`;
}

/** The cap that was too small, or why else nothing is confirmed. */
function shortWords({ why, left, requests, seconds, lateUs }: Facts): string {
  const time = `${thousands(Math.round(seconds))} s`;
  if (why === NO_TIME || (left.length > 0 && why.startsWith(BLOCKED)))
    return `${time} were too short`;
  if (why === NO_REQUESTS) return `${countText(requests, "request")} were too few`;
  if (why === NOT_CONFIRMED) return `${countText(requests, "request")} in ${time} were too few`;
  if (why === NOTHING_FITS && lateUs >= BUSY_US)
    return "no known behaviour fits, perhaps because this machine was too busy";
  return why;
}

/** What the first requests showed, and why no behaviour is named. */
function evidenceSentence(facts: Facts): AnswerSentence {
  const [first = ""] = facts.seen.split("; then ");
  const why = shortWords(facts);
  return {
    id: "seen",
    text: first === "" ? `Undecided: ${why}.` : `Undecided: ${first}; ${why}.`,
    numbers: { requests: facts.requests },
  };
}

/** Late requests of this machine: the times of all others are as inexact. */
function busySentence({ lateUs }: Facts): AnswerSentence | null {
  if (lateUs < BUSY_US) return null;
  return {
    id: "busy",
    text: `This machine was too busy for exact times: one request in ten was sent more than ${Math.round(lateUs / 1_000)} ms late. Repeat it while nothing else runs.`,
    numbers: { lateUs },
  };
}

function closestSentence({ closest }: Facts): AnswerSentence | null {
  const [first, second] = closest;
  if (first === undefined) return null;
  const text = `Closest is ${first.title}, ${numberWords(first.numbers)}: it differs in ${first.differing} of ${first.compared} responses`;
  return {
    id: "closest",
    text: `${text}${second === undefined ? "" : `; then ${second.title}, ${numberWords(second.numbers)}, in ${second.differing}`}.`,
    numbers: { differing: first.differing, compared: first.compared },
  };
}

function remainingSentence({ left }: Facts): AnswerSentence | null {
  if (left.length === 0) return null;
  const [only] = left;
  return {
    id: "left",
    text:
      left.length === 1
        ? `The only known behaviour that still fits is ${only!.title}, ${numberWords(only!.numbers)}.`
        : `Of the known behaviours ${left.length} still fit: ${namesWords([...new Set(left.map(({ title }) => title))])}.`,
    numbers: { left: left.length },
  };
}

/** Where the evidence is, and whether larger caps may help: not if no known behaviour is left. */
function nextSentence({ left, why, saved }: Facts): AnswerSentence | null {
  const isCapped = left.length > 0 || [NO_TIME, NO_REQUESTS, INTERRUPTED].includes(why);
  const parts = [
    ...(saved === null ? [] : [`${saved} has what was sent and admitted, as a scenario`]),
    ...(isCapped ? ["larger caps (--requests, --max-duration) may decide it"] : []),
  ];
  return parts.length === 0
    ? null
    : {
        id: "next",
        text: `${saved === null ? sentenceCase(parts.join("; ")) : parts.join("; ")}.`,
        numbers: { left: left.length },
      };
}

/** Which of Weir's algorithms decide in that way; null: none does. */
function algorithmsSentence({ algorithms }: IdentifiedBehaviour): AnswerSentence | null {
  if (algorithms.length === 0) return null;
  const names = algorithms.map(algorithmWords);
  return {
    id: "algorithms",
    text: `Of Weir's algorithms ${listWords(names)} ${plural(names.length, "decides", "decide")} in that way.`,
    numbers: { algorithms: names.length },
  };
}

/** "a leaky bucket without a queue" for a name with words after it. */
function algorithmWords(name: string): string {
  const [algorithm = "", ...others] = name.split(" ");
  return [limiterWords({ algorithm, profile: null }), ...others].join(" ");
}
