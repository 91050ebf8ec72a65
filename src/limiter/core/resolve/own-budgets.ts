// The budgets for the limits of one key, whatever it requests.
import { isQuota, type Budget } from "../budget.ts";
import type { KeyBy } from "../config.ts";
import { rulesAt } from "./resolver.ts";
import type { Resolver, Session } from "./resolved.ts";

/** A key's own budgets that its requests may meet, API by API. */
export function budgetsOf(
  resolver: Resolver,
  { profile, hasPattern }: Session,
): readonly {
  readonly api: string;
  readonly budget: Budget;
  /** the property of requests that the budget counts by; null: the budget counts the key (LIM-C17) */
  readonly by: Exclude<KeyBy, "credential"> | null;
}[] {
  return resolver.apis.flatMap((rules) => {
    const keyRules = rulesAt(resolver, rules, profile);
    if (keyRules === null || !keyRules.isEnforceable) return [];
    const by = hasPattern || rules.keyBy === "credential" ? null : rules.keyBy;
    return [...keyRules.endpoints, keyRules.otherwise, keyRules.quota, keyRules.quotaAtApi].flatMap(
      (budget) =>
        budget === null
          ? []
          : [{ api: rules.definition.id, budget, by: isQuota(budget.scope) ? null : by }],
    );
  });
}
