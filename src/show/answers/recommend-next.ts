// What to do after weir recommend: look at the log again if it may not be whole, and write the limit down.
import { perWords, rateWords } from "../../kit/reading/periods.ts";
import { countText, percent, thousands } from "../../kit/reading/legible.ts";
import type { AnswerSentence } from "../../lab/report/answer.ts";
import type {
  RecommendationAdvice,
  UnansweredRecommendation,
} from "../../studies/recommend/result.ts";
import { isOneBudget } from "../../studies/recommend/text.ts";
import { SERVE } from "../../studies/recommend/world.ts";
import { namesOf, notBad } from "./recommend-words.ts";
import { countWords, listWords, spanWords } from "./words.ts";

type Facts = UnansweredRecommendation;

const MINUTE_US = 60_000_000;

/** How long the log is, in microseconds. */
const spanOf = ({ firstAt, lastAt }: Pick<Facts, "firstAt" | "lastAt">): number =>
  1000 * (Date.parse(lastAt) - Date.parse(firstAt));

/** Why the log may not have all requests; null: nothing shows it. */
export function coverageSentence({ coverage }: Pick<Facts, "coverage">): AnswerSentence | null {
  const { doubt, requests, minutes, busyMinutes, busyRequests, minuteOfHour } = coverage;
  if (doubt === null) return null;
  const logged = `the log's ${thousands(minutes)} minutes`;
  if (doubt === "same minute of each hour") {
    const { minute, hours, requests: inMinute } = minuteOfHour!;
    return {
      id: "coverage",
      text: `${shareWords(inMinute, requests)} are in ${thousands(hours)} of ${logged}, always minute ${minute} of the hour: ${SAMPLE}`,
      numbers: { minute, busyMinutes: hours, minutes, busyRequests: inMinute, requests },
    };
  }
  if (doubt === "few minutes")
    return {
      id: "coverage",
      text: `${shareWords(busyRequests, requests)} are in ${thousands(busyMinutes)} of ${logged}: ${SAMPLE}`,
      numbers: { busyMinutes, minutes, busyRequests, requests },
    };
  const gapUs = coverage.longestGapMinutes * MINUTE_US;
  return {
    id: "coverage",
    text: `The log has no request for ${spanWords(gapUs)} of its ${spanWords(minutes * MINUTE_US)}: if a file is missing, search again with it.`,
    numbers: { gapMinutes: coverage.longestGapMinutes, minutes },
  };
}

const SAMPLE = "if it is a sample, search again with a whole log.";

const shareWords = (count: number, requests: number): string =>
  count === requests
    ? `All ${countText(requests, "request")}`
    : `${percent(count / requests)} of the requests`;

/** A day less than a week: a week of logs ends before midnight, or on another day. */
const WEEK_US = 6 * 86_400_000_000;

export function againSentence(facts: Facts): AnswerSentence {
  const us = spanOf(facts);
  return {
    id: "again",
    text:
      us < WEEK_US
        ? `The log covers ${spanWords(us)}: search again with a week of logs before the limit is enforced.`
        : `The log covers ${spanWords(us)}: search again after as long, or when a client grows.`,
    numbers: { us },
  };
}

const HOUR_US = 60 * MINUTE_US;

/** A doubt that leaves little of the limit, because the log may not show the traffic; null: there is none. */
export const emptyingSentence = (facts: Facts): AnswerSentence | null =>
  coverageSentence(facts) ?? (spanOf(facts) < HOUR_US ? againSentence(facts) : null);

/** What several limits refuse together, of the outliers apart; null: there is one limit. */
export function togetherSentence(facts: Facts): AnswerSentence | null {
  const { together, advice } = facts;
  if (together === null) return null;
  const { refusedOfOthers, requests, mostAlone, isMet } = together;
  const limits = advice.length;
  const lead = isMet
    ? `You can ship ${limits === 2 ? "both" : `all ${limits}`} limits`
    : `Ship one of these ${limits} limits, not all`;
  const outliers = namesApart(advice);
  const lost = together.refused - refusedOfOthers;
  const sent = facts.requests - requests;
  const all = countText(requests, "request");
  const refused =
    outliers === null
      ? `${countWords(refusedOfOthers)} of the ${all}${notBad(facts)}`
      : `${countWords(lost)} of the ${countText(sent, "request")} of ${outliers}${notBad(facts)}, and ${countWords(refusedOfOthers)} of the ${thousands(requests)} of the others`;
  const clients =
    refusedOfOthers === 0 || isOneBudget(facts)
      ? ""
      : ` (${thousands(together.refusedOtherClients)} of ${countText(together.otherClients, "client")})`;
  const more = refusedOfOthers - mostAlone;
  const compared =
    refusedOfOthers === 0
      ? ""
      : more === 0
        ? ", as many as the strictest alone"
        : `, ${thousands(Math.abs(more))} ${more > 0 ? "more" : "fewer"} than the strictest alone`;
  return {
    id: "together",
    text: `${lead}: together they refuse ${refused}${clients}${compared}${isMet ? "" : ", which breaks the promise"}.`,
    numbers: {
      limits,
      lost,
      sent,
      refused: refusedOfOthers,
      requests,
      mostAlone,
      refusedClients: together.refusedOtherClients,
    },
  };
}

/** The clients that are outliers of a window; null: there are none. */
function namesApart(advice: Facts["advice"]): string | null {
  const names = new Set(
    advice.flatMap(({ outliers }) => outliers?.clients.map(({ client }) => client) ?? []),
  );
  return names.size === 0 ? null : namesOf({ clients: [...names].map((client) => ({ client })) });
}

/** The windows that the log does not cover. */
export function tooLongSentence({ tooLong, ...facts }: Facts): AnswerSentence | null {
  if (tooLong.length === 0) return null;
  const us = spanOf(facts);
  return {
    id: "too-long",
    text: `There is no recommendation per ${listWords(tooLong.map(perWords))}: the log covers ${spanWords(us)}, and does not show what clients need in a longer time.`,
    numbers: { us, windows: tooLong.length },
  };
}

/** How the limit is written down; null: nothing can have it, or the files have it. */
export function shipSentence(
  { outliers, candidate, perUs }: RecommendationAdvice,
  { files, candidates, canShipTo, advice }: Facts,
): AnswerSentence | null {
  const { rate } = candidates[candidate]!;
  if (files.length > 0) {
    const isWritten = files.some((each) => each.file === "world.yaml" && each.isWritten);
    return outliers === null || rate === null || !isWritten
      ? null
      : {
          id: "ship",
          text: `The files have the limit for all clients, ${rateWords(rate, perUs)}; --without-outliers writes those of the lower limit.`,
          numbers: { rate, perUs },
        };
  }
  if (canShipTo.length === 0) return null;
  const flags = outliers === null ? "--out FOLDER" : "--out FOLDER --without-outliers";
  const programs = canShipTo.filter((name) => name !== SERVE);
  const others = programs.length === 0 ? "" : `, and --to for ${listWords(programs)}`;
  return {
    id: "ship",
    text: `The same command with ${flags} writes ${advice.length > 1 ? "the first limit" : "it"} down for weir serve${others}.`,
    numbers: { programs: programs.length },
  };
}
