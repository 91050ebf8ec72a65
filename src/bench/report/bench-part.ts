// A result of `weir bench` as what a page tells of it.
import type { MeasuredPart, MeasuredTable } from "../../report/measured.ts";
import { figure } from "../figure.ts";
import type { BenchResult } from "../result.ts";
import { spreadIn, tableOf } from "../table.ts";
import { METRIC_NAMES, METRICS, type MetricName } from "../suite.ts";
import { factsOf } from "./circumstances.ts";
import { latencyFigures, latencyNotes } from "./latency.ts";
import { overTime } from "./over-time.ts";
import { repeatsFigure, repeatsNotes } from "./repeats.ts";
import type { Samples } from "./samples.ts";

/** Samples are null where no file with them lies beside the result. */
export function benchPart(result: BenchResult, samples: Samples | null): MeasuredPart {
  const { suite, target, capacity, stopped, warnings, footer, cells } = result;
  const about = target === null ? suite.title : `${suite.title}: ${target}`;
  const facts = factsOf(result);
  return {
    title: `Benchmark ${suite.id}, ${result.startedAt.slice(0, 16)}: ${about}`,
    headline: about,
    word: stopped === null ? null : "partial",
    doubts: [
      ...(stopped === null ? [] : [`It is not whole: ${stopped}.`]),
      ...(footer.errors === 0
        ? []
        : [`${figure(footer.errors)} requests had no answer, or one that nobody expects.`]),
      ...warnings,
    ],
    summary: [
      `${cells.length} cells and controls, ${footer.repeats} repeats${capacity === null ? "" : `; at most ${figure(capacity)} answers a second, from which limits and planned arrivals are made`}.`,
    ],
    sections: [
      {
        title: "What a request costs, and how many there are",
        notes: repeatsNotes(result),
        figures: (["cpu", "throughput", "cpu_store"] as const).flatMap((metric) =>
          repeatsFigure(result, metric),
        ),
        tables: [
          { ...tableIn(result), folded: null, names: 1 },
          { ...everything(result), folded: "Everything that was measured, as medians", names: 1 },
        ],
      },
      {
        title: "How long answers took",
        notes:
          samples === null
            ? [noSamples(result, "percentiles of all answers")]
            : latencyNotes(result, samples),
        figures: samples === null ? repeatsFigure(result, "p99") : latencyFigures(result, samples),
        tables: [],
      },
      {
        title: "While it ran",
        notes: [
          "Cells and controls take turns: a column is where one of them was at work.",
          ...(samples === null ? [noSamples(result, "processor time and memory")] : []),
        ],
        figures: overTime(result, samples),
        tables: [],
      },
    ],
    facts: [...facts, ["suite", `${suite.id}, ${suite.hash}`]],
  };
}

const noSamples = ({ samples }: BenchResult, what: string): string =>
  `The raw samples${samples === null ? "" : `, ${samples},`} do not lie beside this result: without them there are no ${what}.`;

function tableIn(result: BenchResult): Pick<MeasuredTable, "heads" | "rows"> {
  const { heads, rows } = tableOf(result);
  return {
    heads: heads.map((head, at) => (at === 0 ? "cell" : head.replaceAll("+-", "±"))),
    rows: rows.map(({ texts }) => texts),
  };
}

function everything({ cells }: BenchResult): Pick<MeasuredTable, "heads" | "rows"> {
  const isSeen = (metric: MetricName): boolean =>
    cells.some((cell) => spreadIn(cell, metric) !== null);
  const seen = METRIC_NAMES.filter(isSeen);
  return {
    heads: ["figure", ...cells.map(({ name, role }) => (role === "control" ? `(${name})` : name))],
    rows: seen.map((metric) => {
      const { about, unit } = METRICS[metric];
      return [
        `${about}${unit === "" ? "" : `, ${unit}`}`,
        ...cells.map((cell) => {
          const spread = spreadIn(cell, metric);
          return spread === null ? "" : figure(spread.median);
        }),
      ];
    }),
  };
}
