// The two runs of the page on comparisons: invented, and the same each time.
import type { BenchResult } from "#src/studies/bench/result.ts";
import { rng } from "#src/kit/chance/rng.ts";
import { cellOf, gate, resultOf } from "./bench-results.ts";

function run(name: string, slower: number, startedAt: string, commit: string): BenchResult {
  const { normal } = rng(1, name);
  const around = (middle: number, noise: number): readonly number[] =>
    Array.from({ length: 10 }, () => Number((middle * (1 + noise * normal())).toPrecision(5)));
  const cells = [
    cellOf("base", {
      cpu: around(47 * slower, 0.01),
      throughput: around(9_400 / slower, 0.09),
      p99: around(5.2 * slower, 0.02),
    }),
    cellOf("store=redis", { cpu: around(81, 0.01), redis_commands: around(0.25, 0) }),
    cellOf("bare-proxy", { cpu: around(39, 0.01) }, "bare-proxy"),
  ];
  const made = resultOf(cells, [gate("cpu"), gate("cpu", "store=redis"), gate("throughput")]);
  return { ...made, startedAt, machine: { ...made.machine, commit } };
}

export const runsToCompare: Readonly<Record<string, string>> = {
  "base.json": JSON.stringify(
    run("base", 1, "2026-03-02T09:00:00.000Z", "6f1d0c2ab4e5978310ffa2c4d6e8b0a19c3d5e7f"),
  ),
  "head.json": JSON.stringify(
    run("head", 1.06, "2026-03-02T09:15:00.000Z", "b93e47d15a2c6f80e1d3b5a7c9f0e2d4a6b8c0de"),
  ),
};
