// Turns paths that a user typed into decoded scenarios, or into all problems in any of them.
import { isFailure } from "../../kit/reading/failure.ts";
import { decode } from "../scenario/read/decode.ts";
import type { ScenarioInput } from "../scenario/read/trace.ts";
import type { Scenario } from "../scenario/types.ts";
import { rulesReaderFor, traceReaderFor, sourcesAt } from "./scenario-files.node.ts";
import { problemLinesOf, type ProblemLines } from "../../kit/reading/source.ts";

interface BrokenFile {
  readonly file: string | null; // null: the error is about a path, not a file
  readonly errors: readonly string[];
}

interface ReadScenarios extends ProblemLines {
  readonly scenarios: readonly Scenario[];
  /** The errors by file, including paths that match no file. */
  readonly broken: readonly BrokenFile[];
  readonly inputs: ReadonlyMap<string, ScenarioInput>; // by path of the scenario file
}

export function readScenarios(paths: readonly string[]): ReadScenarios {
  const { sources, problems } = sourcesAt(paths);
  const inputs = new Map<string, ScenarioInput>();
  const read = sources.map(({ file, text }) => {
    const traces = new Map<string, string>();
    inputs.set(file, { text, traces });
    const readTrace = traceReaderFor(file);
    return decode(
      file,
      text,
      (name) => {
        const trace = readTrace(name);
        if (!isFailure(trace)) traces.set(name, trace);
        return trace;
      },
      rulesReaderFor(file),
    );
  });
  const lines = read.map(({ problems }) => problemLinesOf(problems));
  const broken = [
    { file: null, errors: problems },
    ...sources.map(({ file }, index) => ({ file, errors: lines[index]!.errors })),
  ].filter(({ errors }) => errors.length > 0);
  return {
    scenarios: read.flatMap(({ scenario }) => scenario ?? []),
    inputs,
    broken,
    errors: broken.flatMap(({ errors }) => errors),
    warnings: lines.flatMap((each) => each.warnings),
  };
}
