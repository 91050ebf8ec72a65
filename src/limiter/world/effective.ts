// Warnings about effective limits (LIM-C15, LIM-C6). They need a complete configuration, because they depend on a key
// with its policies and its APIs. Keys with the same warning share it.
import type { Budget } from "../core/budget.ts";
import type { Configuration, Key } from "../core/config.ts";
import type { Path, Problem } from "../../kit/reading/problems.ts";
import { merge, type MergedKey } from "../core/resolve/merge.ts";
import { governingElsewhere, limitText, losingPolicies, quotaText } from "./merge-warnings.ts";
import { limitsThatNeverRefuse, type NeverRefuses } from "./never-refuses.ts";
import { resolver, sessionOf } from "../core/resolve/resolver.ts";
import type { Resolver, Session } from "../core/resolve/resolved.ts";
import type { Code } from "./codes.ts";
import { note } from "./place.ts";

/** A key of a configuration, and where it is written. */
export interface PlacedKey {
  readonly credential: string;
  readonly path: Path;
}

interface Warned {
  readonly code: Code;
  readonly text: (key: string) => string;
  readonly fix: string;
}

/** The most keys that are checked: a user reads no warnings about more keys. */
const MOST_KEYS = 10_000;

export function warnEffective(
  configuration: Configuration,
  keys: readonly PlacedKey[],
  problems: Problem[],
): void {
  const grouped = new Map<string, { warned: Warned; path: Path; id: string; others: number }>();
  const made = resolver({ ...configuration, shadow: null });
  // Keys with equal profiles have equal warnings, apart from keys with a pattern, which share budgets with others.
  const alone = new Map<Session["profile"], readonly Warned[]>();
  const joined: typeof alone = new Map();
  for (const { credential, path } of keys.slice(0, MOST_KEYS)) {
    const key = configuration.keys.get(credential);
    if (key === undefined) continue;
    const session = sessionOf(made, credential)!;
    const known = session.hasPattern ? joined : alone;
    const warnings = known.get(session.profile) ?? warningsOf(made, session, key);
    known.set(session.profile, warnings);
    for (const warned of warnings) {
      const name = JSON.stringify([warned.code, warned.text(""), key.applyPolicies]);
      const group = grouped.get(name);
      if (group === undefined) grouped.set(name, { warned, path, id: key.id, others: 0 });
      else group.others += 1;
    }
  }
  for (const { warned, path, id, others } of grouped.values()) {
    const more = others === 0 ? "" : ` and ${others} more`;
    note(problems, warned.code, path, warned.text(`key "${id}"${more}`), warned.fix);
  }
}

/** Warnings about the merged policies of one key, for a change of one record. */
export function warnMerged(
  key: Key,
  configuration: Pick<Configuration, "policies" | "options">,
  problems: Problem[],
): void {
  if (key.applyPolicies.length < 2) return;
  const merged = merge(key, configuration.policies, configuration.options);
  for (const { code, text, fix } of mergeWarningsOf(key, merged, configuration))
    note(problems, code, ["apply_policies"], text(`key "${key.id}"`), fix);
}

const mergeWarningsOf = (
  key: Key,
  merged: MergedKey,
  { policies, options }: Pick<Configuration, "policies" | "options">,
): readonly Warned[] => [
  ...losingPolicies(key, merged, policies, options),
  ...(options.policyBudgets === "merged" && key.applyPolicies.length > 1
    ? governingElsewhere(merged, merge(key, policies, { ...options, policyBudgets: "apart" }))
    : []),
];

function warningsOf(made: Resolver, session: Session, key: Key): readonly Warned[] {
  return [
    ...mergeWarningsOf(key, session.profile.merged, made.configuration),
    ...limitsThatNeverRefuse(made, session).map(neverRefuses),
  ];
}

const neverRefuses = ({ budget, by, apis }: NeverRefuses): Warned => ({
  code: "CFG-LIMIT-NEVER-REFUSES",
  text: (key) =>
    `${budgetText(budget, apis)} of ${key} can never refuse: ${budgetText(by, apis)} is evaluated for the same requests and is tighter`,
  fix: "",
});

function budgetText({ scope, limit, space }: Budget, apis: readonly string[]): string {
  const at = apis.join(", ");
  const text = limitText(limit);
  const quota = quotaText({ max: limit.rate, renewalUs: limit.perUs });
  switch (scope) {
    case "quota":
      return quota;
    case "quota-api":
      return `${quota} for API ${at}`;
    case "key":
      return `the root limit of ${text}`;
    case "key-api":
      return `the limit of ${text} for API ${at}`;
    case "api":
      return `the limit of ${text} of API ${at}`;
    case "key-endpoint":
    case "api-endpoint":
      return `the limit of ${text} for endpoint ${space.split("/").slice(2, -1).join("/")}`;
  }
}
