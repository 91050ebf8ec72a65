// What a run of the suite leaves. The same suite, seed and code give the same bytes, in one piece or in parts that
// were joined.
import { medianInterval } from "../../stats/bootstrap.ts";
import { summarise } from "../../stats/summary.ts";
import { rng } from "../../chance/rng.ts";
import { METRIC_NAMES, METRICS, type Figures, type MetricName } from "./metrics.ts";
import { cellsOf, nameOf, type Cell, type ParetoSuite } from "./suite.ts";

export const PARETO_FORMAT = "weir-pareto/1";

export interface Estimate {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export interface CellResult {
  readonly name: string;
  readonly algorithm: string;
  readonly traffic: string;
  readonly gateways: number;
  readonly summary: Readonly<Record<MetricName, Estimate>>;
  readonly runs: readonly Figures[]; // one a seed, in the same order in every cell
}

/** What parts of one whole have in common. */
export interface Origin {
  readonly suite: { readonly hash: string } & ParetoSuite;
  readonly seed: number;
  readonly commit: string | null; // null: no checkout
  readonly argv: readonly string[]; // that make the whole
}

/** The second of five: every fifth cell, from the second. */
export interface Shard {
  readonly index: number; // from 1
  readonly of: number;
}

export const WHOLE: Shard = { index: 1, of: 1 };

export interface ParetoResult extends Origin {
  readonly format: typeof PARETO_FORMAT;
  readonly shard: Shard;
  readonly metrics: typeof METRICS;
  readonly cells: readonly CellResult[];
  /** A file without it was cut off. */
  readonly footer: {
    readonly cells: number;
    readonly of: number;
    readonly complete: boolean;
  };
}

/** The places of the cells that a shard plays. */
export const placesIn = (suite: ParetoSuite, { index, of }: Shard): readonly number[] =>
  [...cellsOf(suite).keys()].filter((place) => place % of === index - 1);

/** Figures by the place of their cell; what is missing was not played. */
export function resultOf(
  origin: Origin,
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

function cellResult(cell: Cell, runs: readonly Figures[], seed: number): CellResult {
  const name = nameOf(cell);
  const summary = Object.fromEntries(
    METRIC_NAMES.map((metric) => {
      const values = runs.map((figures) => figures[metric]);
      return [metric, estimateOf(values, seed, `${name}/${metric}`)];
    }),
  ) as Record<MetricName, Estimate>;
  const { algorithm, traffic, fleet } = cell;
  return { name, algorithm, traffic, gateways: fleet.gateways, summary, runs };
}

const RESAMPLING = { resamples: 1000, confidence: 0.95 };

/** The median over seeds, and how far from it that of other seeds may lie. */
export function estimateOf(values: readonly number[], seed: number, name: string): Estimate {
  const { median } = summarise(values);
  const { low, high } = medianInterval(values, RESAMPLING, rng(seed, `pareto/${name}`));
  return { median, low, high };
}

/** As a file holds it. */
export const textOf = (result: ParetoResult): string => `${JSON.stringify(result, null, 1)}\n`;
