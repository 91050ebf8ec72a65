// The resource usage of processes during the run: from samples if there are any, otherwise by repeat.
import type { Lane, LanesFigure } from "../../../lab/report/measured-figures.ts";
import type { BenchResult, BenchCellResult } from "../result.ts";
import { METRICS, type BenchMetricName } from "../suite.ts";
import type { Samples, ProcessSample } from "./samples.ts";

const MIB = 2 ** 20;

type Named = Pick<LanesFigure, "title" | "unit">;

export function overTime(result: BenchResult, samples: Samples | null): readonly LanesFigure[] {
  const { cells, tookSeconds } = result;
  const samplesOf = Map.groupBy(samples?.repeats ?? [], ({ cell }) => cell);
  const figureOf = (
    named: Named,
    laneOf: (cell: BenchCellResult) => Lane,
  ): readonly LanesFigure[] => {
    const lanes = cells.map(laneOf).filter(({ values }) => values.length > 0);
    return lanes.length === 0
      ? []
      : [{ kind: "lanes", ...named, untilS: roundUp(tookSeconds), lanes }];
  };
  const sampleFigure = (named: Named, of: (one: ProcessSample) => number): readonly LanesFigure[] =>
    figureOf(named, (cell) => {
      const all = (samplesOf.get(cell.name) ?? []).flatMap((one) => one.processes);
      return {
        ...laneHead(cell),
        fromS: all.map(({ fromS }) => roundDigits(fromS)),
        toS: all.map(({ toS }) => roundDigits(toS)),
        values: all.map((one) => roundDigits(of(one))),
      };
    });
  const repeatFigure = (metric: BenchMetricName): readonly LanesFigure[] => {
    const { about, unit } = METRICS[metric];
    return figureOf({ title: `${about}, by repeat`, unit }, (cell) => {
      const all = cell.repeats.flatMap(({ atSeconds, answers, metrics }) => {
        const value = metrics[metric];
        const lasts = metrics["throughput"] === undefined ? 1 : answers / metrics["throughput"];
        return value === undefined ? [] : [{ atSeconds, lasts, value }];
      });
      return {
        ...laneHead(cell),
        fromS: all.map(({ atSeconds }) => roundDigits(atSeconds)),
        toS: all.map(({ atSeconds, lasts }) => roundDigits(atSeconds + lasts)),
        values: all.map(({ value }) => roundDigits(value)),
      };
    });
  };
  return [
    ...sampleFigure(
      { title: "processor time of the process, by sample", unit: "% of a core" },
      (one) => 100 * one.core,
    ),
    ...sampleFigure(
      { title: "memory of the process, by sample", unit: "MiB" },
      (one) => one.rssBytes / MIB,
    ),
    ...(["loop_p99", "redis_memory", "cpu_store", "redis_commands"] as const).flatMap(repeatFigure),
  ];
}

const laneHead = ({ name, role }: BenchCellResult): Pick<Lane, "what" | "isControl"> => ({
  what: name,
  isControl: role === "control",
});

const roundDigits = (value: number): number => Number(value.toPrecision(5));
const roundUp = (seconds: number): number => Math.max(1, Math.ceil(seconds));
