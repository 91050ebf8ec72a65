// One document of everything that is measured and drawn, as the commands leave them: a benchmark with its samples, what
// was admitted, two runs compared, and accuracy against cost.
import { compare } from "#src/studies/bench/compare/compare.ts";
import { createHistogram } from "#src/studies/bench/load/latencies.ts";
import type { BenchResult } from "#src/studies/bench/result.ts";
import { digest } from "#src/lab/scenario/history/digest.node.ts";
import { control, subject, truth } from "../studies/bench/truth-results.ts";
import { runsToCompare } from "../studies/bench/runs-to-compare.ts";
import { ORIGIN, result as pareto } from "../studies/pareto/results.ts";

const runNamed = (file: string): BenchResult => JSON.parse(runsToCompare[file]!) as BenchResult;
const [base, head] = [runNamed("base.json"), runNamed("head.json")];

const linesOf = (...lines: readonly object[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join("");

/** Five looks in each repeat, and answers that took longer and longer. */
const samples = base.cells.flatMap(({ name, repeats }) =>
  repeats.flatMap(({ round, atSeconds, answers }) => {
    const times = createHistogram();
    for (let answer = 1; answer <= 1_000; answer++) times.record(900 + answer + round * 10);
    const { histogram, ...all } = { ...times.quantiles()!, histogram: times.encode() };
    const looks = [1, 2, 3, 4, 5].map((at) => ({
      what: "processes",
      cell: name,
      atUs: at * 100_000,
      gateway: { cpuUs: at * (40_000 + round * 1_000), rssBytes: (60 + round) * 2 ** 20 },
      load: null,
    }));
    return [
      ...looks,
      {
        what: "repeat",
        cell: name,
        round,
        atSeconds,
        answers,
        load: { latency: { all }, histogram },
      },
    ];
  }),
);

const { hash: _, ...suite } = ORIGIN.suite;

/** By file. */
export const measuredDocuments: Readonly<Record<string, string>> = {
  "bench.json": JSON.stringify({ ...base, samples: "bench.ndjson" }),
  "bench.ndjson": linesOf({ format: "weir-bench-samples/1" }, ...samples),
  "truth.json": JSON.stringify(truth(subject({}), control)),
  "compare.json": JSON.stringify(
    compare(base, head, { minEffect: 0.03, alpha: 0.05, seed: 1 }, ["the second run was busier"]),
  ),
  "pareto.json": JSON.stringify(
    pareto(undefined, { suite: { hash: digest([JSON.stringify(suite)]), ...suite } }),
  ),
};
