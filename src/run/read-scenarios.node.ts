// From the paths that a user typed to decoded scenarios, or to all problems in any of them.
import { decode } from "../scenario/read/decode.ts";
import type { Scenario } from "../scenario/types.ts";
import { traceReaderFor, sourcesAt } from "./scenario-files.node.ts";
import { problemLinesOf, type ProblemLines } from "../reading/source.ts";

interface ReadScenarios extends ProblemLines {
  readonly scenarios: readonly Scenario[];
}

export function readScenarios(paths: readonly string[]): ReadScenarios {
  const { sources, problems } = sourcesAt(paths);
  const read = sources.map(({ file, text }) => decode(file, text, traceReaderFor(file)));
  const lines = read.map(({ problems }) => problemLinesOf(problems));
  return {
    scenarios: read.flatMap(({ scenario }) => scenario ?? []),
    errors: [...problems, ...lines.flatMap((each) => each.errors)],
    warnings: lines.flatMap((each) => each.warnings),
  };
}
