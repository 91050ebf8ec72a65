// The answer of weir bench: what a limit costs on this machine as a multiple of the control, and what the run does
// not show.
import { figure, many, plural } from "../../kit/reading/legible.ts";
import type { Answer, AnswerSentence } from "../../lab/report/answer.ts";
import { boundResults } from "../../studies/bench/bounds.ts";
import {
  isBeyondProcesses,
  spreadIn,
  timesRange,
  WORTH_OF_A_PROCESS,
  yardstick,
  type TimesRange,
} from "../../studies/bench/medians.ts";
import { hasEqualRefusals, percentRefused, refusalText } from "../../studies/bench/refusals.ts";
import { casesOf, type BenchCellResult, type BenchResult } from "../../studies/bench/result.ts";
import { termsOf } from "../../studies/bench/table.ts";
import { partSentences, roundsSentence } from "./bench-parts.ts";
import {
  busySentence,
  cellWords,
  errorsSentence,
  likelyWords,
  OTHER_COST,
  timesWords,
} from "./bench-words.ts";
import { namesWords } from "./words.ts";

export function answerBench(result: BenchResult): Answer {
  return [
    busySentence(result.machine.busy), // first: it is true of every number after it
    ...sentencesOf(result),
    errorsSentence(result.footer.errors, OTHER_COST),
    endSentence(result),
  ].flatMap((sentence) => sentence ?? []);
}

function sentencesOf(result: BenchResult): readonly (AnswerSentence | null)[] {
  if (result.cells.length === 0) return [];
  if (casesOf(result).length > 0) return partSentences(result);
  return result.target === null ? gatewaySentences(result) : targetSentences(result);
}

interface ComparedCell extends TimesRange {
  readonly cell: BenchCellResult;
}

function gatewaySentences(result: BenchResult): readonly (AnswerSentence | null)[] {
  const control = yardstick(result, "cpu");
  const isLimitless = control?.name === "unlimited";
  const limited = isLimitless ? cellsWithLimit(result) : [];
  const compared = limited.flatMap((cell): readonly ComparedCell[] => {
    const range = timesRange(result, cell, control!, "cpu");
    return range === null ? [] : [{ cell, ...range }];
  });
  return [
    isLimitless ? costSentence(limited[0], compared, control) : null,
    algorithmsSentence(compared),
    control === null ? null : multiplesSentence(compared, control),
    isLimitless ? storeSentence(result, control) : null,
    boundsSentence(result),
    isLimitless ? null : noControlSentence(result),
    isLimitless ? gatewaysSentence(result, control) : null,
    control === null ? null : apartSentence(result, control),
    processSentence(result),
    roundsSentence(result),
    speedSentence(result),
  ];
}

/** What a multiple is, if the medians of the table give another quotient. */
function multiplesSentence(
  compared: readonly ComparedCell[],
  control: BenchCellResult,
): AnswerSentence | null {
  const without = spreadIn(control, "cpu")?.median ?? 0;
  const different = compared.filter(
    ({ cell, times }) => figure(spreadIn(cell, "cpu")!.median / without) !== figure(times),
  );
  if (different.length === 0) return null;
  return {
    id: "multiples",
    text: "A multiple is the median of those of the rounds, and the medians of the table may give another quotient.",
    numbers: { cells: different.length },
  };
}

/** Cells with a limit that differ from the base in nothing but the algorithm; the base first. */
const cellsWithLimit = ({ cells }: BenchResult): readonly BenchCellResult[] =>
  cells
    .filter(
      ({ name, factors }) =>
        factors !== null && (name === "base" || name === `algorithm=${factors.algorithm}`),
    )
    .toSorted((a, b) => Number(b.name === "base") - Number(a.name === "base"));

function costSentence(
  first: BenchCellResult | undefined,
  [own]: readonly ComparedCell[],
  control: BenchCellResult,
): AnswerSentence | null {
  if (first === undefined)
    return {
      id: "cost",
      text: "This run does not show what a limit costs, because it measured neither the base nor a cell of an algorithm alone.",
      numbers: {},
    };
  if (own === undefined) {
    if (hasEqualRefusals(first, control)) return null; // the two share no round
    const refused = percentRefused(first.repeats) ?? 0;
    return {
      id: "cost",
      text: `This run does not show what a limit costs: ${cellWords(first)} refused ${refusalText(refused)} of its requests, and a refusal costs less than an answer.`,
      numbers: { refused, refusedByControl: percentRefused(control.repeats) ?? 0 },
    };
  }
  const { cell, times, range, extremes, isApart, isSeen } = own;
  const us = spreadIn(cell, "cpu")!.median;
  const takes = `takes ${figure(us)} us of processor time`;
  const without = `${timesWords(times)} one without`;
  const limiter = cellWords(cell);
  const seen = range ?? extremes;
  const isAround = seen !== null && seen.low <= 1 && seen.high >= 1;
  const rounds = range === null ? ` in ${many(cell.repeats.length, "round")}` : "";
  const unseen = isAround
    ? `A limit costs too little to be seen in this run (${figure(seen.low)} to ${figure(seen.high)} times${rounds})`
    : isApart
      ? "A limit costs no more here than two processes of equal code can differ"
      : `${many(cell.repeats.length, "round")} cannot separate the cost of a limit from chance`;
  return {
    id: "cost",
    text: isSeen
      ? `A request with a limit (${limiter}) ${takes} here, ${without}${likelyWords(range)}.`
      : `${unseen}: a request with ${limiter} ${takes}, ${without}${isApart ? likelyWords(range) : ""}.`,
    numbers: { us, times, ...seen },
  };
}

function algorithmsSentence(compared: readonly ComparedCell[]): AnswerSentence | null {
  if (compared.length < 2) return null;
  const inOrder = compared.toSorted((a, b) => a.times - b.times);
  const [least, most] = [inOrder[0]!, inOrder.at(-1)!];
  const numbers = { algorithms: compared.length, least: least.times, most: most.times };
  const isRestarted = hasStarts(compared[0]!.cell);
  const isApart =
    least.range !== null &&
    most.range !== null &&
    most.range.low > least.range.high &&
    (isRestarted || isBeyondProcesses(most.times / least.times));
  return {
    id: "algorithms",
    text: isApart
      ? `Of ${many(compared.length, "algorithm")} ${cellWords(most.cell)} costs most, ${timesWords(most.times)} a request without a limit${likelyWords(most.range)}, and ${cellWords(least.cell)} least, ${timesWords(least.times)}${likelyWords(least.range)}.`
      : `No algorithm of ${compared.length} is shown to cost more than another. The least takes ${timesWords(least.times)} the processor time of a request without a limit (${endWords(least)}), the most ${timesWords(most.times)} (${endWords(most)}).`,
    numbers,
  };
}

/** "a sliding log, likely 1.02 to 1.3". */
const endWords = ({ cell, range }: ComparedCell): string =>
  `${cellWords(cell)}${range === null ? "" : `, likely ${figure(range.low)} to ${figure(range.high)}`}`;

const hasStarts = ({ repeats }: BenchCellResult): boolean =>
  new Set(repeats.map(({ start = 0 }) => start)).size > 1;

function storeSentence(result: BenchResult, control: BenchCellResult): AnswerSentence | null {
  const cell = result.cells.find(({ name }) => name === "store=redis");
  const found = cell === undefined ? null : timesRange(result, cell, control, "cpu");
  if (found === null) return null;
  const { times, range } = found;
  return {
    id: "store",
    text: `With its counters in Redis a request takes ${timesWords(times)} one without a limit${likelyWords(range)}, without the processor time of Redis itself.`,
    numbers: { times, ...range },
  };
}

function boundsSentence(result: BenchResult): AnswerSentence | null {
  const all = boundResults(result);
  if (all.length === 0) return null;
  const intact = all.filter(({ measured, broken }) => measured !== null && broken === 0).length;
  const unmeasured = all.filter(({ measured }) => measured === null).length;
  const [worst] = all
    .filter(({ broken }) => broken > 0)
    .toSorted((a, b) => b.broken / b.starts - a.broken / a.starts);
  const numbers = { bounds: all.length, intact, unmeasured };
  const left =
    unmeasured === 0 ? "" : `; ${unmeasured} ${plural(unmeasured, "has", "have")} no value`;
  const count = `${intact} of ${many(all.length, "bound")} of the suite`;
  const summary =
    worst === undefined && intact === all.length
      ? `All bounds of the suite (${intact}) are`
      : `${count} ${plural(intact, "is", "are")}`;
  const measured = worst?.measured == null ? "" : `; measured ${figure(worst.measured.median)}`;
  return {
    id: "bounds",
    text: `${summary} kept in each start${left}.${worst === undefined ? "" : ` Broken most often, in ${worst.broken} of ${many(worst.starts, "start")}: ${worst.text}${measured}.`}`,
    numbers:
      worst === undefined ? numbers : { ...numbers, broken: worst.broken, starts: worst.starts },
  };
}

/** For a run without the control `unlimited`. */
const noControlSentence = (result: BenchResult): AnswerSentence => ({
  id: "no-control",
  text: "This run does not show what a limit costs, because it has no gateway without one; --control unlimited adds it.",
  numbers: { cells: result.cells.length },
});

function gatewaysSentence(result: BenchResult, control: BenchCellResult): AnswerSentence | null {
  const others = result.cells
    .filter(({ name, role }) => role === "control" && !["unlimited", "upstream"].includes(name))
    .flatMap((cell): readonly ComparedCell[] => {
      const range = timesRange(result, cell, control, "cpu");
      return range === null ? [] : [{ cell, ...range }];
    })
    .toSorted((a, b) => a.times - b.times);
  const [least, most] = [others[0], others.at(-1)];
  if (least === undefined || most === undefined) return null;
  const terms =
    termsOf(result).length === 0 ? "" : "; they do not all count alike, as the legend states";
  const last =
    others.length === 1
      ? ""
      : `, and ${most.cell.name} ${timesWords(most.times)}${likelyWords(most.range)}`;
  return {
    id: "gateways",
    text: `${others.length > 2 ? `Of ${others.length} controls` : "For comparison,"} ${least.cell.name} takes ${others.length > 2 ? "least, " : ""}${timesWords(least.times)} what Weir takes without a limit${likelyWords(least.range)}${last}${terms}.`,
    numbers: { gateways: others.length, least: least.times, most: most.times },
  };
}

function apartSentence({ cells }: BenchResult, control: BenchCellResult): AnswerSentence | null {
  const apart = cells.filter((cell) => !hasEqualRefusals(cell, control));
  if (apart.length === 0) return null;
  const names = apart.map(({ name }) => name);
  return {
    id: "apart",
    text: `${namesWords(names)} ${plural(apart.length, "is", "are")} left out, because ${plural(apart.length, "it", "they")} refused another share than ${control.name}, and a refusal costs less.`,
    numbers: { cells: apart.length },
  };
}

/** Which differences mean nothing, because each gateway was one process. */
function processSentence({ cells }: BenchResult): AnswerSentence | null {
  if (cells.every(hasStarts)) return null;
  const percent = 100 * WORTH_OF_A_PROCESS;
  return {
    id: "process",
    text: `Each gateway was one process, and two of equal code can differ by ${percent} %; --starts 5 starts all of them anew.`,
    numbers: { percent },
  };
}

/** The speed beyond which the run has no values: a closed loop sends as fast as the base answers. */
function speedSentence({ cells }: BenchResult): AnswerSentence | null {
  const base = cells.find(({ name }) => name === "base");
  const speed = base === undefined ? null : (spreadIn(base, "throughput")?.median ?? null);
  if (speed === null) return null;
  return {
    id: "speed",
    text: `The base answers ${figure(speed)} requests a second here; a higher load and other machines were not measured.`,
    numbers: { speed },
  };
}

function targetSentences(result: BenchResult): readonly (AnswerSentence | null)[] {
  const cell = result.cells.find(({ name }) => name === "base") ?? result.cells[0]!;
  const [speed, p50, p99] = ["throughput", "p50", "p99"].map(
    (metric) => spreadIn(cell, metric)?.median,
  );
  const refused = percentRefused(cell.repeats);
  return [
    speed === undefined
      ? null
      : {
          id: "target",
          text: `${result.target} gave ${figure(speed)} responses a second${p50 === undefined || p99 === undefined ? "" : `, half of them within ${figure(p50)} ms and 99 of 100 within ${figure(p99)} ms`}.`,
          numbers: {
            speed,
            ...(p50 === undefined ? {} : { p50 }),
            ...(p99 === undefined ? {} : { p99 }),
          },
        },
    refused === null || refused === 0
      ? null
      : {
          id: "target-refused",
          text: `It refused ${refusalText(refused)} of the requests, and a refusal costs less than an answer.`,
          numbers: { refused },
        },
    {
      id: "no-control",
      text: "No control was measured, so this run does not show whether the gateway or its machine sets these numbers.",
      numbers: { cells: result.cells.length },
    },
  ];
}

const endSentence = ({ stopped, footer: { repeats } }: BenchResult): AnswerSentence | null =>
  stopped === null && repeats > 0
    ? null
    : {
        id: "stopped",
        text: `${repeats === 0 ? "Nothing was measured" : `The run is incomplete, with ${many(repeats, "repeat")}`}${stopped === null ? "" : `: ${stopped}`}.`,
        numbers: { repeats },
      };
