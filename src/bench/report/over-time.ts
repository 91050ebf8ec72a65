// What processes took while the run went on: from the samples where they were looked at, by repeat otherwise.
import type { Lane, LanesFigure } from "../../report/figures/measured/figures.ts";
import type { BenchResult, CellResult } from "../result.ts";
import { METRICS, type MetricName } from "../suite.ts";
import type { Samples, Seen } from "./samples.ts";

const MIB = 2 ** 20;

type Named = Pick<LanesFigure, "title" | "unit">;

export function overTime(result: BenchResult, samples: Samples | null): readonly LanesFigure[] {
  const { cells, tookSeconds } = result;
  const seen = Map.groupBy(samples?.repeats ?? [], ({ cell }) => cell);
  const figureOf = (named: Named, laneOf: (cell: CellResult) => Lane): readonly LanesFigure[] => {
    const lanes = cells.map(laneOf).filter(({ values }) => values.length > 0);
    return lanes.length === 0
      ? []
      : [{ kind: "lanes", ...named, untilS: roundedUp(tookSeconds), lanes }];
  };
  const looked = (named: Named, of: (one: Seen) => number): readonly LanesFigure[] =>
    figureOf(named, (cell) => {
      const all = (seen.get(cell.name) ?? []).flatMap((one) => one.seen);
      return {
        ...whose(cell),
        fromS: all.map(({ fromS }) => rounded(fromS)),
        toS: all.map(({ toS }) => rounded(toS)),
        values: all.map((one) => rounded(of(one))),
      };
    });
  const repeated = (metric: MetricName): readonly LanesFigure[] => {
    const { about, unit } = METRICS[metric];
    return figureOf({ title: `${about}, by repeat`, unit }, (cell) => {
      const all = cell.repeats.flatMap(({ atSeconds, answers, metrics }) => {
        const value = metrics[metric];
        const lasts = metrics["throughput"] === undefined ? 1 : answers / metrics["throughput"];
        return value === undefined ? [] : [{ atSeconds, lasts, value }];
      });
      return {
        ...whose(cell),
        fromS: all.map(({ atSeconds }) => rounded(atSeconds)),
        toS: all.map(({ atSeconds, lasts }) => rounded(atSeconds + lasts)),
        values: all.map(({ value }) => rounded(value)),
      };
    });
  };
  return [
    ...looked(
      { title: "processor time of the process, by sample", unit: "% of a core" },
      (one) => 100 * one.core,
    ),
    ...looked(
      { title: "memory of the process, by sample", unit: "MiB" },
      (one) => one.rssBytes / MIB,
    ),
    ...(["loop_p99", "redis_memory", "cpu_store", "redis_commands"] as const).flatMap(repeated),
  ];
}

const whose = ({ name, role }: CellResult): Pick<Lane, "what" | "isControl"> => ({
  what: name,
  isControl: role === "control",
});

const rounded = (value: number): number => Number(value.toPrecision(5));
const roundedUp = (seconds: number): number => Math.max(1, Math.ceil(seconds));
