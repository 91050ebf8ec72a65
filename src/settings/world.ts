// The file that `world` names: what a scenario says under `world:`, without the surroundings that only a
// simulation has. It is read by the same readers.
import type { Configuration } from "../core/config.ts";
import { readConfiguration } from "../core/read/read.ts";
import { formatProblem, readSource, type FileKind } from "../scenario/read/source.ts";
import { renamed, type TextOfFile } from "./read.ts";

export interface WorldRead {
  /** Null when there is any fault. */
  readonly configuration: Configuration | null;
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
}

const WORLD_FILE: FileKind = {
  one: "world",
  many: "worlds",
  whenEmpty: "write apis, policies, keys and gateway, as under `world:` in a scenario",
  insteadOfAlias: "write the value out",
};

export function readWorldFile({ file, text }: TextOfFile): WorldRead {
  const source = readSource(file, text, WORLD_FILE);
  const broken = source.problems.map((problem) => formatProblem(renamed(problem)));
  if (source.value === undefined) return { configuration: null, faults: broken, warnings: [] };
  const { configuration, problems } = readConfiguration(source.value);
  const of = (severity: "fault" | "warning"): readonly string[] =>
    problems
      .filter((problem) => problem.severity === severity)
      .map((problem) => formatProblem(source.place(problem)));
  return {
    configuration: broken.length === 0 ? configuration : null,
    faults: [...broken, ...of("fault")],
    warnings: of("warning"),
  };
}
