// The document of a run of a suite. Its raw samples are in a second file.
import {
  METRICS,
  type Control,
  type Factors,
  type Gate,
  type Metric,
  type BenchBound,
  type BenchTarget,
} from "./suite.ts";

export const BENCH_FORMAT = "weir-bench/3";

/** The common first part of the documents of all kinds of runs. */
export interface BenchRun {
  readonly suite: { readonly id: string; readonly title: string };
  readonly startedAt: string;
  readonly tookSeconds: number;
  readonly argv: readonly string[];
  readonly seed: number;
  readonly machine: BenchMachine;
}

export interface BenchResult extends BenchRun {
  readonly format: typeof BENCH_FORMAT;
  readonly suite: BenchRun["suite"] & { readonly hash: string };
  /** The address of the gateway that was measured in place of Weir's; null: Weir itself. */
  readonly target: string | null;
  /**
   * Responses per second that limits and planned arrivals are derived from; only runs with the same value compare. Null:
   * the run ended before, or the suite measures parts.
   */
  readonly capacity: number | null;
  readonly metrics: Readonly<Record<string, MeasuredMetric>>;
  readonly gates: readonly Gate[];
  readonly bounds?: readonly BenchBound[]; // missing: the suite has none
  readonly cells: readonly BenchCellResult[];
  /** Why the run ended early; null: it did not. The document has everything measured until then. */
  readonly stopped: string | null;
  /** What a reader needs to know: a machine too busy for a comparison, a load generator that overran. */
  readonly warnings: readonly string[];
  readonly samples: string | null; // the name of the file with raw samples, in the same folder
  /** A file without it is incomplete. */
  readonly footer: { readonly cells: number; readonly repeats: number; readonly errors: number };
}

/** A metric with a control of its own is a case of a suite that measures parts. */
interface MeasuredMetric extends Metric {
  readonly control?: string; // the cell that the others are divided by
  readonly targets?: readonly BenchTarget[];
}

/** The cases of a suite that measures parts; none for served gateways. */
export const casesOf = ({ metrics }: Pick<BenchResult, "metrics">): readonly string[] =>
  Object.keys(metrics).filter((name) => metrics[name]!.control !== undefined);

/** Also describes a metric that the result has no values of, because a gate may name it. */
export const metricOf = ({ metrics }: Pick<BenchResult, "metrics">, name: string): Metric =>
  metrics[name] ?? (METRICS as Readonly<Record<string, Metric>>)[name] ?? NOT_MEASURED;

const NOT_MEASURED: Metric = { unit: "", better: "less", about: "not measured" };

export interface BenchCellResult {
  readonly name: string;
  readonly role: "cell" | "control";
  readonly factors: Factors | null;
  readonly control: Control | null;
  readonly repeats: readonly BenchRepeat[];
}

export interface BenchRepeat {
  readonly round: number; // repeats of one round were measured one after the other
  readonly start?: number; // of all servers, from 0 on; missing: there was one
  readonly atSeconds: number; // since the run began
  readonly answers: number;
  readonly errors: number; // requests without a response, and unexpected responses
  readonly metrics: Readonly<Record<string, number>>;
}

export interface BenchMachine {
  readonly cpu: string;
  readonly cores: number;
  readonly governor: string | null;
  readonly memoryGiB: number;
  readonly system: string;
  readonly load: { readonly before: number; readonly after: number };
  /** Why the run cannot be compared: other processes used the machine; null: it was quiet enough. */
  readonly busy: string | null;
  readonly node: string;
  readonly commit: string | null; // null: no checkout
  readonly changed: boolean; // files differ from the commit
  readonly versions: Readonly<Record<string, string>>;
}
