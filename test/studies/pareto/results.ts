// Small results with invented metrics.
import type { Figures } from "#src/studies/pareto/metrics.ts";
import {
  resultOf,
  placesIn,
  WHOLE,
  type ParetoOrigin,
  type ParetoResult,
  type Shard,
} from "#src/studies/pareto/result.ts";
import { cellsOf, suiteOf } from "#src/studies/pareto/suite.ts";

export const hash = (suite: object): string => String(JSON.stringify(suite).length);

const own = suiteOf({ isQuick: true, traffic: ["edges"], gateways: [1, 3] });

export const ORIGIN: ParetoOrigin = {
  suite: { hash: hash(own), ...own },
  seed: 7,
  commit: "c0ffee",
  argv: ["pareto", "--quick"],
};

const figures = (more: Partial<Figures> = {}): Figures => ({
  over: 1,
  wrong: 1,
  burst: 1,
  operations: 3,
  bytes: 100,
  latency: 1,
  ...more,
});

/** Different metrics in every cell and every run. */
export const figuresAt = (place: number): readonly Figures[] =>
  Array.from({ length: own.runs }, (_, run) => figures({ over: place + run / 10 }));

export function result(shard: Shard = WHOLE, origin: Partial<ParetoOrigin> = {}): ParetoResult {
  const places = placesIn(own, shard);
  const all = { ...ORIGIN, ...origin };
  return resultOf(all, shard, new Map(places.map((place) => [place, figuresAt(place)])));
}

/** All cells of an algorithm have the same metrics, in each run. */
export function resultWith(of: (algorithm: string, run: number) => Partial<Figures>): ParetoResult {
  const cells = cellsOf(own).map(({ algorithm }) => algorithm);
  return resultOf(
    ORIGIN,
    WHOLE,
    new Map(
      cells.map((algorithm, place) => [
        place,
        Array.from({ length: own.runs }, (_, run) => figures(of(algorithm, run))),
      ]),
    ),
  );
}
