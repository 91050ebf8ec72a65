// The sentence of the answer of weir replay on its price: the most that each algorithm can admit in any window.
import { perWords } from "../../kit/reading/periods.ts";
import { plural, thousands } from "../../kit/reading/legible.ts";
import { micros } from "../../kit/units.ts";
import type { AnswerSentence } from "../../lab/report/answer.ts";
import { mostPossible } from "../../studies/replay/candidates.ts";
import type { ReplayedCandidate, UnansweredReplay } from "../../studies/replay/result.ts";
import { burstNameOf } from "./replay-words.ts";
import { listWords, namesWords, rangeWords, sentenceCase, withinWords } from "./words.ts";

interface Bound {
  readonly name: string;
  readonly rate: number;
  readonly perUs: number;
  readonly most: number;
}

const boundOf = (candidate: ReplayedCandidate): readonly Bound[] => {
  const { algorithm, rate, perUs, burst } = candidate;
  if (algorithm === null || rate === null || perUs === null) return [];
  const most = mostPossible({ rate, perUs: micros(perUs) }, { algorithm, burst: burst ?? 1 }, 1);
  return most === null ? [] : [{ name: burstNameOf(candidate), rate, perUs, most }];
};

const MOST_LIMITS = 4;

/** Null: requests have costs, whose price is another sentence; or nothing is known of the candidates. */
export function priceSentence({ candidates, cost, key }: UnansweredReplay): AnswerSentence | null {
  const bounds = cost === null ? candidates.flatMap(boundOf) : [];
  if (bounds.length === 0) return null;
  const loose = bounds.filter(({ most, rate }) => most > rate);
  const strict = [...new Set(bounds.map(({ name }) => name))].filter((name) =>
    loose.every((bound) => bound.name !== name),
  );
  const of = key === "none" ? "all clients together" : "a client";
  const never = `${namesWords(strict)} never ${plural(strict.length, "admits", "admit")} more than the limit`;
  const numbers = { loose: loose.length, strict: strict.length };
  if (loose.length === 0)
    return {
      id: "kept",
      text: `${sentenceCase(never)} of ${of} in any window.`,
      numbers,
    };
  return {
    id: "price",
    text: `The price: ${looseWords(loose, of)}${strict.length === 0 ? "" : `; ${never}`}.`,
    numbers: { ...numbers, most: Math.max(...loose.map(({ most }) => most)) },
  };
}

/** "a token bucket may admit up to 119 of a client in one minute", or the most of each limiter, or of each limit. */
function looseWords(loose: readonly Bound[], of: string): string {
  const limits = new Map<string, readonly Bound[]>();
  for (const bound of loose) {
    const limit = `${thousands(bound.rate)} per ${perWords(bound.perUs)}`;
    limits.set(limit, [...(limits.get(limit) ?? []), bound]);
  }
  const [[, [first]]] = limits as unknown as [[string, readonly [Bound]]];
  const mostOf = (bounds: readonly Bound[]): string => rangeWords(bounds.map(({ most }) => most));
  const names = namesWords([...new Set(loose.map(({ name }) => name))]);
  const where = `of ${of} ${withinWords(first.perUs)}`;
  if (limits.size === 1)
    return new Set(loose.map(({ most }) => most)).size === 1
      ? `${names} may admit up to ${mostOf(loose)} ${where}`
      : `${namesWords(loose.map(({ name, most }) => `${name} may admit up to ${thousands(most)}`))} ${where}`;
  const words = [...limits].map(([limit, bounds]) => `${mostOf(bounds)} at ${limit}`);
  return `${names} may admit of ${of} in a window up to ${
    words.length <= MOST_LIMITS
      ? listWords(words)
      : `${listWords([words[0]!, words.at(-1)!])}, and so on`
  }`;
}
