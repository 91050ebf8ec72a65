// What a run of a suite leaves: one document, with its raw samples in a file beside it.
import {
  METRICS,
  type Control,
  type Factors,
  type Gate,
  type Metric,
  type BenchTarget,
} from "./suite.ts";

export const BENCH_FORMAT = "weir-bench/3";

/** What the document of every kind of run begins with. */
export interface RunOnMachine {
  readonly suite: { readonly id: string; readonly title: string };
  readonly startedAt: string;
  readonly tookSeconds: number;
  readonly argv: readonly string[];
  readonly seed: number;
  readonly machine: BenchMachine;
}

export interface BenchResult extends RunOnMachine {
  readonly format: typeof BENCH_FORMAT;
  readonly suite: RunOnMachine["suite"] & { readonly hash: string };
  /** Somebody's gateway that was asked instead of one of Weir's; null: Weir's own. */
  readonly target: string | null;
  /**
   * Answers a second that limits and planned arrivals were made from; runs compare only with the same. Null: it ended
   * before, or the suite measures parts.
   */
  readonly capacity: number | null;
  readonly metrics: Readonly<Record<string, MeasuredMetric>>;
  readonly gates: readonly Gate[];
  readonly cells: readonly CellResult[];
  /** Why it ended before its time; null: it did not. What was measured until then is here. */
  readonly stopped: string | null;
  /** What a reader has to know: a machine too busy to judge, a sender that overran. */
  readonly warnings: readonly string[];
  readonly samples: string | null; // the file with raw samples, beside this one
  /** A file without it was cut off. */
  readonly footer: { readonly cells: number; readonly repeats: number; readonly errors: number };
}

/** A metric with a control of its own is a case of a suite that measures parts. */
export interface MeasuredMetric extends Metric {
  readonly control?: string; // the cell that the others are divided by
  readonly targets?: readonly BenchTarget[];
}

/** The cases of a suite that measures parts; of served gateways none. */
export const casesOf = ({ metrics }: Pick<BenchResult, "metrics">): readonly string[] =>
  Object.keys(metrics).filter((name) => metrics[name]!.control !== undefined);

/** Of a result that has not measured it too, because a gate may name it. */
export const metricOf = ({ metrics }: Pick<BenchResult, "metrics">, name: string): Metric =>
  metrics[name] ?? (METRICS as Readonly<Record<string, Metric>>)[name] ?? NOT_MEASURED;

const NOT_MEASURED: Metric = { unit: "", better: "less", about: "not measured" };

export interface CellResult {
  readonly name: string;
  readonly role: "cell" | "control";
  readonly factors: Factors | null;
  readonly control: Control | null;
  readonly repeats: readonly Repeat[];
}

export interface Repeat {
  readonly round: number; // repeats of one round were measured side by side
  readonly atSeconds: number; // since the run began
  readonly answers: number;
  readonly errors: number; // requests without an answer, and answers that nobody expects
  readonly metrics: Readonly<Record<string, number>>;
}

export interface BenchMachine {
  readonly cpu: string;
  readonly cores: number;
  readonly governor: string | null;
  readonly memoryGiB: number;
  readonly system: string;
  readonly load: { readonly before: number; readonly after: number };
  /** Why nothing can be judged by this run: too much else was running. null: it was quiet enough. */
  readonly busy: string | null;
  readonly node: string;
  readonly commit: string | null; // null: no checkout
  readonly changed: boolean; // files differ from the commit
  readonly versions: Readonly<Record<string, string>>;
}
