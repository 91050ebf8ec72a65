import type { Client } from "./client.ts";
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
  readonly isByClient?: true; // an API's, counted apart for each identity: the API is keyless and has `key_by` (LIM-C17)
}

export const isOfApi = (scope: Scope): boolean => scope === "api" || scope === "api-endpoint";

/** The key's quota, or the one that it has at one API. */
export const isQuota = (scope: Scope): boolean => scope === "quota" || scope === "quota-api";

/** One count for all clients, and so without an identity: an API's limit (LIM-7). */
export const isForAll = ({ scope, isByClient }: Budget): boolean =>
  isOfApi(scope) && isByClient !== true;

/** Whom a budget counts for: a quota goes by the credential whatever the limits go by (LIM-C17). */
export const countedClient = ({ scope }: Budget, client: Client): Client =>
  isQuota(scope) ? (client.owner ?? client) : client;

/** How a budget is named towards people and in a store's key. */
export const budgetName = (budget: Budget, client: Client): string =>
  isForAll(budget) ? budget.space : `${budget.space}|${countedClient(budget, client).identity}`;
