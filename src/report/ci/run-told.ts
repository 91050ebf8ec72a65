// What a build server is told of a run. Each way to tell it is a function from this to a text.
import type { Result } from "../../scenario/verdict.ts";

export interface RunTold {
  readonly seed: number | null; // null: histories of several runs
  readonly results: readonly Result[];
  /** Of each result, in real time. */
  readonly tookMs?: readonly number[];
  /** Sentences against the run as a whole: it was stopped, say. With any of them it shows nothing, whatever passed. */
  readonly faults: readonly string[];
}

export const grouped = (count: number): string => count.toLocaleString("en-US");

/** A build server cuts off what is too long, and with it whatever comes behind. */
export const clipped = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST).toWellFormed()} [...]`;

const LONGEST = 1_000;
