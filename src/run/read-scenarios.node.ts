// From the paths that a user typed to decoded scenarios, or to all problems in any of them.
import { isFailure } from "../reading/failure.ts";
import { decode } from "../scenario/read/decode.ts";
import type { ScenarioInput } from "../scenario/read/trace.ts";
import type { Scenario } from "../scenario/types.ts";
import { traceReaderFor, sourcesAt } from "./scenario-files.node.ts";
import { problemLinesOf, type ProblemLines } from "../reading/source.ts";

interface ReadScenarios extends ProblemLines {
  readonly scenarios: readonly Scenario[];
  readonly inputs: ReadonlyMap<string, ScenarioInput>; // by the file of a scenario
}

export function readScenarios(paths: readonly string[]): ReadScenarios {
  const { sources, problems } = sourcesAt(paths);
  const inputs = new Map<string, ScenarioInput>();
  const read = sources.map(({ file, text }) => {
    const traces = new Map<string, string>();
    inputs.set(file, { text, traces });
    const readTrace = traceReaderFor(file);
    return decode(file, text, (name) => {
      const trace = readTrace(name);
      if (!isFailure(trace)) traces.set(name, trace);
      return trace;
    });
  });
  const lines = read.map(({ problems }) => problemLinesOf(problems));
  return {
    scenarios: read.flatMap(({ scenario }) => scenario ?? []),
    inputs,
    errors: [...problems, ...lines.flatMap((each) => each.errors)],
    warnings: lines.flatMap((each) => each.warnings),
  };
}
