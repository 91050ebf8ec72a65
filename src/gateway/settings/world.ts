// Reads the file that the setting `world` names. Its content is that of `world:` in a scenario, without the parts that
// only a simulation has. Both are read by the same functions.
import type { Configuration } from "../../limiter/core/config.ts";
import { readConfiguration } from "../../limiter/world/read.ts";
import { formatProblem, readSource, type FileKind } from "../../kit/reading/source.ts";
import { formatError, formatWarning, toSettingsCode, type TextOfFile } from "./read.ts";

export interface WorldRead {
  /** Null if there is any error. */
  readonly configuration: Configuration | null;
  readonly raw: unknown; // the file's content: numbers keep all digits, hashes are removed
  /** Hashes of exported keys, by name of the key in the file; null: the key is unusable. */
  readonly hashes: ReadonlyMap<string, string | null>;
  readonly credentials: ReadonlyMap<string, readonly string[]>;
  readonly opened: number; // number of usable keys; a key that was exported without secrets is unusable
  readonly bareKeys: number; // number of keys whose id is their credential
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

const WORLD_FILE: FileKind = {
  one: "world",
  many: "worlds",
  whenEmpty: "write apis, policies, keys and gateway, as under `world:` in a scenario",
  insteadOfAlias: "write the value out",
};

export const UNREAD_WORLD: WorldRead = {
  configuration: null,
  raw: null,
  hashes: new Map(),
  credentials: new Map(),
  opened: 0,
  bareKeys: 0,
  errors: [],
  warnings: [],
};

interface WorldReadOptions {
  /** Whether naming a missing API or policy is only a warning: a record may name one that was deleted. */
  readonly allowsDanglingNames: boolean;
}

export function readWorldFile(
  { file, text }: TextOfFile,
  { allowsDanglingNames }: WorldReadOptions = { allowsDanglingNames: false },
): WorldRead {
  const source = readSource(file, text, WORLD_FILE);
  const broken = source.problems.map((problem) => formatProblem(toSettingsCode(problem)));
  if (source.value === undefined) return { ...UNREAD_WORLD, errors: broken };
  const { value, hashes } = withoutHashes(source.value);
  const { configuration, problems, credentials } = readConfiguration(value, [], {
    keepsDangling: allowsDanglingNames ? "all" : "none",
  });
  const of = (severity: "error" | "warning"): readonly string[] =>
    problems
      .filter((problem) => problem.severity === severity)
      .map((problem) => formatProblem(source.place(problem)));
  const imitating = imitationError(file, configuration);
  return {
    configuration: broken.length === 0 && imitating.length === 0 ? configuration : null,
    raw: broken.length === 0 ? withoutHashes(source.exact()).value : null,
    hashes,
    credentials,
    opened: [...(configuration?.keys.keys() ?? [])].filter((name) => hashes.get(name) !== null)
      .length,
    errors: [...broken, ...of("error"), ...imitating],
    bareKeys: [...(configuration?.keys ?? [])].filter(
      ([name, { id }]) => name === id && !hashes.has(name),
    ).length,
    warnings: of("warning"),
  };
}

/** An error if the gateway imitates another limiter: an imitation never drops counters, and works only in memory. */
function imitationError(file: string, configuration: Configuration | null): readonly string[] {
  if ((configuration?.options.imitation ?? null) === null) return [];
  const message = "profile and imitate are for scenarios in virtual time, and not for a gateway";
  return [formatError(file, "SET-TOGETHER", message, "remove them, and choose an algorithm")];
}

/** Removes and returns the `secret_hash` of keys, which `weir export` writes instead of an unknown credential. */
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

/** Warns of keys whose id is their credential: without records, ids appear in logs, events and the store (MGT-C10). */
export function bareKeyWarning(file: string, { bareKeys }: WorldRead): readonly string[] {
  if (bareKeys === 0) return [];
  const which = bareKeys === 1 ? "one key has" : `${bareKeys} keys have`;
  const message = `${which} no key_id, so a credential appears as an id in logs, events and the store`;
  return [formatWarning(file, "SET-BARE-KEY", message, "give each key a key_id")];
}
