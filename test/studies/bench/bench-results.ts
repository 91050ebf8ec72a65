// Results as in a document of weir bench, with the values that a test gives.
import { plainPaint } from "#src/kit/reading/legible.ts";
import type { TablePrint } from "#src/studies/bench/table.ts";
import { footerOf } from "#src/studies/bench/result.ts";
import { BENCH_FORMAT, type BenchResult, type BenchCellResult } from "#src/studies/bench/result.ts";
import {
  METRICS,
  type Control,
  type Factors,
  type Gate,
  type BenchMetricName,
} from "#src/studies/bench/suite.ts";

/** How tests print tables. */
export const PLAIN: TablePrint = {
  paint: plainPaint,
  width: Number.POSITIVE_INFINITY,
  hasLegend: false,
};

type Figures = Readonly<Partial<Record<BenchMetricName, readonly number[]>>>;

const FACTORS: Factors = {
  algorithm: "fixed_window",
  store: "memory",
  demand: 0.5,
  keys: "one",
  connections: 32,
  load_model: "closed",
};

/** A cell with measured metrics, one value for each round. */
export function cellOf(
  name: string,
  figures: Figures,
  control: Control | null = null,
): BenchCellResult {
  const rounds = Math.max(...Object.values(figures).map((values) => values.length));
  return {
    name,
    role: control === null ? "cell" : "control",
    factors: control === null ? FACTORS : null,
    control,
    repeats: Array.from({ length: rounds }, (_, round) => ({
      round,
      atSeconds: round,
      answers: 1_000,
      errors: 0,
      metrics: Object.fromEntries(
        Object.entries(figures).map(([metric, values]) => [metric, values[round]!]),
      ),
    })),
  };
}

export const gate = (metric: BenchMetricName, cell = "base"): Gate<BenchMetricName> => ({
  cell,
  metric,
});

export const resultOf = (
  cells: readonly BenchCellResult[],
  gates: readonly Gate[],
  different: Partial<BenchResult> = {},
): BenchResult => ({
  format: BENCH_FORMAT,
  suite: { id: "gateway", title: "the served gateway", hash: "5f1e" },
  startedAt: "2026-01-02T03:04:05.000Z",
  tookSeconds: 60,
  argv: ["bench", "gateway"],
  seed: 1,
  machine: {
    cpu: "a processor",
    cores: 2,
    governor: null,
    memoryGiB: 8,
    system: "linux 6.1",
    load: { before: 0.1, after: 1.5 },
    busy: null,
    node: "24.0.0",
    commit: "0123456789abcdef0123456789abcdef01234567",
    changed: false,
    versions: { weir: "0.1.0" },
  },
  target: null,
  capacity: 10_000,
  metrics: METRICS,
  gates,
  cells,
  stopped: null,
  warnings: [],
  samples: null,
  footer: footerOf(cells),
  ...different,
});
