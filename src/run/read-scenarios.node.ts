// From what a user typed to decoded scenarios, or to everything that is wrong with any of them.
import { decode } from "../scenario/read/decode.ts";
import type { Scenario } from "../scenario/types.ts";
import { besideFile, sourcesAt } from "./scenario-files.node.ts";
import { toldOf, type Told } from "./told.ts";

export interface ReadScenarios extends Told {
  readonly scenarios: readonly Scenario[];
}

export function readScenarios(paths: readonly string[]): ReadScenarios {
  const { sources, faults } = sourcesAt(paths);
  const read = sources.map(({ file, text }) => decode(file, text, besideFile(file)));
  const told = read.map(({ problems }) => toldOf(problems));
  return {
    scenarios: read.flatMap(({ scenario }) => scenario ?? []),
    faults: [...faults, ...told.flatMap((each) => each.faults)],
    warnings: told.flatMap((each) => each.warnings),
  };
}
