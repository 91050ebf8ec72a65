// A change of a key that changes nothing for its requests, because the policies of the key supply what it changes.
import type { Configuration, Key, Policy } from "../../limiter/core/config.ts";
import { warningAt, type Problem } from "../../kit/reading/problems.ts";
import type { JsonObject } from "./json.ts";
import type { Stored } from "./records/records.ts";

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

/** Reports changed fields only: unchanged ones were reported when they were set. */
export function changesWithoutEffect(
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
