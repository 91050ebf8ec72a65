// The file that `world` names: what a scenario says under `world:`, without the surroundings that only a
// simulation has. It is read by the same readers.
import type { Configuration } from "../core/config.ts";
import { readConfiguration } from "../world/read.ts";
import { formatProblem, readSource, type FileKind } from "../reading/source.ts";
import { line, renamed, type TextOfFile } from "./read.ts";

export interface WorldRead {
  /** Null when there is any fault. */
  readonly configuration: Configuration | null;
  readonly raw: unknown; // as it was written, to the last digit, but for the hashes
  /** Of keys that were exported, by their name in the file: null where nothing opens them. */
  readonly hashes: ReadonlyMap<string, string | null>;
  readonly credentials: ReadonlyMap<string, readonly string[]>;
  readonly opened: number; // keys that a credential opens: of one exported without secrets, nothing is there
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
  hashes: new Map(),
  credentials: new Map(),
  opened: 0,
  bareKeys: 0,
  faults: [],
  warnings: [],
};

export interface HowToRead {
  /** A right to an API that is not there is a warning: records may hold one, where the API was deleted. */
  readonly keepsDangling: boolean;
}

export function readWorldFile(
  { file, text }: TextOfFile,
  { keepsDangling }: HowToRead = { keepsDangling: false },
): WorldRead {
  const source = readSource(file, text, WORLD_FILE);
  const broken = source.problems.map((problem) => formatProblem(renamed(problem)));
  if (source.value === undefined) return { ...NONE, faults: broken };
  const { value, hashes } = withoutHashes(source.value);
  const { configuration, problems, credentials } = readConfiguration(value, [], { keepsDangling });
  const of = (severity: "error" | "warning"): readonly string[] =>
    problems
      .filter((problem) => problem.severity === severity)
      .map((problem) => formatProblem(source.place(problem)));
  return {
    configuration: broken.length === 0 ? configuration : null,
    raw: broken.length === 0 ? withoutHashes(source.exact()).value : null,
    hashes,
    credentials,
    opened: [...(configuration?.keys.keys() ?? [])].filter((name) => hashes.get(name) !== null)
      .length,
    faults: [...broken, ...of("error")],
    bareKeys: [...(configuration?.keys ?? [])].filter(
      ([name, { id }]) => name === id && !hashes.has(name),
    ).length,
    warnings: of("warning"),
  };
}

/** `secret_hash` stands for a credential that nobody knows any more: `weir export` writes it. */
function withoutHashes(world: unknown): {
  readonly value: unknown;
  readonly hashes: WorldRead["hashes"];
} {
  const hashes = new Map<string, string | null>();
  const keys = membersOf(membersOf(world)?.["keys"]);
  if (keys === null) return { value: world, hashes };
  const entries = Object.entries(keys).map(([name, key]) => {
    const { [HASH]: hash, ...rest } = membersOf(key) ?? {};
    if (hash !== null && !(typeof hash === "string" && hash !== "")) return [name, key] as const;
    hashes.set(name, hash);
    return [name, rest] as const;
  });
  return { value: { ...membersOf(world), keys: Object.fromEntries(entries) }, hashes };
}

const HASH = "secret_hash";

const membersOf = (value: unknown): Readonly<Record<string, unknown>> | null =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : null;

/** Where the world is served as it is, they stand in logs, events and the store (MGT-C10). */
export function bareKeyWarning(file: string, { bareKeys }: WorldRead): readonly string[] {
  if (bareKeys === 0) return [];
  const which = bareKeys === 1 ? "one key has" : `${bareKeys} keys have`;
  const message = `${which} no key_id, so a credential stands as an id in logs, events and the store`;
  return [line(file, "SET-BARE-KEY", message, "give each key a key_id")];
}
