// The answer of weir recommend: who sets the limit, why this algorithm and at which price, and what to do next.
import { perWords, rateWords } from "../../kit/reading/periods.ts";
import { countText, exactPercent, plural, thousands } from "../../kit/reading/legible.ts";
import type { Answer, AnswerSentence } from "../../lab/report/answer.ts";
import type {
  RecommendationAdvice,
  UnansweredRecommendation,
} from "../../studies/recommend/result.ts";
import { doesCountRefusals } from "../../studies/recommend/choice.ts";
import { cutText, intervalText, isOneBudget } from "../../studies/recommend/text.ts";
import {
  againSentence,
  emptyingSentence,
  shipSentence,
  timingSentence,
  tooLongSentence,
  translationSentence,
} from "./recommend-next.ts";
import {
  aboveSentence,
  badSentence,
  closestSentence,
  omissionSentence,
  setSentence,
  setSentences,
  togetherSentences,
} from "./recommend-set.ts";
import {
  belowWords,
  breachOf,
  customerWords,
  namesOf,
  needOf,
  notBad,
  limitWords,
  peaksOf,
  wordsOfRefusals,
  subjectOf,
  theseClients,
} from "./recommend-words.ts";
import { shortenAnswer } from "./answer.ts";
import { countWords, limiterWords, sentenceCase } from "./words.ts";

type Facts = UnansweredRecommendation;

export const answerRecommend = (facts: Facts): Answer =>
  shortenAnswer(sentencesOf(facts), DISPENSABLE, MOST_SENTENCES);

const MOST_SENTENCES = 6;

/** What an answer can do without, the least important first: the tables have it too. */
const DISPENSABLE =
  "below draws price closest ship most mean outliers again window files timing".split(" ");

/** All sentences, of which an answer has the most important ones. */
export function sentencesOf(facts: Facts): Answer {
  const [advice, ...others] = facts.advice;
  if (advice === undefined) return [noLimit(facts), tooLongSentence(facts)].flatMap(present);
  const doubt = emptyingSentence(facts);
  const again = doubt === null ? againSentence(facts) : null;
  const translation = translationSentence(facts);
  const end = [
    tooLongSentence(facts),
    badSentence(facts),
    again,
    timingSentence(facts),
    shipSentence(facts),
  ];
  const own =
    others.length > 0
      ? [
          setSentence(facts),
          ...togetherSentences(facts), // they speak of the requests that the first sentence counts
          translation,
          doubt,
          ...setSentences(facts),
        ]
      : [
          limitSentence(advice, facts),
          translation,
          doubt,
          lossSentence(advice, facts) ?? omissionSentence(facts),
          peaksSentence(advice),
          breachSentence(advice, facts),
          raiserSentence(advice),
          aboveSentence(facts),
          closestSentence(facts),
          mostSentence(advice, facts),
          priceSentence(advice, facts),
          drawsSentence(advice, facts),
          belowSentence(advice, facts),
        ];
  return [...own, ...end].flatMap(present);
}

const present = (sentence: AnswerSentence | null): readonly AnswerSentence[] =>
  sentence === null ? [] : [sentence];

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

function limitSentence(advice: RecommendationAdvice, facts: Facts): AnswerSentence {
  const { perUs, rate, outliers } = advice;
  const candidate = facts.candidates[advice.candidate]!;
  const limit = `Limit ${subjectOf(facts)} to ${limitWords(advice, facts)} by ${limiterWords(candidate)}`;
  if (outliers !== null)
    return {
      id: "limit",
      text: `${limit}: ${needOf(outliers, advice, candidate.rate!)}.`,
      numbers: {
        rate,
        perUs,
        outliers: outliers.clients.length,
        clients: facts.clients,
        ...(outliers.othersPeak === null ? {} : { othersPeak: outliers.othersPeak }),
        rateWithAll: candidate.rate!,
      },
    };
  const { refused, refusedClients } = candidate;
  const effect = `it ${wordsOfRefusals({ refused, refusedClients }, facts)}`;
  return {
    id: "limit",
    text: `${limit}: ${effect}.`,
    numbers: { rate, perUs, refused, requests: facts.requests, refusedClients },
  };
}

const ownRow = ({
  atRate,
  candidate,
}: RecommendationAdvice): RecommendationAdvice["atRate"][number] =>
  atRate.find((each) => each.candidate === candidate)!;

/** What the limit refuses, of the outliers and of the others; null: there are no outliers. */
function lossSentence(advice: RecommendationAdvice, facts: Facts): AnswerSentence | null {
  const { outliers } = advice;
  if (outliers === null) return null;
  const { refused, requests, refusedClients, otherClients } = outliers;
  const sent = facts.requests - requests;
  const lost = ownRow(advice).refused - refused;
  const clients =
    refused === 0 ? "" : ` (${thousands(refusedClients)} of ${countText(otherClients, "client")})`;
  return {
    id: "loss",
    text: `The limit refuses ${countWords(lost)} of the ${countText(sent, "request")} of ${theseClients(outliers.clients)}${notBad(facts)}, and ${countWords(refused)} of the ${thousands(requests)} of the others${clients}.`,
    numbers: { lost, sent, refused, requests, refusedClients, otherClients },
  };
}

/** What each of several outliers needs and loses; null: there are fewer than two. */
function peaksSentence({ outliers }: RecommendationAdvice): AnswerSentence | null {
  if (outliers === null || outliers.clients.length < 2) return null;
  return {
    id: "outliers",
    text: `${sentenceCase(peaksOf(outliers))}.`,
    numbers: { clients: outliers.clients.length },
  };
}

/** That the limit breaks the target of all clients, and which limit does not; null: it meets it. */
function breachSentence(advice: RecommendationAdvice, facts: Facts): AnswerSentence | null {
  const { outliers, candidate } = advice;
  if (outliers === null) return null;
  const { refused, refusedClients } = ownRow(advice);
  const rateWithAll = facts.candidates[candidate]!.rate!;
  return breachOf(
    { refused, refusedClients },
    facts,
    `take ${thousands(rateWithAll)} if ${customerWords(outliers.clients)} (--with-outliers)`,
    { rateWithAll },
  );
}

/** With --with-outliers, who raises the limit; null: it is not used, or no few clients do. */
function raiserSentence({ included, perUs }: RecommendationAdvice): AnswerSentence | null {
  if (included === null) return null;
  const clients = included.clients.map((client) => ({ client }));
  return {
    id: "included",
    text: `${sentenceCase(namesOf({ clients }))} alone ${plural(clients.length, "raises", "raise")} it: for all others ${rateWords(included.rate, perUs)} would do.`,
    numbers: { clients: clients.length, rate: included.rate, perUs },
  };
}

/** How much a client can get admitted in one window, and the candidate that the chosen one was weighed against. */
function mostSentence(
  { perUs, candidate, mostInWindow: most, rival }: RecommendationAdvice,
  facts: Facts,
): AnswerSentence | null {
  if (most === null) return null;
  const scope = isOneBudget(facts) ? "" : " of a client";
  const own = `In any ${perWords(perUs)} the limit admits at most ${thousands(most)} requests${scope}`;
  const isCounting = doesCountRefusals(facts.candidates[candidate]!.algorithm);
  const other = rival?.mostInWindow ?? null;
  if (rival === null || other === null || (isCounting ? other <= most : other >= most))
    return { id: "most", text: `${own}.`, numbers: { perUs, most } };
  const named = limiterWords(facts.candidates[rival.candidate]!);
  const numbers = { perUs, most, rivalRate: rival.rate, rivalMost: other };
  if (isCounting)
    return {
      id: "most",
      text: `${own}; ${named}, which counts no refusals, admits up to ${thousands(other)} for the same target.`,
      numbers,
    };
  return {
    id: "most",
    text: `${own}; ${named} needs only ${thousands(other)}, but counts refusals: early retries stay refused.`,
    numbers,
  };
}

/** What the next best candidate refuses at the same rate: of the outliers apart, as the limit is for the others. */
function priceSentence(advice: RecommendationAdvice, facts: Facts): AnswerSentence | null {
  const { perUs, rate, candidate, atRate } = advice;
  const own = ownRow(advice);
  const rest = atRate.filter((each) => each.candidate !== candidate);
  const [least] = rest.toSorted(compareRefused);
  if (least === undefined) return null;
  const at = `at ${rateWords(rate, perUs)}${facts.badRequests === 0 ? "" : ", bad requests apart"}`;
  const other = limiterWords(facts.candidates[least.candidate]!);
  const numbers = {
    rate,
    perUs,
    refused: own.refused,
    refusedOfOthers: own.refusedOfOthers,
    leastOther: least.refused,
    leastOfOthers: least.refusedOfOthers,
  };
  const noun = facts.candidates.some(({ profile }) => profile !== null) ? "limiter" : "algorithm";
  const order = compareRefused(own, least);
  const none = `No other of the ${atRate.length} ${noun}s compared refuses fewer ${at}`;
  if (order <= 0)
    return {
      id: "price",
      text:
        order === 0
          ? `${none}; ${other} refuses as many.`
          : `${none}: ${other} refuses ${countsOf(least, advice)}.`,
      numbers,
    };
  return {
    id: "price",
    text: `The price: ${at}, ${limiterWords(facts.candidates[candidate]!)} refuses ${countsOf(own, advice)}; ${other} ${countsOf(least, advice)}.`,
    numbers,
  };
}

type RateRow = RecommendationAdvice["atRate"][number];

const compareRefused = (a: RateRow, b: RateRow): number =>
  a.refusedOfOthers - b.refusedOfOthers || a.refused - b.refused;

const countsOf = (
  { refused, refusedOfOthers }: RateRow,
  { outliers }: Pick<RecommendationAdvice, "outliers">,
): string =>
  outliers === null
    ? countText(refused, "request")
    : `${countWords(refusedOfOthers)} of the others and ${countWords(refused - refusedOfOthers)} of ${theseClients(outliers.clients)}`;

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
  return {
    id: "draws",
    text: `${mayMove}: of ${thousands(resamples)} random draws of the ${thousands(drawn)} clients, ${need} per ${perWords(perUs)}.`,
    numbers: {
      resamples,
      clients: drawn,
      ...(range.low === null ? {} : { low: range.low }),
      ...(range.high === null ? {} : { high: range.high }),
    },
  };
}

/** What the rate below would refuse of the log; null: it would refuse no more than the target allows, or is 0. */
function belowSentence(
  { candidate, outliers, rate }: RecommendationAdvice,
  facts: Facts,
): AnswerSentence | null {
  const words = belowWords(facts.candidates[candidate]!, facts);
  if (words === null || outliers !== null || facts.badRequests > 0) return null;
  return {
    id: "below",
    text: `A limit of ${thousands(rate - 1)} would refuse ${words}.`,
    numbers: { rate },
  };
}
