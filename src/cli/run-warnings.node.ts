// The warnings of scenario files: which of them a run prints, and which its results contain.
import { many } from "../kit/reading/legible.ts";
import type { FileSummary } from "../lab/run/file-runner.node.ts";
import { isInOwnSuite, type SourceFile } from "../lab/run/scenario-files.node.ts";
import type { Arguments } from "./arguments.ts";
import type { Terminal } from "./terminal.ts";

export interface RunWarnings {
  /** Warnings about users' files. Saved results contain the same lines. */
  readonly lines: readonly string[];
  readonly areShown: boolean;
}

/** The most warnings that are printed one by one. If there are more, only their number is printed. */
const MOST_WARNINGS = 5;

/** Prints warnings, including those of files with errors, so that users can correct warnings and errors together. */
export function reportWarnings(
  sources: readonly SourceFile[],
  read: readonly FileSummary[],
  { switches }: Arguments,
  { err }: Terminal,
): RunWarnings {
  const all = read.flatMap(({ warnings }) => warnings);
  const areShown =
    switches.has("verbose") || (!switches.has("quiet") && all.length <= MOST_WARNINGS);
  if (areShown) for (const warning of all) err(warning);
  // Weir's own suite has some wrong worlds on purpose, which a test lists (test/lab/scenario/suite-warnings.test.ts).
  const lines = read.flatMap(({ warnings }, index) =>
    isInOwnSuite(sources[index]!.file) ? [] : warnings,
  );
  return { lines, areShown };
}

export const unshownLines = ({ lines, areShown }: RunWarnings): readonly string[] =>
  areShown || lines.length === 0
    ? []
    : [`${many(lines.length, "warning")}; --verbose shows ${lines.length === 1 ? "it" : "them"}`];
