// Charts of latency: a line over percentiles for each cell, from all repeats of the cell.
import * as hdr from "hdr-histogram-js";
import { FACTORS } from "../suite.ts";
import type { PercentilesFigure, PercentileLine } from "../../../lab/report/measured-figures.ts";
import type { BenchResult, BenchCellResult } from "../result.ts";
import { summarise } from "../../../kit/stats/summary.ts";
import type { SampledLatency, Samples } from "./samples.ts";

/** The percentiles of a line: for 20, one response in 20 takes longer. */
const ONE_IN = [1, 1.25, 1.6, 2, 3, 5, 7, 10, 20, 30, 50, 70];

/** The most lines of one figure: readers cannot distinguish more. */
const MOST_LINES = 6;

/** One figure for each changed factor, with the base and the controls. A figure with too many lines is split. */
export function latencyFigures(
  result: BenchResult,
  { repeats }: Samples,
): readonly PercentilesFigure[] {
  const sampled = Map.groupBy(repeats, ({ cell }) => cell);
  const lineOf = (cell: BenchCellResult): readonly PercentileLine[] => {
    const all = (sampled.get(cell.name) ?? []).flatMap(({ latency }) => latency ?? []);
    return all.length === 0
      ? []
      : [{ what: cell.name, isControl: cell.role === "control", ...distributionOf(all) }];
  };
  const controls = result.cells.filter(({ role }) => role === "control").flatMap(lineOf);
  const own = result.cells.filter(({ role }) => role === "cell");
  const base = own.filter(({ name }) => factorsIn(name) === "");
  const others = Map.groupBy(
    own.filter((cell) => !base.includes(cell)),
    ({ name }) => factorsIn(name),
  );
  const groups: Group[] = [];
  for (const [factor, cells] of others)
    for (const part of inParts(cells, MOST_LINES)) {
      const last = groups.at(-1);
      if (last === undefined || last.cells.length + part.length > MOST_LINES)
        groups.push({ factors: [factor], cells: part });
      else groups[groups.length - 1] = joinGroup(last, factor, part);
    }
  if (groups.length === 0) groups.push({ factors: [], cells: [] });
  return groups.flatMap(({ factors, cells }): readonly PercentilesFigure[] => {
    const lines = [...[...base, ...cells].flatMap(lineOf), ...controls];
    const title = `time to the response${factors.length === 0 ? "" : `, by ${factors.join(", ")}`}`;
    return lines.length === 0 ? [] : [{ kind: "percentiles", title, unit: "ms", lines }];
  });
}

interface Group {
  readonly factors: readonly string[];
  readonly cells: readonly BenchCellResult[];
}

const joinGroup = (
  { factors, cells }: Group,
  factor: string,
  more: readonly BenchCellResult[],
): Group => ({
  factors: factors.includes(factor) ? factors : [...factors, factor],
  cells: [...cells, ...more],
});

/** The changed factors in the name of a cell; the empty string for the base. */
const factorsIn = (name: string): string =>
  FACTORS.filter((factor) => ` ${name}`.includes(` ${factor}=`)).join(" and ");

const inParts = <T>(all: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  );

type Distribution = Pick<PercentileLine, "oneIn" | "values">;

/** The distribution of latencies: exact if all samples have histograms; older samples give only five points. */
export function distributionOf(all: readonly SampledLatency[]): Distribution {
  const written = all.flatMap(({ histogram }) => histogram ?? []);
  return written.length < all.length ? mergeMedians(all) : mergeHistograms(written);
}

function mergeHistograms(written: readonly string[]): Distribution {
  const [first, ...others] = written.map((text) => hdr.decodeFromCompressedBase64(text));
  for (const other of others) first!.add(other);
  const { totalCount, maxValue } = first!;
  const steps = ONE_IN.flatMap((at) => [at, at * 100, at * 10_000, at * 1_000_000])
    .filter((at, index, steps_) => at < totalCount && steps_.indexOf(at) === index)
    .toSorted((a, b) => a - b);
  return {
    oneIn: [...steps, totalCount],
    values: [
      ...steps.map((at) => first!.getValueAtPercentile(100 - 100 / at) / 1_000),
      maxValue / 1_000,
    ],
  };
}

function mergeMedians(all: readonly SampledLatency[]): Distribution {
  const count = all.reduce((sum, one) => sum + one.count, 0);
  const points = (
    [
      [2, "p50Us"],
      [10, "p90Us"],
      [100, "p99Us"],
      [1_000, "p999Us"],
    ] as const
  ).filter(([oneIn]) => oneIn < count / all.length);
  return {
    oneIn: [...points.map(([oneIn]) => oneIn), count],
    values: [
      ...points.map(([, name]) => summarise(all.map((one) => one[name])).median / 1_000),
      Math.max(...all.map(({ maxUs }) => maxUs)) / 1_000,
    ],
  };
}

/** The notes that explain the lines of the figures. */
export const latencyNotes = ({ cells }: BenchResult, { repeats }: Samples): readonly string[] => {
  const isExact = repeats.every(({ latency }) => latency === null || latency.histogram !== null);
  const closed = cells.filter(
    ({ factors, role }) => role === "control" || factors?.load_model === "closed",
  );
  return [
    isExact
      ? "All repeats of a cell together, from their histograms; the last point is the longest response."
      : "These samples have five points of each repeat: p50, p90, p99, p99.9 as medians over repeats, and the longest response. The lines between them only guide the eye.",
    ...(closed.length === 0
      ? []
      : [
          `${closed.length === cells.length ? "All of these" : closed.map(({ name }) => name).join(", ")} got their load from a closed loop, which sends nothing while it waits: it has fewer slow responses than clients with a rate of their own would get.`,
        ]),
  ];
};
