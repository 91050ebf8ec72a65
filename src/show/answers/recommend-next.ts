// What to do after weir recommend: look at the log again if it may not be whole, and write the limit down.
import { perWords, rateWords } from "../../kit/reading/periods.ts";
import { countText, percent, plural, thousands } from "../../kit/reading/legible.ts";
import type { AnswerSentence } from "../../lab/report/answer.ts";
import { longestShownUs } from "../../studies/recommend/coverage.ts";
import type { UnansweredRecommendation } from "../../studies/recommend/result.ts";
import { SERVE } from "../../studies/recommend/world.ts";
import { hasPlacedRate, limitsToShip } from "./recommend-words.ts";
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

/** Which programs of --to do not keep the target, or may not; null: all keep it. */
export function translationSentence({ files }: Pick<Facts, "files">): AnswerSentence | null {
  const named = files.flatMap(({ translation, isWritten }) =>
    translation === null ? [] : { ...translation, isWritten },
  );
  const written = named.filter(({ isWritten }) => isWritten);
  const missed = written.flatMap(({ to, effect }) =>
    effect === null || effect.isMet ? [] : { to, ...effect },
  );
  const dropping = written.filter(({ mostClients }) => mostClients !== null);
  const parts = [
    ...partOf(missed, (names, [only, ...others]) =>
      others.length > 0
        ? `${names} miss the target`
        : `${names} misses the target: it refuses ${thousands(only.refused)} of ${countText(only.requests, "request")}`,
    ),
    ...partOf(
      dropping,
      (names, [{ mostClients }, ...others]) =>
        `${names} ${others.length > 0 ? "limit" : "limits"} ${thousands(mostClients!)} clients at once`,
    ),
    ...partOf(
      written.filter(({ hasAll }) => !hasAll),
      (names, { length }) => `${names} ${plural(length, "lacks", "lack")} a limit`,
    ),
    ...partOf(
      named.filter(({ isWritten }) => !isWritten),
      (names, { length }) => `${names} ${plural(length, "is", "are")} not written`,
    ),
  ];
  return parts.length === 0
    ? null
    : {
        id: "translation",
        text: `Of --to, ${parts.join("; ")}.`,
        numbers: { programs: named.length, missed: missed.length },
      };
}

function partOf<Each extends { readonly to: string }>(
  some: readonly Each[],
  words: (names: string, some: readonly [Each, ...Each[]]) => string,
): readonly string[] {
  const [first, ...others] = some;
  return first === undefined
    ? []
    : [words(listWords(some.map(({ to }) => to)), [first, ...others])];
}

const hasWorld = ({ files }: Pick<Facts, "files">): boolean =>
  files.some((each) => /^world\b/.test(each.file) && each.isWritten);

/** Whose limits the files have; null: there are no outliers, or no file. */
function filesSentence(facts: Facts): AnswerSentence | null {
  const raised = limitsToShip(facts).flatMap(({ outliers, candidate, perUs }) =>
    outliers === null ? [] : [rateWords(facts.candidates[candidate]!.rate!, perUs)],
  );
  return !hasWorld(facts) || raised.length === 0
    ? null
    : {
        id: "files",
        text: `The files have ${facts.ship.length === 1 ? "this limit" : "these limits"}, not ${listWords(raised)} for all clients: --with-outliers writes ${raised.length === 1 ? "that" : "those"}.`,
        numbers: { raised: raised.length },
      };
}

/** For which times within a second the files have limits; null: there is no difference, or no file. */
export function timingSentence(facts: Facts): AnswerSentence | null {
  const placed = limitsToShip(facts).filter((each) => hasPlacedRate(each, facts));
  if (!hasWorld(facts) || placed.length === 0) return null;
  const own = listWords(placed.map(({ rate, perUs }) => rateWords(rate, perUs)));
  const rates = placed.flatMap(({ placedRate }) => (placedRate === null ? [] : [placedRate]));
  const other =
    rates.length < placed.length
      ? "for some other times no limit is enough"
      : `write ${listWords(rates.map(thousands))} for any timing`;
  return {
    id: "timing",
    text: `The files have ${own}, for requests spread evenly in a second; ${other}.`,
    numbers: { limits: placed.length },
  };
}

/** How the limits are written down; null: nothing can have them, or the files have them. */
export function shipSentence(facts: Facts): AnswerSentence | null {
  const { files, canShipTo, advice, ship } = facts;
  if (files.length > 0) return filesSentence(facts);
  if (canShipTo.length === 0) return null;
  const isOne = ship.length === 1;
  const programs = canShipTo.filter((name) => name !== SERVE);
  const others = programs.length === 0 ? "" : `, and --to for ${listWords(programs)}`;
  const what = isOne ? (advice.length > 1 ? "this limit" : "it") : "these limits";
  return {
    id: "ship",
    text: `The same command with --out FOLDER writes ${what} down for weir serve${isOne ? "" : ", one in each file"}${others}.`,
    numbers: { programs: programs.length },
  };
}
