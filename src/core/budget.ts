import type { Limit } from "./limit.ts";

/** Who shares a count, from the most specific to the least. Quotas are budgets like the others (LIM-C9). */
export const SCOPES = [
  "api-endpoint",
  "api",
  "key-endpoint",
  "key-api",
  "key",
  "quota-api",
  "quota",
] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * A limit bound to what is counted together. `space` names it without the client: two budgets of one
 * space differ by identity only, so a million keys made from one policy share one Budget.
 */
export interface Budget {
  readonly space: string;
  readonly scope: Scope;
  readonly limit: Limit;
  readonly because: readonly string[]; // requirement ids: explanation and trace in one
}

/** API-level budgets are one count for all clients (LIM-7), and so have no identity. */
export const isOfApi = (scope: Scope): boolean => scope === "api" || scope === "api-endpoint";

/** The key's quota, or the one that it has at one API. */
export const isQuota = (scope: Scope): boolean => scope === "quota" || scope === "quota-api";

/** How a budget is named towards people and in a store's key. */
export const budgetName = (budget: Budget, identity: string): string =>
  isOfApi(budget.scope) ? budget.space : `${budget.space}|${identity}`;
