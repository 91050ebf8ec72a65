// The document of a run of the suite. The same suite, seed and code give the same bytes, whether all
// cells ran together or in shards whose documents were joined.
import { medianInterval } from "../../kit/stats/bootstrap.ts";
import { summarise } from "../../kit/stats/summary.ts";
import { rng } from "../../kit/chance/rng.ts";
import { METRIC_NAMES, METRICS, type Figures, type ParetoMetricName } from "./metrics.ts";
import { cellsOf, nameOf, type ParetoCell, type ParetoSuite } from "./suite.ts";

export const PARETO_FORMAT = "weir-pareto/1";

export interface Estimate {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export interface ParetoCellResult {
  readonly name: string;
  readonly algorithm: string;
  readonly traffic: string;
  readonly gateways: number;
  readonly summary: Readonly<Record<ParetoMetricName, Estimate>>;
  readonly runs: readonly Figures[]; // one for each seed, in the same order in every cell
}

/** The facts that are equal in all parts of one suite. */
export interface ParetoOrigin {
  readonly suite: { readonly hash: string } & ParetoSuite;
  readonly seed: number;
  readonly commit: string | null; // null: the code is not a Git checkout
  readonly argv: readonly string[]; // the command of the whole run
}

/** A part of the cells: index 2 of 5 is every fifth cell, from the second on. */
export interface Shard {
  readonly index: number; // from 1
  readonly of: number;
}

export const WHOLE: Shard = { index: 1, of: 1 };

export interface ParetoResult extends ParetoOrigin {
  readonly format: typeof PARETO_FORMAT;
  readonly shard: Shard;
  readonly metrics: typeof METRICS;
  readonly cells: readonly ParetoCellResult[];
  /** A file without a footer is incomplete. */
  readonly footer: {
    readonly cells: number;
    readonly of: number;
    readonly complete: boolean;
  };
}

/** The indexes of the cells in a shard. */
export const placesIn = (suite: ParetoSuite, { index, of }: Shard): readonly number[] =>
  [...cellsOf(suite).keys()].filter((place) => place % of === index - 1);

/** Builds the document. `figures` are indexed by their cell; a cell without figures did not run. */
export function resultOf(
  origin: ParetoOrigin,
  shard: Shard,
  figures: ReadonlyMap<number, readonly Figures[]>,
): ParetoResult {
  const { suite, seed, commit, argv } = origin;
  const all = cellsOf(suite);
  const wanted = placesIn(suite, shard);
  const cells = wanted.flatMap((place) => {
    const runs = figures.get(place);
    return runs === undefined ? [] : [cellResult(all[place]!, runs, seed)];
  });
  return {
    format: PARETO_FORMAT,
    suite,
    seed,
    commit,
    argv,
    shard,
    metrics: METRICS,
    cells,
    footer: { cells: cells.length, of: wanted.length, complete: cells.length === wanted.length },
  };
}

function cellResult(cell: ParetoCell, runs: readonly Figures[], seed: number): ParetoCellResult {
  const name = nameOf(cell);
  const summary = Object.fromEntries(
    METRIC_NAMES.map((metric) => {
      const values = runs.map((figures) => figures[metric]);
      return [metric, estimateOf(values, seed, `${name}/${metric}`)];
    }),
  ) as Record<ParetoMetricName, Estimate>;
  const { algorithm, traffic, fleet } = cell;
  return { name, algorithm, traffic, gateways: fleet.gateways, summary, runs };
}

const RESAMPLING = { resamples: 1000, confidence: 0.95 };

/** The median over seeds, with its 95 % confidence interval. */
export function estimateOf(values: readonly number[], seed: number, name: string): Estimate {
  const { median } = summarise(values);
  const { low, high } = medianInterval(values, RESAMPLING, rng(seed, `pareto/${name}`));
  return { median, low, high };
}

export const textOf = (result: ParetoResult): string => `${JSON.stringify(result, null, 1)}\n`;
