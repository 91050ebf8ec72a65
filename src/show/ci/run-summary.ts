// A run as a build server reports it. Each format is a function from this to a string.
import type { Result } from "../../lab/scenario/verdict.ts";

export interface RunSummary {
  readonly seed: number | null; // null: histories of several runs
  readonly results: readonly Result[];
  /** Of the results: inconclusive, and not on the list that the run was compared with, so that they count as failed. */
  readonly unlisted?: readonly Result[];
  /** Of each result, in real time. */
  readonly tookMs?: readonly number[];
  /** Sentences against the run as a whole: for example, it was stopped. With one of them the run fails, even if all variants pass. */
  readonly faults: readonly string[];
  /** Of the scenario files. */
  readonly warnings?: readonly string[];
}

/** A build server cuts off what is too long, and all that follows. */
export const clip = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST).toWellFormed()} [...]`;

const LONGEST = 1_000;
