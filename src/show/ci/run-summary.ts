// A run as a build server reports it. Each output format is a function from this type to a string.
import type { Answer } from "../../lab/report/answer.ts";
import type { Result } from "../../lab/scenario/verdict.ts";

export interface RunSummary {
  readonly seed: number | null; // null if the histories are from several runs
  readonly results: readonly Result[];
  /** What separates the variants of one scenario. */
  readonly answer?: Answer;
  /** Inconclusive results that are not in the list of allowed ones. They are failures. */
  readonly unlisted?: readonly Result[];
  /** The real duration of each result. */
  readonly tookMs?: readonly number[];
  /** Sentences why the run as a whole fails, even if all variants pass: for example, it was stopped. */
  readonly faults: readonly string[];
  /** Warnings about the scenario files. */
  readonly warnings?: readonly string[];
}
