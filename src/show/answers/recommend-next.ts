// What to do after weir recommend: look at the log again if it may not be whole, and write the limit down.
import { perWords, rateWords } from "../../kit/reading/periods.ts";
import { countText, percent, thousands } from "../../kit/reading/legible.ts";
import type { AnswerSentence } from "../../lab/report/answer.ts";
import { longestShownUs } from "../../studies/recommend/coverage.ts";
import type { UnansweredRecommendation } from "../../studies/recommend/result.ts";
import { SERVE } from "../../studies/recommend/world.ts";
import { limitsToShip } from "./recommend-words.ts";
import { listWords, spanWords } from "./words.ts";

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

/** The windows that the log does not cover. */
export function tooLongSentence({ tooLong, ...facts }: Facts): AnswerSentence | null {
  if (tooLong.length === 0) return null;
  const us = spanOf(facts);
  return {
    id: "too-long",
    text: `There is no recommendation per ${listWords(tooLong.map(perWords))}: the log ${longestShownUs(facts.coverage) <= MINUTE_US ? "has most requests in single minutes" : `covers ${spanWords(us)}`}, and does not show what clients need in a longer time.`,
    numbers: { us, windows: tooLong.length },
  };
}

/** How the limits are written down; null: nothing can have them, or the files have them. */
export function shipSentence(facts: Facts): AnswerSentence | null {
  const { files, candidates, canShipTo, advice, ship } = facts;
  const isOne = ship.length === 1;
  if (files.length > 0) {
    const isWritten = files.some((each) => /^world\b/.test(each.file) && each.isWritten);
    const raised = limitsToShip(facts).flatMap(({ outliers, candidate, perUs }) =>
      outliers === null ? [] : [rateWords(candidates[candidate]!.rate!, perUs)],
    );
    return !isWritten || raised.length === 0
      ? null
      : {
          id: "files",
          text: `The files have ${isOne ? "this limit" : "these limits"}, not ${listWords(raised)} for all clients: --with-outliers writes ${raised.length === 1 ? "that" : "those"}.`,
          numbers: { raised: raised.length },
        };
  }
  if (canShipTo.length === 0) return null;
  const programs = canShipTo.filter((name) => name !== SERVE);
  const others = programs.length === 0 ? "" : `, and --to for ${listWords(programs)}`;
  const what = isOne ? (advice.length > 1 ? "this limit" : "it") : "these limits";
  return {
    id: "ship",
    text: `The same command with --out FOLDER writes ${what} down for weir serve${isOne ? "" : ", one in each file"}${others}.`,
    numbers: { programs: programs.length },
  };
}
