// The answer of weir pareto: the most accurate algorithm, what it cannot be separated from, what others save and which
// errors that costs.
import { portableCommand } from "../../kit/command-line.ts";
import { many, plural } from "../../kit/reading/legible.ts";
import type { Answer, AnswerSentence } from "../../lab/report/answer.ts";
import { specCalled } from "../../limiter/spec/by-algorithm.ts";
import {
  frontsOf,
  isComplete,
  type FleetFront,
  type FrontEntry,
} from "../../studies/pareto/front.ts";
import type { ParetoResult } from "../../studies/pareto/result.ts";
import type { TrafficName } from "../../studies/pareto/suite.ts";
import { digits } from "../../studies/pareto/table.ts";
import { shortenAnswer } from "./answer.ts";
import {
  explainNames,
  limiterWords,
  listWords,
  namesWords,
  rangeWords,
  sentenceCase,
} from "./words.ts";

export function answerPareto(result: ParetoResult): Answer {
  if (!isComplete(result)) return [missingSentence(result)];
  const fleets = frontsOf(result);
  const largest = fleets.at(-1)!; // more gateways make more errors
  const best = mostAccurate(largest);
  const answer = [
    ...fleets.map((fleet, at) => choiceSentence(fleet, at === 0 ? result : null)),
    QUESTION,
    ...(attemptsSentence(best, result) ?? []),
    ...otherSentences(best, largest),
    ...(strictSentence(best, largest) ?? []),
    ...(beatenSentence(largest) ?? []),
    trafficSentence(result),
  ];
  return explainNames(shortenAnswer(answer, DISPENSABLE));
}

/** What an answer can do without, the least important first: the table has it too. */
const DISPENSABLE = ["equal", "saving", "beaten", "attempts"];

const missingSentence = ({ footer: { cells, of } }: ParetoResult): AnswerSentence => ({
  id: "missing",
  text: `${cells} of ${many(of, "cell")} ${plural(cells, "is", "are")} here: no algorithm can be chosen until the others are.`,
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

const TRAFFIC_WORDS: Readonly<Record<TrafficName, string>> = {
  uniform: "a steady 3 times the limit",
  poisson: "random requests of 1.5 times the limit",
  bursty: "bursts of 5 times the limit with pauses",
  edges: "bursts at the edges of windows",
  patient: "clients that wait for Retry-After",
  hammering: "clients that retry after 50 ms",
  keys: "20 keys of which few send most requests",
};

/** Words for one shape of traffic, or the number of shapes. */
function trafficWords({ suite: { traffic } }: ParetoResult): string {
  const [only, ...others] = traffic;
  return others.length === 0 ? TRAFFIC_WORDS[only!] : `${traffic.length} shapes of traffic`;
}

/** Traffic without pauses, in which a log that counts refused requests stays full. */
const WITHOUT_PAUSE: readonly TrafficName[] = ["uniform", "hammering"];

/** What traffic with pauses does not show of an algorithm that counts refused requests; null: it is shown, or not so. */
function attemptsSentence(
  best: FrontEntry,
  { suite: { traffic } }: ParetoResult,
): readonly AnswerSentence[] | null {
  const counts = specCalled(best.algorithm)?.countsAttempts ?? false;
  if (!counts || WITHOUT_PAUSE.some((name) => traffic.includes(name))) return null;
  const command = portableCommand(["pareto", "--traffic", "uniform"]);
  return [
    {
      id: "attempts",
      text: `${sentenceCase(nameWords(best))} counts refused requests too. It refuses a client without pauses for as long as the client goes on: ${command} shows that.`,
      numbers: {},
      command,
    },
  ];
}

/** "It has the fewest errors: 4 % of all requests (1 % admitted too many, 3 % refused wrongly)." */
function leastWords({ errors, metrics: { over, wrong } }: FrontEntry): string {
  if (errors.high === 0) return "It decides every request right.";
  if (errors.median === 0) return "In most runs it decides every request right.";
  const parts = [
    ...(over.median === 0 ? [] : [`${digits(over.median)} % admitted too many`]),
    ...(wrong.median === 0 ? [] : [`${digits(wrong.median)} % refused wrongly`]),
  ];
  const isSum = digits(over.median + wrong.median) === digits(errors.median);
  const note = isSum ? "" : "; medians of different runs";
  return `It has the fewest errors: ${digits(errors.median)} % of all requests (${parts.join(", ")}${note}).`;
}

/** The errors of the next one. If the intervals overlap, other seeds could have chosen another, which the answer names. */
function nextWords(
  best: FrontEntry,
  next: FrontEntry | null,
  alike: readonly FrontEntry[],
): string {
  if (next === null) return "";
  if (alike.length === 0)
    return ` ${sentenceCase(nameWords(next))} has ${digits(next.errors.median)} %.`;
  const others = alike.flatMap(({ errors: { low, high } }) => [low, high]);
  const { low, high } = best.errors;
  return ` But nothing separates it from ${namesWords(alike.map(nameWords))}: the intervals of their errors overlap (${rangeWords([low, high], digits)} %, and ${rangeWords(others, digits)} %).`;
}

/** Those with more errors whose interval overlaps the interval of the most accurate one, the fewest errors first. */
const alikeIn = (best: FrontEntry, entries: readonly FrontEntry[]): readonly FrontEntry[] =>
  entries
    .filter(({ errors }) => errors.median > best.errors.median && errors.low <= best.errors.high)
    .filter(({ errors }) => digits(errors.median) !== digits(best.errors.median))
    .toSorted((a, b) => a.errors.median - b.errors.median);

/** The one with the fewest errors of those that have more; null: none has. */
const nextIn = (best: FrontEntry, entries: readonly FrontEntry[]): FrontEntry | null =>
  entries
    .filter(({ errors }) => digits(errors.median) !== digits(best.errors.median))
    .filter(({ errors }) => errors.median > best.errors.median)
    .toSorted((a, b) => a.errors.median - b.errors.median)[0] ?? null;

/** "admits 6.67 % too many and refuses 4.93 % wrongly". */
function errorWords({ metrics: { over, wrong } }: FrontEntry): string {
  const parts = [
    ...(over.median === 0 ? [] : [`admits ${digits(over.median)} % too many`]),
    ...(wrong.median === 0 ? [] : [`refuses ${digits(wrong.median)} % wrongly`]),
  ];
  return parts.length === 0 ? "decides every request right" : listWords(parts);
}

/** What an entry has less of than the most accurate one, and the price of its saving: what it has more of. */
function compareErrors(entry: FrontEntry, best: FrontEntry): readonly [string, string] {
  const partsOf = (isPart: (own: number, other: number) => boolean): readonly string[] => {
    const [over, wrong] = [entry.metrics.over.median, entry.metrics.wrong.median];
    return [
      ...(isPart(over, best.metrics.over.median) ? [`admits ${shareWords(over)} too many`] : []),
      ...(isPart(wrong, best.metrics.wrong.median) ? [`refuses ${shareWords(wrong)} wrongly`] : []),
    ];
  };
  const gain = listWords(
    partsOf((own, other) => own < other).map((part) => part.replace(" ", " only ")),
  );
  const price = listWords(partsOf((own, other) => own > other));
  return [gain.replace("only none", "none"), price];
}

const shareWords = (share: number): string => (share === 0 ? "none" : `${digits(share)} %`);

const errorNumbers = ({ metrics: { over, wrong } }: FrontEntry) => ({
  over: over.median,
  wrong: wrong.median,
});

function choiceSentence(fleet: FleetFront, result: ParetoResult | null): AnswerSentence {
  const { gateways, entries } = fleet;
  const best = mostAccurate(fleet);
  const { operations, bytes } = best.metrics;
  const next = nextIn(best, entries);
  const alike = alikeIn(best, entries);
  const traffic = result === null ? "" : ` and ${trafficWords(result)}`;
  return {
    id: "choice",
    text: `With ${many(gateways, "gateway")}${traffic} take ${nameWords(best)}. ${leastWords(best)}${nextWords(best, next, alike)} The price is ${operationWords(operations.median)} for each request and ${digits(bytes.median)} bytes for each key.`,
    numbers: {
      gateways,
      ...errorNumbers(best),
      errors: best.errors.median,
      ...(next === null ? {} : { next: next.errors.median }),
      ...(alike.length === 0 ? {} : { alike: alike.length }),
      operations: operations.median,
      bytes: bytes.median,
    },
  };
}

const operationWords = (count: number): string =>
  `${digits(count)} store ${plural(count, "operation")}`;

const MOST_SAVINGS = 3;

/** The others on the front, the fewest errors first: they cost less of something, or are as good. */
function otherSentences(
  best: FrontEntry,
  { entries, gateways }: FleetFront,
): readonly AnswerSentence[] {
  const others = entries
    .filter((entry) => isOnFront(entry) && entry !== best)
    .toSorted((a, b) => a.errors.median - b.errors.median);
  const equal = others.filter((entry) => savingsOf(entry, best, ANY).length === 0);
  const savings = others
    .filter((entry) => savingsOf(entry, best, WORTH).length > 0)
    .slice(0, MOST_SAVINGS);
  return [
    ...(equal.length === 0
      ? []
      : [
          {
            id: "equal",
            text: `With ${many(gateways, "gateway")} as good and as cheap: ${namesWords(equal.map(nameWords))}.`,
            numbers: { gateways, equal: equal.length },
          },
        ]),
    ...savings.map((entry) => ({
      id: "saving",
      text: `With ${many(gateways, "gateway")} ${nameWords(entry)} saves ${listWords(savingsOf(entry, best, WORTH))}${costWords(entry, best)}.`,
      numbers: { gateways, ...errorNumbers(entry), operations: entry.metrics.operations.median },
    })),
  ];
}

/** ", but admits 6.67 % too many", or what else belongs to a saving. */
function costWords(entry: FrontEntry, best: FrontEntry): string {
  if (entry.errors.median <= best.errors.median) return `, and also ${errorWords(entry)}`;
  const [gain, price] = compareErrors(entry, best);
  return `${gain === "" ? "" : `, ${gain}`}, but ${price}`;
}

type Cost = "operations" | "bytes" | "latency";

/** The least saving of each kind that is a reason to choose an algorithm. */
const WORTH: Readonly<Record<Cost, number>> = { operations: 0.1, bytes: 64, latency: 0.05 };
const ANY: Readonly<Record<Cost, number>> = { operations: 0, bytes: 0, latency: 0 };

const COST_WORDS: Readonly<Record<Cost, (saved: number) => string>> = {
  operations: operationWords,
  bytes: (saved) => `${digits(saved)} bytes for each key`,
  latency: (saved) => `${digits(saved)} ms`,
};

/** What an algorithm saves that is more than nothing, and at least `least`. */
const savingsOf = (
  { metrics: own }: FrontEntry,
  { metrics: best }: FrontEntry,
  least: Readonly<Record<Cost, number>>,
): readonly string[] =>
  (["operations", "bytes", "latency"] as const).flatMap((name) => {
    const saved = best[name].median - own[name].median;
    return saved > 0 && saved >= least[name] ? [COST_WORDS[name](saved)] : [];
  });

/** Errors of both kinds count alike. */
const ERRORS = "admitted too many or refused wrongly";

/** Less than this percentage too many is as good as none: a store that replies late makes a few. */
const LEAST_OVER = 0.01;

/** Those that let nothing pass the limit, if the most accurate one does. Null: it does not, or all do. */
function strictSentence(
  best: FrontEntry,
  { entries, gateways }: FleetFront,
): readonly AnswerSentence[] | null {
  const strict = entries.filter(({ metrics: { over } }) => over.median < LEAST_OVER);
  if (strict.length === 0 || strict.includes(best)) return null;
  const wrong = strict.map(({ metrics }) => metrics.wrong.median);
  const isNone = strict.every(({ metrics: { over } }) => over.high === 0);
  return [
    {
      id: "strict",
      text: `If ${isNone ? "nothing" : "next to nothing"} may pass the limit with ${many(gateways, "gateway")}, only ${namesWords(strict.map(nameWords), 5)} ${plural(strict.length, "qualifies", "qualify")}. ${plural(strict.length, "It refuses", "They refuse")} ${rangeWords(wrong, digits)} % wrongly.`,
      numbers: {
        gateways,
        strict: strict.length,
        from: Math.min(...wrong),
        to: Math.max(...wrong),
      },
    },
  ];
}

/** The algorithms that another one beats; null: none is beaten. */
function beatenSentence({ entries, gateways }: FleetFront): readonly AnswerSentence[] | null {
  const beaten = entries.filter((entry) => !isOnFront(entry));
  if (beaten.length === 0) return null;
  return [
    {
      id: "beaten",
      text: `With ${many(gateways, "gateway")} leave out ${namesWords(beaten.toSorted(compareBursts).map(nameWords), 5)}. For each of them another algorithm has no more errors (${ERRORS}) and costs no more.`,
      numbers: { gateways, beaten: beaten.length },
    },
  ];
}

const isBucket = ({ algorithm }: FrontEntry): boolean => algorithm === "token_bucket";

/** A token bucket first, because its errors are intended and other commands advise it. */
const compareBursts = (a: FrontEntry, b: FrontEntry): number =>
  Number(isBucket(b)) - Number(isBucket(a));

const QUESTION: AnswerSentence = {
  id: "question",
  text: "The question is how exactly the limit is kept. An error is one request more or less than an exact sliding window over all gateways admits. So the intended burst of a token bucket is an error here.",
  numbers: {},
};

function trafficSentence({ suite: { traffic, runs } }: ParetoResult): AnswerSentence {
  const command = portableCommand(["try"]);
  return {
    id: "traffic",
    text: `The traffic is simulated (${listWords(traffic)}; ${many(runs, "run")} each, with other phases against the windows). --traffic chooses another, and ${command} describes your own.`,
    numbers: { runs },
    command,
  };
}
