// The measurements of a suite of parts as the document that is saved: a cell for each candidate, a metric for each
// case.
import { footerOf } from "../result.ts";
import {
  BENCH_FORMAT,
  type BenchResult,
  type BenchCellResult,
  type BenchRepeat,
} from "../result.ts";
import type { Circumstances } from "../result-of.ts";
import type { PartMeasurement, PartSuite } from "./part-suite.ts";

export function partResultOf(
  { cases, gates }: PartSuite,
  measured: readonly PartMeasurement[],
  circumstances: Omit<Circumstances, "target" | "capacity" | "gates" | "samples">,
): BenchResult {
  const byCell = Map.groupBy(measured, ({ cell }) => cell);
  const candidates = new Map(
    cases.flatMap((one) => one.candidates.map(({ name, role }) => [name, role] as const)),
  );
  const cells = [...candidates].flatMap(([name, role]): readonly BenchCellResult[] => {
    const repeats = repeatsOf(byCell.get(name) ?? []);
    return repeats.length === 0 ? [] : [{ name, role, factors: null, control: null, repeats }];
  });
  const metrics = cases
    .filter(({ name }) => measured.some(({ metric }) => metric === name))
    .map(({ name, unit, better, about, control, targets }) => [
      name,
      { unit, better, about, control, targets },
    ]);
  return {
    format: BENCH_FORMAT,
    ...circumstances,
    target: null,
    capacity: null,
    gates,
    samples: null,
    metrics: Object.fromEntries(metrics) as BenchResult["metrics"],
    cells,
    footer: footerOf(cells),
  };
}

/** One repeat for each round, with the values of all cases. Programs send no requests, so none fail. */
const repeatsOf = (measured: readonly PartMeasurement[]): readonly BenchRepeat[] =>
  [...Map.groupBy(measured, ({ round }) => round)].map(([round, values]) => ({
    round,
    atSeconds: values[0]!.atSeconds,
    answers: 0,
    errors: 0,
    metrics: Object.fromEntries(values.map(({ metric, value }) => [metric, value])),
  }));
