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

/** Shortens a text, because a build server cuts off a long text and everything after it. */
export const clip = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST).toWellFormed()} [...]`;

const LONGEST = 1_000;
