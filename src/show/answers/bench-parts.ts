// Sentences about a suite that measures parts of Weir: each case as a multiple of its control.
import { portableCommand } from "../../kit/command-line.ts";
import { figure, many, plural } from "../../kit/reading/legible.ts";
import type { AnswerSentence } from "../../lab/report/answer.ts";
import { spreadIn, timesRange, yardstick, type TimesRange } from "../../studies/bench/medians.ts";
import {
  casesOf,
  metricOf,
  type BenchCellResult,
  type BenchResult,
} from "../../studies/bench/result.ts";
import { targetsOf } from "../../studies/bench/targets.ts";
import { likelyWords, partWords, timesWords } from "./bench-words.ts";
import { listWords, sentenceCase } from "./words.ts";

const WHOLE = portableCommand(["bench"]);

/** The most cases with a sentence; the tables have all of them. */
const MOST_CASES = 4;

export function partSentences(result: BenchResult): readonly (AnswerSentence | null)[] {
  const [first = null, ...others] = casesOf(result).flatMap(
    (metric) => caseSentence(result, metric) ?? [],
  );
  const more = others.slice(MOST_CASES - 1).length;
  return [
    first,
    targetsSentence(result),
    ...others.slice(0, MOST_CASES - 1),
    more === 0
      ? null
      : {
          id: "more-cases",
          text: `The tables have ${many(more, "more case")}.`,
          numbers: { cases: more },
        },
    roundsSentence(result),
    {
      id: "process",
      text: `Compare these multiples, and not times, with another machine or day. They are of parts alone; ${WHOLE} measures whole requests.`,
      numbers: { cases: casesOf(result).length },
      command: WHOLE,
    },
  ];
}

interface Candidate extends TimesRange {
  readonly cell: BenchCellResult;
}

/** Null: the case has no value for its control, or for no other candidate. */
function caseSentence(result: BenchResult, metric: string): AnswerSentence | null {
  const control = yardstick(result, metric);
  if (control === null) return null;
  const candidates = result.cells.flatMap((cell): readonly Candidate[] => {
    const found = cell === control ? null : timesRange(result, cell, control, metric);
    return found === null ? [] : [{ cell, ...found }];
  });
  const own = candidates.find(({ cell }) => cell.role === "cell") ?? candidates[0];
  if (own === undefined) return null;
  const { about, unit } = metricOf(result, metric);
  const value = spreadIn(own.cell, metric)!.median;
  const rivals = candidates.filter((each) => each !== own && isRival(each.cell));
  const isChance =
    isSingle(own.cell) ||
    (own.range === null ? isOverlapping(own.cell, control, metric) : !own.isApart);
  const ofControl = `${timesWords(own.times)} ${partWords(control.name)}${likelyWords(own.range)}${isChance ? ", which chance may explain" : ""}`;
  const verb = verbOf(unit, own.cell.name);
  const compared = rivalWords(own.cell, rivals, metric, unit);
  return {
    id: `case-${metric}`,
    text: `${sentenceCase(about)}: ${partWords(own.cell.name)} ${verb} ${amountOf(value, unit)} here, ${compared === "" ? ofControl : `${compared}; it ${verb} ${ofControl}`}.`,
    numbers: { value, times: own.times, ...own.range, rivals: rivals.length },
  };
}

/** "less than express-rate-limit (516 ns), and about as much as @fastify/rate-limit (283 ns)"; empty: no rival. */
function rivalWords(
  own: BenchCellResult,
  rivals: readonly Candidate[],
  metric: string,
  unit: string,
): string {
  const medianOf = (cell: BenchCellResult): number => spreadIn(cell, metric)!.median;
  const relation = ({ cell }: Candidate): string =>
    isSingle(own)
      ? "next to"
      : isOverlapping(own, cell, metric)
        ? "about as much as"
        : medianOf(own) < medianOf(cell)
          ? "less than"
          : "more than";
  const inOrder = rivals.toSorted((a, b) => a.times - b.times);
  const groups = [...Map.groupBy(inOrder, relation)].map(
    ([words, all]) =>
      `${words} ${listWords(all.map(({ cell }) => `${partWords(cell.name)} (${amountOf(medianOf(cell), unit)})`))}`,
  );
  if (groups.length < 2)
    return `${groups.join("")}${isSingle(own) && groups.length > 0 ? ", which one round does not rank" : ""}`;
  return `${groups.slice(0, -1).join(", ")}, and ${groups.at(-1)!}`;
}

/** One round has no spread: a difference of any size may be chance. */
const isSingle = ({ repeats }: BenchCellResult): boolean => repeats.length < 2;

/** Another limiter or program. A bare one has no limit: what a limit costs beyond it is no merit of another limiter. */
const isRival = ({ name, role }: BenchCellResult): boolean =>
  role === "control" && !name.startsWith("bare ");

const RATE = "1/s";

/** "284 ns", or "334,110 a second". */
const amountOf = (value: number, unit: string): string =>
  unit === RATE ? `${figure(value)} a second` : `${figure(value)} ${unit}`;

/** A candidate may have the name of its input, such as "10,000 requests". */
const verbOf = (unit: string, name: string): string => {
  const isOne = !/^\d/.test(name) || name.startsWith("1 ");
  return unit.endsWith("/s")
    ? plural(isOne ? 1 : 2, "reaches", "reach")
    : plural(isOne ? 1 : 2, "takes", "take");
};

/** Whether the values of one and of the other overlap. */
function isOverlapping(one: BenchCellResult, other: BenchCellResult, metric: string): boolean {
  const [a, b] = [spreadIn(one, metric)!, spreadIn(other, metric)!];
  return a.min <= b.max && b.min <= a.max;
}

/** With fewer, no range of a median is known. */
const ENOUGH_ROUNDS = 6;

export function roundsSentence({ cells }: BenchResult): AnswerSentence | null {
  const rounds = Math.max(...cells.map(({ repeats }) => repeats.length));
  if (rounds >= ENOUGH_ROUNDS) return null;
  return {
    id: "rounds",
    text: `--repeats 10 measures ten rounds instead of ${rounds}, which separate smaller differences from chance.`,
    numbers: { rounds },
  };
}

const MOST_MISSED = 2;

function targetsSentence(result: BenchResult): AnswerSentence | null {
  const all = casesOf(result).flatMap((metric) =>
    targetsOf(result, metric).map((target) => ({
      ...target,
      about: metricOf(result, metric).about,
    })),
  );
  if (all.length === 0) return null;
  const missed = all.filter(({ isMet }) => !isMet);
  const met = all.length - missed.length;
  const named = missed
    .slice(0, MOST_MISSED)
    .map(({ about, text, measured }) => ` Not met for ${about}: ${text}; measured ${measured}.`);
  return {
    id: "targets",
    text: `${met} of ${many(all.length, "target")} of the suite ${plural(met, "is", "are")} met.${named.join("")}`,
    numbers: { targets: all.length, met },
  };
}
