// The answer of weir recommend to several windows: the limits to ship as one set, and what each of them is for.
import { perWords, rateWords } from "../../kit/reading/periods.ts";
import { countText, percent, plural, thousands } from "../../kit/reading/legible.ts";
import type { AnswerSentence } from "../../lab/report/answer.ts";
import type {
  RecommendationAdvice,
  UnansweredRecommendation,
} from "../../studies/recommend/result.ts";
import { isOneBudget } from "../../studies/recommend/text.ts";
import {
  breachOf,
  customerWords,
  namesOf,
  needOf,
  notBad,
  limitsToShip,
  limitWords,
  nameOrCount,
  peaksOf,
  subjectOf,
  theseClients,
} from "./recommend-words.ts";
import { clientWords, countWords, limiterWords, listWords, sentenceCase } from "./words.ts";

type Facts = UnansweredRecommendation;
type Together = NonNullable<Facts["together"]>;

/** The most limits that the first sentence lists, and that it lists with what is enough for any timing. */
const MOST_LISTED = 6;
const MOST_PLACED = 3;

const rateOf = ({ rate, perUs }: RecommendationAdvice): string => rateWords(rate, perUs);
/** "both", or "all 3". */
const allOf = (count: number): string => (count === 2 ? "both" : `all ${count}`);

const limitersOf = ({ advice, candidates }: Facts): ReadonlySet<string> =>
  new Set(advice.map(({ candidate }) => limiterWords(candidates[candidate]!)));

/** The limits to ship, and who alone would raise them, or what they refuse. */
export function setSentence(facts: Facts): AnswerSentence {
  const shipped = limitsToShip(facts);
  const left = facts.advice.filter((each) => !shipped.includes(each));
  const listed =
    shipped.length > MOST_LISTED
      ? `${shipped.length} limits, from ${rateOf(shipped[0]!)} to ${rateOf(shipped.at(-1)!)},`
      : listWords(
          shipped.map((each) =>
            shipped.length > MOST_PLACED ? rateOf(each) : limitWords(each, facts),
          ),
        );
  const apart =
    left.length === 0
      ? ""
      : `, but not ${left.length > MOST_PLACED ? "the other limits" : listWords(left.map(rateOf))},`;
  const together = facts.shipped ?? facts.together;
  const limiters = limitersOf(facts);
  const outliers = outliersOf(shipped);
  const raised = shipped.filter((each) => each.outliers !== null).length;
  const why =
    outliers.length > 0
      ? `${nameOrCount(outliers)} alone would raise ${raised === shipped.length ? (raised === 1 ? "it" : allOf(raised)) : raised === 1 ? "one of them" : `${raised} of them`}`
      : together === null
        ? "each meets the target alone"
        : countRefused(
            together,
            facts,
            shipped.length === 1 ? "it refuses" : "together they refuse",
          );
  const by = limiters.size > 1 ? "" : ` by ${[...limiters][0]!}`;
  return {
    id: "limit",
    text: `Ship ${listed}${apart} for ${subjectOf(facts)}${by}: ${why}.`,
    numbers: {
      limits: facts.advice.length,
      ship: shipped.length,
      outliers: outliers.length,
      ...(together === null ? {} : { refused: together.refused, requests: facts.requests }),
    },
  };
}

/** "refuse 27 of 36,061 requests (0.1 %)". */
function countRefused({ refused }: Together, facts: Facts, verb: string): string {
  const all = `${countText(facts.requests, "request")}${notBad(facts)}`;
  if (refused === 0) return `${verb} none of the ${all}`;
  const isLong = facts.badRequests > 0 || facts.shipped !== null;
  const share = isLong ? "" : ` (${percent(refused / facts.requests)})`;
  return `${verb} ${thousands(refused)} of ${all}${share}`;
}

/** The outliers of several windows, each once. */
const outliersOf = (
  advice: readonly RecommendationAdvice[],
): readonly { readonly client: string }[] =>
  [
    ...new Set(
      advice.flatMap(({ outliers }) => outliers?.clients.map(({ client }) => client) ?? []),
    ),
  ].map((client) => ({ client }));

/** What several limits refuse together, of the outliers apart, or why not all of them are shipped. */
export function togetherSentences(facts: Facts): readonly AnswerSentence[] {
  const { together, shipped, advice } = facts;
  if (together === null) return [];
  const outliers = outliersOf(advice);
  const { refusedOfOthers, requests, mostAlone } = together;
  const limits = advice.length;
  const numbers = {
    limits,
    lost: together.refused - refusedOfOthers,
    sent: facts.requests - requests,
    refused: refusedOfOthers,
    requests,
    mostAlone,
    refusedClients: together.refusedOtherClients,
  };
  if (shipped !== null)
    return [
      {
        id: "together",
        text: `${sentenceCase(allOf(limits))} limits together would refuse ${lossOfOthers(together, facts)}${outliers.length === 0 ? "" : " of the others"}, more than the target allows.`,
        numbers,
      },
      {
        id: "together",
        text: `${facts.ship.length === 1 ? "This one refuses" : `These ${facts.ship.length} refuse`} ${lossWords(shipped, outliers, facts)}.`,
        numbers: { limits: facts.ship.length, refused: shipped.refusedOfOthers },
      },
    ];
  const more = refusedOfOthers - mostAlone;
  const compared =
    more === 0
      ? "as many as the strictest alone"
      : `${thousands(Math.abs(more))} ${more > 0 ? "more" : "fewer"} than the strictest alone`;
  if (outliers.length === 0)
    return refusedOfOthers === 0
      ? []
      : [
          {
            id: "together",
            text: `${isOneBudget(facts) ? "That is" : `They are of ${thousands(together.refusedClients)} of ${countText(facts.clients, "client")},`} ${compared} refuses.`,
            numbers,
          },
        ];
  return [
    {
      id: "together",
      text: `Together they refuse ${lossWords(together, outliers, facts)}.`,
      numbers,
    },
  ];
}

/** "299 of the 450 requests of 192.0.2.10, and 64 of the 1,653 of the others (2 of 40 clients)". */
function lossWords(
  together: Together,
  outliers: readonly { readonly client: string }[],
  facts: Facts,
): string {
  if (outliers.length === 0) return lossOfOthers(together, facts);
  const { refused, refusedOfOthers, requests } = together;
  const clients = clientsOfLoss(together, facts);
  return `${countWords(refused - refusedOfOthers)} of the ${countText(facts.requests - requests, "request")} of ${theseClients(outliers)}${notBad(facts)}, and ${countWords(refusedOfOthers)} of the ${thousands(requests)} of the others${clients}`;
}

/** "64 of the 1,653 requests (2 of 40 clients)". */
const lossOfOthers = (together: Together, facts: Facts): string =>
  `${countWords(together.refusedOfOthers)} of the ${countText(together.requests, "request")}${notBad(facts)}${clientsOfLoss(together, facts)}`;

const clientsOfLoss = (
  { refusedOfOthers, otherClients, refusedOtherClients }: Together,
  facts: Facts,
): string =>
  refusedOfOthers === 0 || isOneBudget(facts)
    ? ""
    : ` (${thousands(refusedOtherClients)} of ${countText(otherClients, "client")})`;

/** The other sentences about several limits. */
export function setSentences(facts: Facts): readonly (AnswerSentence | null)[] {
  const together = facts.shipped ?? facts.together;
  const outliers = outliersOf(limitsToShip(facts));
  const breach =
    outliers.length === 0 || together === null
      ? null
      : breachOf(together, facts, `add --with-outliers if ${customerWords(outliers)}`, {});
  const isMixed = limitersOf(facts).size > 1;
  return [
    omissionSentence(facts),
    breach,
    aboveSentence(facts),
    closestSentence(facts),
    ...((isMixed ? null : onlySentence(facts)) ??
      facts.advice.map((each) => windowSentence(each, facts, isMixed))),
  ];
}

/** What all limits would be with the one client that raises each of them; null: it is not one, or not each. */
function onlySentence({ advice, candidates }: Facts): readonly AnswerSentence[] | null {
  if (outliersOf(advice).length !== 1 || advice.some(({ outliers }) => outliers === null))
    return null;
  const rates = advice.map(({ candidate, perUs }) =>
    rateWords(candidates[candidate]!.rate!, perUs),
  );
  return [
    {
      id: "window",
      text: `With this client the limits would be ${listWords(rates)}.`,
      numbers: { limits: advice.length },
    },
  ];
}

/** What one of several limits is, and who raises it; null: the first sentence has it. */
function windowSentence(
  advice: RecommendationAdvice,
  facts: Facts,
  isNamed: boolean, // whether its limiter differs from that of another window
): AnswerSentence | null {
  const { perUs, rate, outliers, candidate, included } = advice;
  const chosen = facts.candidates[candidate]!;
  const why =
    outliers !== null
      ? `: ${outliers.clients.length === 1 ? needOf(outliers, advice, chosen.rate!) : peaksOf(outliers)}`
      : included !== null
        ? `: ${namesOf({ clients: included.clients.map((client) => ({ client })) })} alone ${plural(included.clients.length, "raises", "raise")} it, and for all others ${thousands(included.rate)} would do`
        : "";
  if (why === "" && !isNamed) return null;
  return {
    id: "window",
    text: `Per ${perWords(perUs)} the limit is ${thousands(rate)}${isNamed ? ` by ${limiterWords(chosen)}` : ""}${why}.`,
    numbers: { perUs, rate, rateWithAll: chosen.rate! },
  };
}

/** "2,145.8". */
const meanWords = (mean: number): string =>
  mean < 0.05 ? "less than 0.1" : mean.toLocaleString("en-US", ONE_DECIMAL);
const ONE_DECIMAL = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
/** From this part of the limit on, what a client sends on average leaves it no headroom. */
const NO_HEADROOM = 0.9;
/** Below this part of its peak, what a client sends on average is far from its bursts. */
const BURST = 0.5;

/** Who sends more than a limit on average, though it is no outlier; null: no such client. */
export function aboveSentence(facts: Facts): AnswerSentence | null {
  const [most] = limitsToShip(facts)
    .filter(({ above }) => above !== null)
    .toSorted((a, b) => b.above!.mean / b.rate - a.above!.mean / a.rate);
  if (most === undefined) return null;
  const { rate, perUs } = most;
  const { client, mean, clients } = most.above!;
  const average = `${meanWords(mean)} per ${perWords(perUs)}`;
  const limit = facts.advice.length > 1 ? rateOf(most) : "the limit";
  const numbers = { rate, perUs, mean, clients };
  const text = isOneBudget(facts)
    ? `All clients together send at least ${average} on average, above ${limit}: in a longer log they lose more, as the target allows.`
    : clients === 1
      ? `${sentenceCase(clientWords(client))} sends at least ${average} on average, above ${limit}: in a longer log it loses more, as the target allows.`
      : `At least ${thousands(clients)} clients send more than ${limit} on average, ${clientWords(client)} at least ${average}: in a longer log they lose more, as the target allows.`;
  return { id: "above", text, numbers };
}

/** Which client loses most by a limit, though it is no outlier; null: none loses anything. */
function lossOfOne(facts: Facts): AnswerSentence | null {
  const [most] = limitsToShip(facts)
    .filter(({ mostRefused }) => mostRefused !== null)
    .toSorted((a, b) => b.mostRefused!.refused - a.mostRefused!.refused);
  if (most === undefined || isOneBudget(facts)) return null;
  const { rate, perUs, outliers } = most;
  const { client, refused, peak } = most.mostRefused!;
  const by = facts.advice.length > 1 ? ` by ${rateOf(most)}` : "";
  const need =
    peak === null ? "every rate refuses some" : `it needs ${thousands(peak)} at the peak`;
  return {
    id: "closest",
    text: `${sentenceCase(clientWords(client))} loses most${outliers === null ? "" : " of the others"}${by}: ${countText(refused, "request")}, for ${need}.`,
    numbers: { rate, perUs, refused, ...(peak === null ? {} : { peak }) },
  };
}

/** Which client is nearest to a limit, or loses most by it; null: each sends more than it on average. */
export function closestSentence(facts: Facts): AnswerSentence | null {
  const [nearest] = limitsToShip(facts)
    .filter((each) => each.closest !== null && shareOf(each) <= 1)
    .toSorted((a, b) => shareOf(b) - shareOf(a));
  const loss = lossOfOne(facts);
  if (nearest === undefined) return loss;
  const { rate, perUs, longRun } = nearest;
  const { client, peak, mean } = nearest.closest!;
  const share = shareOf(nearest);
  const isSet = facts.advice.length > 1;
  const limit = isSet ? rateOf(nearest) : "it";
  const [name, isAt, it, sends, needs] = isOneBudget(facts)
    ? ["All clients together", "are at", "they", "send", "need"]
    : [sentenceCase(clientWords(client)), "is at", "it", "sends", "needs"];
  const average = `${meanWords(mean)} per ${perWords(perUs)}`;
  const numbers = { rate, perUs, peak, mean };
  const at = `${name} ${isAt} ${percent(share)} of ${limit}: ${it} ${sends} ${average}`;
  if (longRun !== null && facts.badRequests === 0)
    return {
      id: "mean",
      text: `${at} in the long run; ${thousands(rate - 1)} is too low, though ${peak === rate - 1 ? `it refuses` : `${thousands(peak)} to ${thousands(rate - 1)} refuse`} nothing here.`,
      numbers,
    };
  if (share >= NO_HEADROOM)
    return {
      id: "closest",
      text: `${at} on average, which leaves no headroom.`,
      numbers,
    };
  if (loss !== null) return loss;
  const nearestTo = isOneBudget(facts) ? name : `Closest to ${limit} is ${clientWords(client)}`;
  const isBurst = mean < BURST * peak;
  return {
    id: "closest",
    text: `${nearestTo}${isBurst ? `, in bursts alone: ${it} ${needs}` : isOneBudget(facts) ? ` ${needs}` : `, which ${needs}`} ${peak === rate ? "all of it" : thousands(peak)} at the peak and ${sends} ${average} on average${isBurst ? "" : ` (${percent(share)} of the limit)`}.`,
    numbers,
  };
}

const shareOf = ({ closest, rate }: RecommendationAdvice): number => closest!.mean / rate;

/** The clients of --without-outliers; null: none was left out. */
export function omissionSentence({ leftOut, advice }: Facts): AnswerSentence | null {
  if (leftOut.length === 0) return null;
  const sum = (of: (each: Facts["leftOut"][number]) => number): number =>
    leftOut.reduce((total, each) => total + of(each), 0);
  const [sent, refused] = [sum(({ requests }) => requests), sum((each) => each.refused)];
  return {
    id: "left-out",
    text: `Left out: ${namesOf({ clients: leftOut })}, with ${countText(sent, "request")}, of which ${advice.length > 1 ? "the limits refuse" : "the limit refuses"} ${thousands(refused)}.`,
    numbers: { clients: leftOut.length, sent, refused },
  };
}

/** What the limits refuse of the requests that are labelled as bad; null: none is. */
export function badSentence(facts: Facts): AnswerSentence | null {
  const { badRequests, badClients, advice } = facts;
  const [first] = advice;
  if (badRequests === 0 || first === undefined) return null;
  const { badRefused, badRefusedClients } =
    facts.shipped ??
    facts.together ??
    first.atRate.find((each) => each.candidate === first.candidate)!;
  return {
    id: "bad",
    text: `Of the ${thousands(badRequests)} bad ${plural(badRequests, "request")} ${facts.ship.length > 1 ? "the limits refuse" : "the limit refuses"} ${thousands(badRefused)} (${percent(badRefused / badRequests)}), of ${thousands(badRefusedClients)} of ${thousands(badClients)} bad ${plural(badClients, "client")}.`,
    numbers: { badRequests, badRefused, badClients, badRefusedClients },
  };
}
