// Validates a record with the gateway's readers before it is stored.
import type { Configuration, Key, Policy } from "../../limiter/core/config.ts";
import { withFix } from "../../kit/reading/problem-line.ts";
import { warningAt, type Problem } from "../../kit/reading/problems.ts";
import { readRecord } from "./read-record.ts";
import type { JsonObject } from "./json.ts";
import type { RecordTypeName } from "./records/record-types.ts";
import type { Stored } from "./records/records.ts";

/** Returns the problems of a record. An unknown API that was named before the change is only a warning. */
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

/** The messages of warnings: valid settings that may have an unexpected effect. */
export const warningsIn = (problems: readonly Problem[]): readonly string[] =>
  problems.filter(({ severity }) => severity === "warning").map(sentence);

export const sentence = ({ path, message, fix }: Problem): string =>
  `${path.length === 0 ? "The body" : path.join(".")}: ${withFix({ message, fix })}`;

interface Supplied {
  readonly what: string;
  readonly fields: readonly string[];
  readonly isSuppliedBy: (policy: Policy) => boolean;
}

const SUPPLIED: readonly Supplied[] = [
  {
    what: "rate",
    fields: ["rate", "per", "smoothing"],
    isSuppliedBy: ({ supplies, limit }) => supplies.rate && limit !== null,
  },
  {
    what: "throttling",
    fields: ["throttle_interval", "throttle_retry_limit"],
    isSuppliedBy: ({ supplies, throttle }) => supplies.rate && throttle !== null,
  },
  {
    what: "quota",
    fields: ["quota_max", "quota_renewal_rate"],
    isSuppliedBy: ({ supplies, quota }) => supplies.quota && quota !== null,
  },
];

/** Warns of changed key fields that a policy overrides. Unchanged fields were reported when they were set. */
function changesWithoutEffect(
  key: Key | null,
  document: JsonObject,
  before: Stored | null,
  { policies }: Pick<Configuration, "policies">,
): readonly Problem[] {
  const known = (key?.applyPolicies ?? []).flatMap((id) => policies.get(id) ?? []);
  return SUPPLIED.flatMap(({ what, fields, isSuppliedBy }): readonly Problem[] => {
    const supplier = known.find(isSuppliedBy);
    if (supplier === undefined) return [];
    const changed = fields.find((field) => {
      const value = document[field] ?? null;
      return value !== null && !isSame(value, before?.document[field] ?? null);
    });
    if (changed === undefined) return [];
    const message = `has no effect: the policies of the key supply its ${what}`;
    const fix = `change policy ${JSON.stringify(supplier.id)}, or send "apply_policies": [] for a key with limits of its own`;
    return [warningAt("MGT-NO-EFFECT", [changed], message, fix)];
  });
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one, asText) === JSON.stringify(other, asText);

const asText = (_: string, value: unknown): unknown =>
  typeof value === "bigint" ? String(value) : value;
