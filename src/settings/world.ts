// The file that `world` names: what a scenario says under `world:`, without the surroundings that only a
// simulation has. It is read by the same readers.
import type { Configuration } from "../core/config.ts";
import { readConfiguration } from "../core/read/read.ts";
import { formatProblem, readSource, type FileKind } from "../scenario/read/source.ts";
import type { Json } from "../scenario/types.ts";
import { line, renamed, type TextOfFile } from "./read.ts";

export interface WorldRead {
  /** Null when there is any fault. */
  readonly configuration: Configuration | null;
  readonly raw: Json; // as it was written
  readonly credentials: ReadonlyMap<string, readonly string[]>;
  readonly bareKeys: number; // whose credential is their id as well
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
}

const WORLD_FILE: FileKind = {
  one: "world",
  many: "worlds",
  whenEmpty: "write apis, policies, keys and gateway, as under `world:` in a scenario",
  insteadOfAlias: "write the value out",
};

export const NONE: WorldRead = {
  configuration: null,
  raw: null,
  credentials: new Map(),
  bareKeys: 0,
  faults: [],
  warnings: [],
};

export function readWorldFile({ file, text }: TextOfFile): WorldRead {
  const source = readSource(file, text, WORLD_FILE);
  const broken = source.problems.map((problem) => formatProblem(renamed(problem)));
  if (source.value === undefined) return { ...NONE, faults: broken };
  const { configuration, problems, credentials } = readConfiguration(source.value);
  const of = (severity: "fault" | "warning"): readonly string[] =>
    problems
      .filter((problem) => problem.severity === severity)
      .map((problem) => formatProblem(source.place(problem)));
  return {
    configuration: broken.length === 0 ? configuration : null,
    raw: source.value,
    credentials,
    faults: [...broken, ...of("fault")],
    bareKeys: [...(configuration?.keys ?? [])].filter(([name, { id }]) => name === id).length,
    warnings: of("warning"),
  };
}

/** Where the world is served as it is, they stand in logs, events and the store (MGT-C10). */
export function bareKeyWarning(file: string, { bareKeys }: WorldRead): readonly string[] {
  if (bareKeys === 0) return [];
  const which = bareKeys === 1 ? "one key has" : `${bareKeys} keys have`;
  const message = `${which} no key_id, so a credential stands as an id in logs, events and the store`;
  return [line(file, "SET-BARE-KEY", message, "give each key a key_id")];
}
