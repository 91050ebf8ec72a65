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
import { sentenceCase } from "./words.ts";

const WHOLE = portableCommand(["bench"]);

/** The most cases with a sentence; the tables have all of them. */
const MOST_CASES = 4;

export function partSentences(result: BenchResult): readonly (AnswerSentence | null)[] {
  const cases = casesOf(result).flatMap((metric) => caseSentence(result, metric) ?? []);
  return [
    ...cases.slice(0, MOST_CASES),
    ...(cases.length <= MOST_CASES
      ? []
      : [
          {
            id: "more-cases",
            text: `The tables have ${many(cases.length - MOST_CASES, "more case")}.`,
            numbers: { cases: cases.length - MOST_CASES },
          },
        ]),
    roundsSentence(result),
    {
      id: "process",
      text: `Compare these multiples, and not times, with another machine or day. They are of parts alone; ${WHOLE} measures whole requests.`,
      numbers: { cases: cases.length },
      command: WHOLE,
    },
    targetsSentence(result),
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
  const others = candidates
    .filter((each) => each !== own && !isBare(each.cell))
    .toSorted((a, b) => a.times - b.times);
  const [least, most] = [others[0], others.at(-1)];
  const each = ({ cell, times, range }: Candidate): string =>
    `${partWords(cell.name)} ${timesWords(times)}${likelyWords(range)}`;
  const rest =
    least === undefined || most === undefined
      ? ""
      : least === most
        ? ` For comparison, ${each(least)}.`
        : ` The others ${verbOf(unit).slice(0, -1)} ${figure(least.times)} (${least.cell.name}) to ${timesWords(most.times)} (${most.cell.name}).`;
  const isChance = own.range === null ? isOverlapping(own.cell, control, metric) : !own.isApart;
  const chance = isChance ? ", which chance may explain" : "";
  return {
    id: `case-${metric}`,
    text: `${sentenceCase(about)}: ${partWords(own.cell.name)} ${verbOf(unit)} ${figure(value)} ${unit} here, ${timesWords(own.times)} ${partWords(control.name)}${likelyWords(own.range)}${chance}.${rest}`,
    numbers: {
      value,
      times: own.times,
      ...own.range,
      ...(least === undefined || most === undefined
        ? {}
        : { least: least.times, most: most.times }),
    },
  };
}

/** Without a limit: what a limit costs beyond it is no merit of another limiter. */
const isBare = ({ name }: BenchCellResult): boolean => name.startsWith("bare ");

const isRate = (unit: string): boolean => unit.endsWith("/s");
const verbOf = (unit: string): string => (isRate(unit) ? "does" : "takes");

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
  const all = casesOf(result).flatMap((metric) => targetsOf(result, metric));
  if (all.length === 0) return null;
  const missed = all.filter(({ isMet }) => !isMet);
  const met = all.length - missed.length;
  const named = missed
    .slice(0, MOST_MISSED)
    .map(({ text, measured }) => ` Not met: ${text}; measured ${measured}.`);
  return {
    id: "targets",
    text: `${met} of ${many(all.length, "target")} of the suite ${plural(met, "is", "are")} met.${named.join("")}`,
    numbers: { targets: all.length, met },
  };
}
