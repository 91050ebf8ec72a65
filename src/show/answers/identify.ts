// The answer of weir identify: how the server limits, or what was seen and which behaviours are closest.
import { plural } from "../../kit/reading/legible.ts";
import type { Answer, AnswerSentence } from "../../lab/report/answer.ts";
import { ASPECTS } from "../../studies/identify/counted-by.ts";
import { NO_LIMIT } from "../../studies/identify/first-findings.ts";
import { NO_REQUESTS, NO_TIME } from "../../studies/identify/prober.ts";
import type { IdentifiedBehaviour, UnansweredIdentify } from "../../studies/identify/result.ts";
import { limiterWords, listWords, namesWords, sentenceCase } from "./words.ts";

type Facts = UnansweredIdentify;

export function answerIdentify(facts: Facts): Answer {
  const { identified } = facts;
  const sentences =
    identified === null
      ? [
          evidenceSentence(facts),
          closestSentence(facts),
          remainingSentence(facts),
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

/** What the first requests showed, and why no behaviour is named. */
function evidenceSentence({ seen, why, requests }: Facts): AnswerSentence {
  const [first = ""] = seen.split("; then ");
  return {
    id: "seen",
    text: first === "" ? `Undecided: ${why}.` : `Undecided: ${first}; ${why}.`,
    numbers: { requests },
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
        ? `It may be ${only!.title}, ${numberWords(only!.numbers)}: this is the only known behaviour that still fits, and was not confirmed.`
        : `Of the known behaviours ${left.length} still fit: ${namesWords([...new Set(left.map(({ title }) => title))])}.`,
    numbers: { left: left.length },
  };
}

/** Where the evidence is, and whether larger caps may help: not if no known behaviour is left. */
function nextSentence({ left, why, saved }: Facts): AnswerSentence | null {
  const isCapped =
    left.length > 0 || [NO_TIME, NO_REQUESTS].includes(why) || why.startsWith(NO_LIMIT);
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
