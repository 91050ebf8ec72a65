import type { CaseResult, Scale } from "./harness.ts";
import type { BenchMachine } from "../src/bench/result.ts";

export interface Result {
  readonly format: "weir-bench/1";
  readonly startedAt: string;
  readonly argv: readonly string[];
  readonly seed: number;
  readonly machine: BenchMachine;
  readonly suites: readonly {
    readonly name: string;
    readonly scale: Scale;
    readonly cases: readonly CaseResult[];
  }[];
  /** A file without it was cut off. */
  readonly footer: { readonly cases: number; readonly targets: number; readonly met: number };
}
