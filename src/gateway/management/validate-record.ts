// Validates a record with the gateway's own readers before it is stored.
import type { Configuration } from "../../limiter/core/config.ts";
import { withFix } from "../../kit/reading/problem-line.ts";
import { warningAt, type Problem } from "../../kit/reading/problems.ts";
import { readRecord } from "./read-record.ts";
import { changesWithoutEffect } from "./changes-without-effect.ts";
import type { JsonObject } from "./json.ts";
import type { RecordTypeName } from "./records/record-types.ts";
import type { Stored } from "./records/records.ts";

/** A reference to an API that was deleted earlier is only a warning, because the change may concern other fields. */
export function validateRecord(
  family: RecordTypeName,
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
  const earlier = readRecord(family, id, before.document, configuration).problems.filter(
    isDangling,
  );
  const places = new Set(earlier.map(({ path }) => path.join("\n")));
  return problems.map((problem) =>
    isDangling(problem) && places.has(problem.path.join("\n"))
      ? warningAt(problem.code, problem.path, problem.message)
      : problem,
  );
}

export const isDangling = ({ code }: Problem): boolean => code === "CFG-UNKNOWN-API";

export const errorsIn = (problems: readonly Problem[]): readonly Problem[] =>
  problems.filter(({ severity }) => severity === "error");

/** Valid settings that may have an unexpected effect. */
export const warningsIn = (problems: readonly Problem[]): readonly string[] =>
  problems.filter(({ severity }) => severity === "warning").map(sentence);

export const sentence = ({ path, message, fix }: Problem): string =>
  `${path.length === 0 ? "The body" : path.join(".")}: ${withFix({ message, fix })}`;
