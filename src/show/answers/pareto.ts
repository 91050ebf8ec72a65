// The answer of weir pareto: the most accurate algorithm, what others save and which errors that costs.
import { many } from "../../kit/reading/legible.ts";
import type { Answer, AnswerSentence } from "../../lab/report/answer.ts";
import {
  frontsOf,
  isComplete,
  type FleetFront,
  type FrontEntry,
} from "../../studies/pareto/front.ts";
import type { ParetoResult } from "../../studies/pareto/result.ts";
import { digits } from "../../studies/pareto/table.ts";
import { limiterWords, listWords, namesWords, sentenceCase } from "./words.ts";

export function answerPareto(result: ParetoResult): Answer {
  if (!isComplete(result)) return [missingSentence(result)];
  const fleets = frontsOf(result).toReversed(); // more gateways make more errors
  return [
    ...fleets.flatMap((fleet) => {
      const best = mostAccurate(fleet);
      return [choiceSentence(best, fleet), ...otherSentences(best, fleet)];
    }),
    ...fleets.flatMap((fleet) => beatenSentence(fleet) ?? []),
    QUESTION,
    trafficSentence(result),
  ];
}

const missingSentence = ({ footer: { cells, of } }: ParetoResult): AnswerSentence => ({
  id: "missing",
  text: `${cells} of ${many(of, "cell")} ${cells === 1 ? "is" : "are"} here: no algorithm can be chosen until the others are.`,
  numbers: { cells, of },
});

const isOnFront = ({ isOnFront: is }: FrontEntry): boolean => is === true;

/** By the digits that a front compares: fewest errors, then the least cost of each kind. */
function mostAccurate({ entries }: FleetFront): FrontEntry {
  const ranks = ({ errors, metrics: { operations, bytes, latency } }: FrontEntry) =>
    [errors, operations, bytes, latency].map(({ median }) => Number(median.toPrecision(2)));
  const compare = (a: FrontEntry, b: FrontEntry): number => {
    const others = ranks(b);
    return (
      ranks(a)
        .map((rank, at) => rank - others[at]!)
        .find((difference) => difference !== 0) ?? 0
    );
  };
  return entries.filter(isOnFront).toSorted(compare)[0]!;
}

/** The algorithms of this suite that are no limiter by name: gateways that share little or nothing. */
const nameWords = ({ algorithm }: FrontEntry): string => {
  const interval = /^periodic_sync (\S+)$/.exec(algorithm)?.[1];
  if (interval !== undefined) return `counting alone and adding up every ${interval}`;
  return algorithm === "per_node"
    ? "gateways that share nothing"
    : limiterWords({ algorithm, profile: null });
};

/** "admits 6.67 % too many and refuses 4.93 % wrongly". */
function errorWords({ metrics: { over, wrong } }: FrontEntry): string {
  const parts = [
    ...(over.median === 0 ? [] : [`admits ${digits(over.median)} % too many`]),
    ...(wrong.median === 0 ? [] : [`refuses ${digits(wrong.median)} % wrongly`]),
  ];
  return parts.length === 0 ? "decides every request right" : listWords(parts);
}

const errorNumbers = ({ metrics: { over, wrong } }: FrontEntry) => ({
  over: over.median,
  wrong: wrong.median,
});

function choiceSentence(best: FrontEntry, { gateways }: FleetFront): AnswerSentence {
  const { operations } = best.metrics;
  return {
    id: "choice",
    text: `With ${many(gateways, "gateway")} take ${nameWords(best)}: it ${errorWords(best)}, at ${operationWords(operations.median)} for each request.`,
    numbers: { gateways, ...errorNumbers(best), operations: operations.median },
  };
}

const operationWords = (count: number): string =>
  `${digits(count)} store ${count === 1 ? "operation" : "operations"}`;

const MOST_SAVINGS = 3;

/** The others on the front, the fewest errors first: they cost less of something, or are as good. */
function otherSentences(
  best: FrontEntry,
  { entries, gateways }: FleetFront,
): readonly AnswerSentence[] {
  const others = entries
    .filter((entry) => isOnFront(entry) && entry !== best)
    .toSorted((a, b) => a.errors.median - b.errors.median);
  const equal = others.filter((entry) => savingsOf(entry, best).length === 0);
  const savings = others.filter((entry) => !equal.includes(entry)).slice(0, MOST_SAVINGS);
  return [
    ...(equal.length === 0
      ? []
      : [
          {
            id: "equal",
            text: `As good and as cheap: ${namesWords(equal.map(nameWords))}.`,
            numbers: { gateways, equal: equal.length },
          },
        ]),
    ...savings.map((entry) => ({
      id: "saving",
      text: `${sentenceCase(nameWords(entry))} saves ${listWords(savingsOf(entry, best))}, ${entry.errors.median > best.errors.median ? "but" : "and also"} ${errorWords(entry)}.`,
      numbers: { gateways, ...errorNumbers(entry), operations: entry.metrics.operations.median },
    })),
  ];
}

function savingsOf({ metrics: own }: FrontEntry, { metrics: best }: FrontEntry): readonly string[] {
  const savingOf = (name: "operations" | "bytes" | "latency"): number =>
    best[name].median - own[name].median;
  return [
    ...(savingOf("operations") > 0 ? [operationWords(savingOf("operations"))] : []),
    ...(savingOf("bytes") > 0 ? [`${digits(savingOf("bytes"))} bytes for each key`] : []),
    ...(savingOf("latency") > 0 ? [`${digits(savingOf("latency"))} ms`] : []),
  ];
}

/** The algorithms that another one beats; null: none is beaten. */
function beatenSentence({ entries, gateways }: FleetFront): AnswerSentence | null {
  const beaten = entries.filter((entry) => !isOnFront(entry));
  if (beaten.length === 0) return null;
  return {
    id: "beaten",
    text: `Another is as good for less, with ${many(gateways, "gateway")}, than ${namesWords(beaten.map(nameWords), 5)}.`,
    numbers: { gateways, beaten: beaten.length },
  };
}

const QUESTION: AnswerSentence = {
  id: "question",
  text: "An error is a difference to an exact sliding window over all gateways: the intended burst of a token bucket counts as one too.",
  numbers: {},
};

function trafficSentence({ suite: { traffic, runs } }: ParetoResult): AnswerSentence {
  return {
    id: "traffic",
    text: `The traffic is simulated (${listWords(traffic)}; ${many(runs, "run")} each); --traffic chooses another, and weir try describes your own.`,
    numbers: { runs },
  };
}
