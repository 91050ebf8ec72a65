// What the gateway makes of a record: its own readers say what is wrong with it, before it is kept.
import type { Configuration } from "../core/config.ts";
import { warning, type Problem } from "../reading/problems.ts";
import { readRecord } from "./as-configured.ts";
import { changesWithoutEffect } from "./governed-by-policies.ts";
import type { JsonObject } from "./json.ts";
import type { Family } from "./records/family.ts";
import type { Stored } from "./records/records.ts";

/** A right to an API that has gone since is no fault of whoever changes something else. */
export function judged(
  family: Family,
  id: string,
  document: JsonObject,
  before: Stored | null,
  configuration: Configuration,
): readonly Problem[] {
  const read = readRecord(family, id, document, configuration);
  const problems =
    family === "keys"
      ? [
          ...read.problems,
          ...changesWithoutEffect(read.key ?? null, document, before, configuration),
        ]
      : read.problems;
  if (before === null || !problems.some(isDangling)) return problems;
  const stood = readRecord(family, id, before.document, configuration).problems.filter(isDangling);
  const places = new Set(stood.map(({ path }) => path.join("\n")));
  return problems.map((problem) =>
    isDangling(problem) && places.has(problem.path.join("\n"))
      ? warning(problem.code, problem.path, problem.message)
      : problem,
  );
}

export const isDangling = ({ code }: Problem): boolean => code === "CFG-UNKNOWN-API";

export const faultsIn = (problems: readonly Problem[]): readonly Problem[] =>
  problems.filter(({ severity }) => severity === "error");

/** What it will do other than it may seem to. */
export const warningsIn = (problems: readonly Problem[]): readonly string[] =>
  problems.filter(({ severity }) => severity === "warning").map(sentence);

export const sentence = ({ path, message, fix }: Problem): string =>
  `${path.length === 0 ? "The body" : path.join(".")}: ${message}${fix === "" || message.endsWith("?") ? "" : `; ${fix}`}`;
