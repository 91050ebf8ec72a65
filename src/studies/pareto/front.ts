// Builds one entry for each algorithm over all traffic of the suite, and marks the entries that no other entry beats.
import { METRIC_NAMES, type Figures, type ParetoMetricName } from "./metrics.ts";
import { estimateOf, type ParetoCellResult, type Estimate, type ParetoResult } from "./result.ts";

export interface FrontEntry {
  readonly algorithm: string;
  readonly errors: Estimate; // requests wrongly admitted or refused
  readonly metrics: Readonly<Record<ParetoMetricName, Estimate>>;
  readonly isOnFront: boolean | null; // null: cells are missing, so entries are not comparable
}

export interface FleetFront {
  readonly gateways: number;
  readonly entries: readonly FrontEntry[];
}

type UnmarkedEntry = Omit<FrontEntry, "isOnFront">;

export const isComplete = ({ shard, footer }: ParetoResult): boolean =>
  shard.of === 1 && footer.complete;

export function frontsOf(result: ParetoResult): readonly FleetFront[] {
  const { cells, suite, seed } = result;
  return suite.fleets.flatMap(({ gateways }) => {
    const fleetCells = cells.filter((cell) => cell.gateways === gateways);
    const lines = suite.algorithms.flatMap((algorithm) => {
      const algorithmCells = fleetCells.filter((cell) => cell.algorithm === algorithm);
      return algorithmCells.length === 0 ? [] : [entryOf(algorithm, algorithmCells, seed)];
    });
    const entries = lines.map((line) => ({
      ...line,
      isOnFront: isComplete(result) ? !lines.some((other) => beats(other, line)) : null,
    }));
    return entries.length === 0 ? [] : [{ gateways, entries }];
  });
}

/** Estimates each metric over seeds. The value of a seed is the mean over all traffic; for bursts it is the largest. */
function entryOf(
  algorithm: string,
  cells: readonly ParetoCellResult[],
  seed: number,
): UnmarkedEntry {
  const [first] = cells;
  const combine = (read: (figures: Figures) => number, join: typeof mean): readonly number[] =>
    first!.runs.map((_, run) => join(cells.map(({ runs }) => read(runs[run]!))));
  const name = `${algorithm}/${first!.gateways}`;
  const metrics = Object.fromEntries(
    METRIC_NAMES.map((metric) => [
      metric,
      estimateOf(
        combine((figures) => figures[metric], metric === "burst" ? largest : mean),
        seed,
        `${name}/${metric}`,
      ),
    ]),
  ) as Record<ParetoMetricName, Estimate>;
  const errors = combine(({ over, wrong }) => over + wrong, mean);
  return {
    algorithm,
    errors: estimateOf(errors, seed, `${name}/errors`),
    metrics,
  };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const largest = (values: readonly number[]): number => Math.max(...values);

/** Names of the compared metrics for people, in the order of `metricsToCompare`. */
export const FRONT_METRICS = "errors, operations, bytes and ms";

/**
 * Errors and costs, of which less is better. Rounding to two digits keeps chance from deciding between algorithms that
 * do equal work.
 */
const metricsToCompare = ({ errors, metrics }: UnmarkedEntry): readonly number[] =>
  [errors, metrics.operations, metrics.bytes, metrics.latency].map(({ median }) =>
    Number(median.toPrecision(2)),
  );

/** Whether an entry is no worse in any metric, and better in one. */
function beats(entry: UnmarkedEntry, rival: UnmarkedEntry): boolean {
  const own = metricsToCompare(entry);
  const rivals = metricsToCompare(rival);
  return (
    own.every((value, at) => value <= rivals[at]!) && own.some((value, at) => value < rivals[at]!)
  );
}
