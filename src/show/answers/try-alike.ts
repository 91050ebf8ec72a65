// Sentences of the answer of weir try about candidates that are about as good: what still differs, and by how much.
import { plural, thousands } from "../../kit/reading/legible.ts";
import { micros } from "../../kit/units.ts";
import { shortDuration } from "../../studies/replay/candidates.ts";
import type { AnswerSentence } from "../../lab/report/answer.ts";
import type { TryRow, UnansweredTry } from "../../studies/try/result.ts";
import {
  bestBy,
  isOverloaded,
  isWorse,
  pairDraws,
  SLACK,
  TRY_VALUES,
  type TryChoice,
  type TryCriterion,
} from "./try-choice.ts";
import {
  effectWords,
  limitersWords,
  numberOf,
  rangeNumbers,
  roundShares,
  valueWords,
} from "./try-words.ts";
import { firstDecider } from "./try-deciders.ts";
import type { TriedGroup } from "./try-sentences.ts";
import { limiterWords, namesWords, rangeWords, sentenceCase, shareRange } from "./words.ts";

/** A first sentence, and the candidates that it compares with the chosen one. */
interface Alike {
  readonly sentence: AnswerSentence;
  readonly named: readonly TryRow[];
  readonly rival: TryRow | null; // whose difference has a cause that lasts
}

const isAbove = (row: TryRow, best: TryRow, by: TryCriterion): boolean =>
  isWorse(row, best, by, (value) => value);

/** More requests are refused than the usual slack has room for, in some draw: only the first budgets excuse it. */
const isMuch = (row: TryRow, best: TryRow, by: "unadmitted" | "refused"): boolean =>
  pairDraws(row, best).some(
    ([own, other]) =>
      TRY_VALUES[by](own) > TRY_VALUES[by](other) + SLACK[by](TRY_VALUES[by](other), other, 0),
  );

/** The part of the attempts that is refused in the last whole windows, about half of the run, of the first draw. */
function lateShare(
  { perUs, overTime: { binUs, admitted, refused } }: TryRow,
  forUs: number,
): number {
  const lateUs = Math.floor(forUs / perUs / 2) * perUs;
  const [from, to] = [Math.round((forUs - lateUs) / binUs), Math.round(forUs / binUs)];
  const countIn = (values: readonly number[]): number =>
    values.slice(from, to).reduce((sum, value) => sum + value, 0);
  return countIn(refused) / (countIn(admitted) + countIn(refused));
}

/** How far the late shares of two limiters may differ that refuse alike in the long run. */
const lateSlack = (late: number): number => Math.min(0.01, (1 - late) / 10);

/** Limiters that refuse alike once the budgets of the start are spent. Null: no candidate differs only by these. */
function steadySentence(
  { best, equal, similar }: TryChoice,
  facts: UnansweredTry,
  before: string,
): Alike | null {
  if (best.retry !== "none" || !isOverloaded(best, facts)) return null;
  const late = lateShare(best, facts.forUs);
  const gapsOf = (row: TryRow): readonly number[] =>
    pairDraws(row, best).map(([own, other]) => (own.gaveUp - other.gaveUp) / other.demand.over);
  const named = similar.filter(
    (row) =>
      Math.abs(lateShare(row, facts.forUs) - late) <= lateSlack(late) &&
      gapsOf(row).every((gap) => gap >= 1 && gap <= Math.floor(row.rate)),
  );
  if (named.length === 0) return null;
  const shares = [best, ...named].map((row) => lateShare(row, facts.forUs));
  const gaps = named.flatMap(gapsOf);
  const isEach = facts.population === "even" && best.demand.over === best.demand.budgets;
  const kind = facts.perAddress === null ? "client" : "address";
  const of = isEach ? `of each ${kind}` : `of each ${kind} above its limit, on average`;
  const winners = [best, ...equal];
  return {
    sentence: {
      id: "steady",
      text: `${chooseWords([best, ...equal, ...named], facts)}: ${before}in the long run each refuses ${roundShares(shares)} of the requests; at the start ${limitersWords(winners, "and")} ${plural(winners.length, "admits", "admit")} ${rangeWords(gaps, (gap) => thousands(Math.round(gap)))} more ${of}, once.`,
      numbers: {
        ...rangeNumbers("next", gaps),
        ...rangeNumbers("late", shares),
        candidates: named.length,
      },
    },
    named,
    rival: null,
  };
}

/** "Choose between GCRA and DRL by the worst case, not by refusals", or "Take GCRA or DRL" if nothing else differs. */
function chooseWords(rows: TriedGroup, facts: UnansweredTry): string {
  const decider = firstDecider(rows, facts);
  return decider === null
    ? `Take ${limitersWords(rows, "or")}`
    : `Choose between ${limitersWords(rows, "and")} ${decider}, not by refusals`;
}

/** The same for limiters that the rest of the sentence names: "Choose by the worst case, not by refusals". */
function decideWords(rows: TriedGroup, facts: UnansweredTry): string {
  const decider = firstDecider(rows, facts);
  if (decider !== null) return `Choose ${decider}, not by refusals`;
  return rows.length === 2 ? "Take either" : "Take any of them";
}

/** What still separates candidates that no criterion leaves out, or only for the budgets of the start. Null: nothing. */
function littleSentence(
  { best, equal, similar, leftOut }: TryChoice,
  facts: UnansweredTry,
  before: string,
): Alike | null {
  const by = (["unadmitted", "refused"] as const).find((name) =>
    similar.some((row) => isAbove(row, best, name)),
  );
  if (by === undefined) return null;
  const next = bestBy(
    similar.filter((row) => isAbove(row, best, by)),
    by,
  );
  const isOpen = isOverloaded(best, facts) && isMuch(next, best, by);
  if (leftOut.length > 0 && !isOpen) return null;
  const valueOf = TRY_VALUES[by];
  const compared = `${effectWords(best, by)}, ${limiterWords(next)} ${valueWords(next, by, best)}`;
  const draws = pairDraws(next, best);
  const shares = draws.map(([own, other]) => (valueOf(own) - valueOf(other)) / other.requests);
  const size = best.retry === "none" ? [`${shareRange(shares)} of all more`] : [];
  const subject =
    equal.length === 0 ? limiterWords(best) : `each of ${limitersWords([best, ...equal], "and")}`;
  const atStart = Math.max(...draws.map(([, other]) => Math.floor(best.rate) * other.demand.over));
  const end = isOpen
    ? `budgets that are full at the start explain up to ${thousands(atStart)} of the difference, and --for ${shortDuration(micros(4 * facts.forUs))} shows whether the rest lasts`
    : [...size, ...(draws.length > 1 ? ["in every draw"] : [])].join(", ");
  return {
    sentence: {
      id: isOpen ? "open" : "little",
      text: isOpen
        ? `For now take ${limitersWords([best, ...equal], "or")}: ${before}${equal.length === 0 ? "it" : "each"} ${compared}; ${end}.`
        : `${decideWords([best, ...equal, ...similar], facts)}: ${before}${subject} ${compared}${end === "" ? "" : ` (${end})`}.`,
      numbers: { ...numberOf(best, by), ...numberOf(next, by, "next") },
    },
    named: isOpen ? similar : [next],
    rival: isOpen ? next : null,
  };
}

/** The first sentence about candidates that differ only by the budgets of the start, or by little; null: others. */
export const findAlike = (choice: TryChoice, facts: UnansweredTry, before: string): Alike | null =>
  steadySentence(choice, facts, before) ?? littleSentence(choice, facts, before);

/** The best of the others that do better in every draw: the chosen one is for other clients too. Null: there is none. */
export function betterSentence(
  { best, similar }: TryChoice,
  before: string,
): AnswerSentence | null {
  const by = (["unadmitted", "refused"] as const).find((name) =>
    similar.some((row) => isAbove(best, row, name)),
  );
  if (by === undefined) return null;
  const next = bestBy(
    similar.filter((row) => isAbove(best, row, by)),
    by,
  );
  return {
    id: "better",
    text: `${sentenceCase(`${before}${limiterWords(next)}`)} does better: it ${effectWords(next, by)}.`,
    numbers: numberOf(next, by),
  };
}

/** The others that no criterion leaves out, with their numbers. */
export function similarSentence(
  { best, similar }: TryChoice,
  by: TryCriterion,
  named: readonly TryRow[],
): AnswerSentence | null {
  const others = similar.filter((row) => !named.includes(row));
  if (others.length === 0) return null;
  const words = others.map((row) => `${limiterWords(row)} (${valueWords(row, by, best)})`);
  return {
    id: "similar",
    text: `About as good here: ${namesWords(words)}.`,
    numbers: { candidates: others.length },
  };
}
