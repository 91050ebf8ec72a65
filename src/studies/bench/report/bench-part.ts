// A result of `weir bench` as the content of a report page.
import type { MeasuredPart, MeasuredTable } from "../../../lab/report/measured.ts";
import { figure } from "../../../kit/reading/legible.ts";
import { casesOf, metricOf, type BenchResult } from "../result.ts";
import { targetLine, targetsOf } from "../targets.ts";
import { percentRefused } from "../refusals.ts";
import { spreadIn } from "../medians.ts";
import { tablesOf, type BenchTable } from "../table.ts";
import { factsOf } from "./circumstances.ts";
import { latencyFigures, latencyNotes } from "./latency.ts";
import { overTime } from "./over-time.ts";
import { repeatsFigure, repeatsNotes } from "./repeats.ts";
import type { Samples } from "./samples.ts";

type Section = MeasuredPart["sections"][number];

/** Without headline, which the answer gives it. `samples` is null if the folder of the result has no file of samples. */
export function benchPart(result: BenchResult, samples: Samples | null): MeasuredPart {
  const { suite, target, capacity, stopped, warnings, machine, footer, cells } = result;
  const about = target === null ? suite.title : `${suite.title}: ${target}`;
  const facts = factsOf(result);
  const cases = casesOf(result);
  return {
    title: `Benchmark ${suite.id}, ${result.startedAt.slice(0, 16)}: ${about}`,
    headline: "",
    word: stopped === null ? null : "partial",
    doubts: warnings.filter((warning) => warning !== machine.busy), // of which the answer has a sentence
    summary: [
      `${about}. ${cells.length} cells and controls, ${footer.repeats} repeats${capacity === null ? "" : `; at most ${figure(capacity)} responses per second, from which limits and planned arrivals are derived`}.`,
    ],
    sections: [
      ...(cases.length > 0 ? [sectionOfCases(result, cases)] : sectionsOfCells(result, samples)),
      legendSection(result),
    ],
    facts: [...facts, ["suite", `${suite.id}, ${suite.hash}`]],
  };
}

/** Each case of parts with all its repeats, and the table of its candidates. */
const sectionOfCases = (result: BenchResult, cases: readonly string[]): Section => ({
  title: "Cases, each with its control",
  notes: [
    ...repeatsNotes(result),
    ...cases.flatMap((metric) => targetsOf(result, metric).map(targetLine)),
  ],
  figures: cases.flatMap((metric) => repeatsFigure(result, metric)),
  tables: tablesOf(result).map(textsOf),
});

const sectionsOfCells = (result: BenchResult, samples: Samples | null): readonly Section[] => [
  {
    title: "Cost of a request, and throughput",
    notes: [...repeatsNotes(result), ...tablesOf(result).flatMap(({ notes }) => notes)],
    figures: (["cpu", "throughput", "cpu_store"] as const).flatMap((metric) =>
      repeatsFigure(result, metric),
    ),
    tables: [
      ...tablesOf(result).map(textsOf),
      {
        ...buildMetricsTable(result),
        folded: "All metrics, as medians",
        names: 1,
      },
    ],
  },
  {
    title: "Latency of responses",
    notes:
      samples === null
        ? [noSamples(result, "percentiles of all responses")]
        : latencyNotes(result, samples),
    figures: samples === null ? repeatsFigure(result, "p99") : latencyFigures(result, samples),
    tables: [],
  },
  {
    title: "During the run",
    notes: [
      "Cells and controls take turns: a column is the time in which one of them was measured.",
      ...(samples === null ? [noSamples(result, "processor time and memory")] : []),
    ],
    figures: overTime(result, samples),
    tables: [],
  },
];

const legendSection = (result: BenchResult): Section => ({
  title: "Legend",
  notes: [...new Set(tablesOf(result).flatMap(({ legend }) => legend))].map((line) =>
    line.replace(/(?<!\.)$/, "."),
  ),
  figures: [],
  tables: [],
});

const noSamples = ({ samples }: BenchResult, what: string): string =>
  `The raw samples${samples === null ? "" : `, ${samples},`} are not in the folder of this result: without them there are no ${what}.`;

const textsOf = ({ title, heads, rows }: BenchTable): MeasuredTable => ({
  heads: heads.map((head, at) => (at === 0 ? "cell" : head.replaceAll("+-", "±"))),
  rows: rows.map(({ texts }) => texts),
  folded: title,
  names: 1,
});

function buildMetricsTable(result: BenchResult): Pick<MeasuredTable, "heads" | "rows"> {
  const { cells } = result;
  const isMeasured = (metric: string): boolean =>
    cells.some((cell) => spreadIn(cell, metric) !== null);
  const measured = Object.keys(result.metrics).filter(isMeasured);
  return {
    heads: ["figure", ...cells.map(({ name, role }) => (role === "control" ? `(${name})` : name))],
    rows: measured.map((metric) => {
      const { about, unit } = metricOf(result, metric);
      return [
        `${about}${unit === "" ? "" : `, ${unit}`}`,
        ...cells.map((cell) => {
          const value =
            metric === "refused"
              ? percentRefused(cell.repeats)
              : (spreadIn(cell, metric)?.median ?? null);
          return value === null ? "" : figure(value);
        }),
      ];
    }),
  };
}
