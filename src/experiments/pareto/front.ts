// One line an algorithm, all its traffic together, and who is beaten by nobody.
import { METRIC_NAMES, type Figures, type MetricName } from "./metrics.ts";
import { estimateOf, type CellResult, type Estimate, type ParetoResult } from "./result.ts";

export interface Standing {
  readonly algorithm: string;
  readonly errors: Estimate; // over and wrong together
  readonly metrics: Readonly<Record<MetricName, Estimate>>;
  readonly isOnFront: boolean | null; // null where cells are missing: what met other traffic does not compare
}

export interface FleetStanding {
  readonly gateways: number;
  readonly standings: readonly Standing[];
}

type Unmarked = Omit<Standing, "isOnFront">;

export const isWhole = ({ shard, footer }: ParetoResult): boolean =>
  shard.of === 1 && footer.complete;

export function standingsOf(result: ParetoResult): readonly FleetStanding[] {
  const { cells, suite, seed } = result;
  return suite.fleets.flatMap(({ gateways }) => {
    const ofFleet = cells.filter((cell) => cell.gateways === gateways);
    const lines = suite.algorithms.flatMap((algorithm) => {
      const own = ofFleet.filter((cell) => cell.algorithm === algorithm);
      return own.length === 0 ? [] : [standingOf(algorithm, own, seed)];
    });
    const standings = lines.map((line) => ({
      ...line,
      isOnFront: isWhole(result) ? !lines.some((other) => beats(other, line)) : null,
    }));
    return standings.length === 0 ? [] : [{ gateways, standings }];
  });
}

/** The mean over traffic within each seed, and then over seeds; of bursts the largest. */
function standingOf(algorithm: string, cells: readonly CellResult[], seed: number): Unmarked {
  const [first] = cells;
  const together = (of: (figures: Figures) => number, join: typeof mean): readonly number[] =>
    first!.runs.map((_, run) => join(cells.map(({ runs }) => of(runs[run]!))));
  const name = `${algorithm}/${first!.gateways}`;
  const metrics = Object.fromEntries(
    METRIC_NAMES.map((metric) => [
      metric,
      estimateOf(
        together((figures) => figures[metric], metric === "burst" ? largest : mean),
        seed,
        `${name}/${metric}`,
      ),
    ]),
  ) as Record<MetricName, Estimate>;
  const errors = together(({ over, wrong }) => over + wrong, mean);
  return {
    algorithm,
    errors: estimateOf(errors, seed, `${name}/errors`),
    metrics,
  };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const largest = (values: readonly number[]): number => Math.max(...values);

/** As people read them, in the order of `weighed`. */
export const WEIGHED = "errors, operations, bytes and ms";

/**
 * What is wrong, and what it costs: less of each is better. What agrees in two digits is equal, or chance would
 * decide between algorithms that do the same work.
 */
const weighed = ({ errors, metrics }: Unmarked): readonly number[] =>
  [errors, metrics.operations, metrics.bytes, metrics.latency].map(({ median }) =>
    Number(median.toPrecision(2)),
  );

/** In nothing worse, and in something better. */
function beats(one: Unmarked, other: Unmarked): boolean {
  const own = weighed(one);
  const theirs = weighed(other);
  return (
    own.every((value, at) => value <= theirs[at]!) && own.some((value, at) => value < theirs[at]!)
  );
}
