// The answer of weir recommend: who sets the limit, why this algorithm and at which price, and what to do next.
import { perWords, rateWords } from "../../kit/reading/periods.ts";
import { countText, exactPercent, percent, plural, thousands } from "../../kit/reading/legible.ts";
import type { Answer, AnswerSentence } from "../../lab/report/answer.ts";
import type {
  RecommendationAdvice,
  UnansweredRecommendation,
} from "../../studies/recommend/result.ts";
import { cutText, intervalText, isOneBudget } from "../../studies/recommend/text.ts";
import { belowClause, namesOf, needOf, promiseOf, pronoun } from "./recommend-words.ts";
import { clientWords, limiterWords, listWords, spanWords } from "./words.ts";

type Facts = UnansweredRecommendation;

export function answerRecommend(facts: Facts): Answer {
  const [advice, ...others] = facts.advice;
  if (advice === undefined)
    return [noLimit(facts), tooLongSentence(facts)].flatMap((sentence) => sentence ?? []);
  return [
    limitSentence(advice, facts),
    lossSentence(advice, facts) ?? omissionSentence(facts),
    priceSentence(advice, facts),
    mostSentence(advice, facts),
    ...others.map((each) => windowSentence(each, facts)),
    tooLongSentence(facts),
    badSentence(advice, facts),
    drawsSentence(advice, facts),
    watchSentence(advice, facts),
    againSentence(facts),
    shipSentence(advice, facts),
  ].flatMap((sentence) => sentence ?? []);
}

function noLimit({ cut: cutSearch, target, ...facts }: Facts): AnswerSentence | null {
  const isLong = facts.candidates.every(({ perUs }) => facts.tooLong.includes(perUs));
  if (isLong && facts.candidates.some(({ rate }) => rate !== null)) return null;
  const { requests, clients } = target;
  const numbers = { requestShare: requests, clientShare: clients };
  const chosen = facts.choice === null ? null : facts.candidates[facts.choice]!;
  if (cutSearch !== null && chosen !== null)
    return {
      id: "interrupted",
      text: `The search was interrupted before the advice, and ${cutText(cutSearch)}: ${rateWords(chosen.rate!, chosen.perUs)} by ${limiterWords(chosen)} meets the target for all clients.`,
      numbers: { rate: chosen.rate!, perUs: chosen.perUs },
    };
  if (cutSearch !== null && cutSearch.searched < cutSearch.of)
    return {
      id: "no-limit",
      text: `No candidate that was searched meets the target: ${cutText(cutSearch)}.`,
      numbers,
    };
  const ofClients = isOneBudget(facts) ? "" : ` and ${exactPercent(clients)} of the clients`;
  return {
    id: "no-limit",
    text: `No candidate meets the target: allow more than ${exactPercent(requests)} of the requests${ofClients}, or choose another --algorithm.`,
    numbers,
  };
}

const subjectOf = (facts: Facts): string =>
  isOneBudget(facts) ? "all clients together" : "each client";

function limitSentence(advice: RecommendationAdvice, facts: Facts): AnswerSentence {
  const { perUs, rate, outliers } = advice;
  const candidate = facts.candidates[advice.candidate]!;
  const limit = `Limit ${subjectOf(facts)} to ${rateWords(rate, perUs)} by ${limiterWords(candidate)}`;
  if (outliers !== null)
    return {
      id: "limit",
      text: `${limit}: ${needOf(outliers, rate, candidate.rate!, promiseOf(candidate, facts))}; ${thousands(rate)} refuses requests of ${thousands(countRefusedClients(advice))} of ${thousands(facts.clients)} clients.`,
      numbers: {
        rate,
        perUs,
        outliers: outliers.clients.length,
        refusedClients: countRefusedClients(advice),
        clients: facts.clients,
        ...(outliers.othersPeak === null ? {} : { othersPeak: outliers.othersPeak }),
        rateWithAll: candidate.rate!,
      },
    };
  const { refused, refusedShare, refusedClients } = candidate;
  const ofClients = isOneBudget(facts)
    ? ""
    : `, of ${thousands(refusedClients)} of ${thousands(facts.clients)} clients`;
  const effect =
    refused === 0
      ? `it refuses none of the ${countText(facts.requests, "request")}${notBad(facts)}`
      : `it refuses ${thousands(refused)} of ${countText(facts.requests, "request")}${notBad(facts)} (${percent(refusedShare)})${ofClients}`;
  return {
    id: "limit",
    text: `${limit}: ${effect}${belowClause(rate, candidate, facts)}.`,
    numbers: { rate, perUs, refused, requests: facts.requests, refusedClients },
  };
}

const countRefusedClients = ({ atRate, candidate }: RecommendationAdvice): number =>
  atRate.find((each) => each.candidate === candidate)!.refusedClients;

/** The target is about requests that are not bad, and numbers of requests are those of them. */
const notBad = ({ badRequests }: Facts): string => (badRequests === 0 ? "" : " that are not bad");

/** What the limit refuses, of the outliers and of the others; null: there are no outliers. */
function lossSentence(
  { outliers, atRate, candidate }: RecommendationAdvice,
  facts: Facts,
): AnswerSentence | null {
  if (outliers === null) return null;
  const { refused } = atRate.find((each) => each.candidate === candidate)!;
  const { target, files } = facts;
  const sent = facts.requests - outliers.requests;
  const lost = refused - outliers.refused;
  const ofOthers =
    outliers.refused === 0
      ? `none of the ${countText(outliers.requests, "request")} of the others`
      : `${thousands(outliers.refused)} of the ${countText(outliers.requests, "request")} of the others (${percent(outliers.refused / outliers.requests)}, with a promise of at most ${exactPercent(target.requests)})`;
  return {
    id: "loss",
    text: `It refuses ${thousands(lost)} of the ${countText(sent, "request")} of ${namesOf(outliers)}${notBad(facts)}, and ${ofOthers}${files.length > 0 ? "" : `; --without-outliers searches and writes files without ${pronoun(outliers)}`}.`,
    numbers: { lost, sent, refused: outliers.refused, requests: outliers.requests },
  };
}

/** The clients of --without-outliers; null: none was left out. */
function omissionSentence({ leftOut }: Facts): AnswerSentence | null {
  if (leftOut.length === 0) return null;
  const sum = (of: (each: Facts["leftOut"][number]) => number): number =>
    leftOut.reduce((total, each) => total + of(each), 0);
  const [sent, refused] = [sum(({ requests }) => requests), sum((each) => each.refused)];
  return {
    id: "left-out",
    text: `Left out: ${namesOf({ clients: leftOut })}, with ${countText(sent, "request")}, of which it refuses ${thousands(refused)}.`,
    numbers: { clients: leftOut.length, sent, refused },
  };
}

/** The price of the chosen algorithm, as requests of this log at the same rate; null: no other candidate is cheaper. */
function priceSentence(
  { perUs, rate, candidate, atRate, refusedUncounted }: RecommendationAdvice,
  { candidates, badRequests }: Facts,
): AnswerSentence | null {
  const at = `${rateWords(rate, perUs)}${badRequests === 0 ? "" : ", bad requests apart,"}`;
  const own = atRate.find((each) => each.candidate === candidate)!.refused;
  const others = atRate.filter((each) => each.candidate !== candidate);
  if (others.length === 0) return null;
  const least = others.reduce((best, each) => (each.refused < best.refused ? each : best));
  const chosen = candidates[candidate]!;
  if (least.refused >= own)
    return {
      id: "price",
      text: `At ${at} ${noCheaper(own, Math.max(...others.map(({ refused }) => refused)))}.`,
      numbers: { rate, perUs, refused: own, leastOther: least.refused },
    };
  const because =
    refusedUncounted !== null && refusedUncounted < own
      ? `, ${thousands(own - refusedUncounted)} of them only because it counts refused requests too`
      : "";
  return {
    id: "price",
    text: `Its price: at ${at} ${limiterWords(chosen)} refuses ${thousands(own)} requests of this log${because}; ${limiterWords(candidates[least.candidate]!)} refuses ${thousands(least.refused)}.`,
    numbers: {
      rate,
      perUs,
      refused: own,
      leastOther: least.refused,
      ...(refusedUncounted === null ? {} : { refusedUncounted }),
    },
  };
}

function noCheaper(own: number, mostOfOthers: number): string {
  if (own === 0)
    return mostOfOthers === 0
      ? "no candidate refuses a request of this log"
      : `it refuses no request of this log, and other candidates up to ${thousands(mostOfOthers)}`;
  return mostOfOthers === own
    ? `every candidate refuses the same number of requests, ${thousands(own)}`
    : `no other candidate refuses fewer than its ${thousands(own)} requests`;
}

/** How much a client can get admitted in one window, which is why the candidate was chosen. */
function mostSentence(
  { perUs, candidate, rate, atRate }: RecommendationAdvice,
  facts: Facts,
): AnswerSentence | null {
  if (facts.candidates[candidate]!.mostInWindow === null) return null;
  const own = atRate.find((each) => each.candidate === candidate)!.mostInWindow!;
  const most = atRate.reduce((best, each) =>
    (each.mostInWindow ?? 0) > (best.mostInWindow ?? 0) ? each : best,
  );
  const scope = isOneBudget(facts) ? "" : " of a client";
  const other = most.mostInWindow ?? 0;
  return {
    id: "most",
    text: `In any ${perWords(perUs)} it admits at most ${thousands(own)}${scope}${other > own ? `, ${limiterWords(facts.candidates[most.candidate]!)} up to ${thousands(other)}` : ""}.`,
    numbers: { perUs, rate, most: own, mostOther: Math.max(own, other) },
  };
}

/** The recommendation for another window of --per. */
function windowSentence(advice: RecommendationAdvice, facts: Facts): AnswerSentence {
  const { perUs, rate, outliers, candidate } = advice;
  const chosen = facts.candidates[candidate]!;
  const why = outliers === null ? "" : `: ${needOf(outliers, rate, chosen.rate!)}`;
  return {
    id: "window",
    text: `Per ${perWords(perUs)} the limit is ${thousands(rate)} by ${limiterWords(chosen)}${why}.`,
    numbers: { perUs, rate, rateWithAll: chosen.rate! },
  };
}

/** The windows that the log does not cover. */
function tooLongSentence({ tooLong, ...facts }: Facts): AnswerSentence | null {
  if (tooLong.length === 0) return null;
  const us = spanOf(facts);
  return {
    id: "too-long",
    text: `There is no recommendation per ${listWords(tooLong.map(perWords))}: the log covers ${spanWords(us)}, and does not show what clients need in a longer time.`,
    numbers: { us, windows: tooLong.length },
  };
}

/** How long the log is, in microseconds. */
const spanOf = ({ firstAt, lastAt }: Pick<Facts, "firstAt" | "lastAt">): number =>
  1000 * (Date.parse(lastAt) - Date.parse(firstAt));

function badSentence(
  { candidate, atRate }: RecommendationAdvice,
  { badRequests, badClients }: Facts,
): AnswerSentence | null {
  if (badRequests === 0) return null;
  const { badRefused, badRefusedClients } = atRate.find((each) => each.candidate === candidate)!;
  return {
    id: "bad",
    text: `Of the ${thousands(badRequests)} bad ${plural(badRequests, "request")} it refuses ${thousands(badRefused)} (${percent(badRefused / badRequests)}), of ${thousands(badRefusedClients)} of ${thousands(badClients)} bad ${plural(badClients, "client")}.`,
    numbers: { badRequests, badRefused, badClients, badRefusedClients },
  };
}

/** How far the rate depends on which clients happen to be in the log. */
function drawsSentence(
  { candidate, outliers, perUs }: RecommendationAdvice,
  { candidates, clients, resamples, confidence, ...facts }: Facts,
): AnswerSentence | null {
  if (isOneBudget(facts)) return null;
  const chosen = candidates[candidate]!;
  if (chosen.interval === null)
    return {
      id: "draws",
      text: "With one client in the log, nothing shows what other clients need.",
      numbers: { clients },
    };
  const range = outliers?.interval ?? chosen.interval;
  const share = exactPercent(confidence);
  const drawn = outliers?.otherClients ?? clients;
  const isOne = range.low !== null && range.low === range.high;
  const mayMove = isOne ? "Other clients would hardly move it" : "Other clients may move it";
  const need =
    range.low === null
      ? "almost none has a rate that meets the target"
      : `${share} need ${isOne ? thousands(range.low) : intervalText(range)}`;
  const withAll =
    outliers === null ? "" : ` (with ${namesOf(outliers)}: ${intervalText(chosen.interval)})`;
  return {
    id: "draws",
    text: `${mayMove}: of ${thousands(resamples)} random draws of the ${thousands(drawn)} clients, ${need} per ${perWords(perUs)}${withAll}.`,
    numbers: {
      resamples,
      clients: drawn,
      ...(range.low === null ? {} : { low: range.low }),
      ...(range.high === null ? {} : { high: range.high }),
    },
  };
}

/** The next client that a lower limit would refuse; the edge is that of the rate with all clients. */
function watchSentence(
  { candidate, outliers }: RecommendationAdvice,
  facts: Facts,
): AnswerSentence | null {
  const next = facts.candidates[candidate]!.edge.find(({ refused }) => refused === 0);
  if (outliers !== null || isOneBudget(facts) || next === undefined || next.peak === 1) return null;
  return {
    id: "watch",
    text: `Watch ${clientWords(next.client)}: it is the next that a lower limit would refuse, from ${thousands(next.peak! - 1)} on.`,
    numbers: { peak: next.peak! },
  };
}

/** A day less than a week: a week of logs ends before midnight, or on another day. */
const WEEK_US = 6 * 86_400_000_000;

function againSentence(facts: Facts): AnswerSentence {
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

/** A world counts by address, by one header or for all clients together. */
const WORLD_KEY = /^(?:none|ip|header:[\w-]+)$/;

function shipSentence(
  { outliers, candidate, perUs }: RecommendationAdvice,
  { files, candidates, key }: Facts,
): AnswerSentence | null {
  const { rate, profile } = candidates[candidate]!;
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
  if (profile !== null || !WORLD_KEY.test(key)) return null;
  return {
    id: "ship",
    text: "--out FOLDER writes the limit down for weir serve, and --to for nginx, haproxy, envoy, spring or tyk.",
    numbers: {},
  };
}
