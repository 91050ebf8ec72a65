import type { Client } from "./client.ts";
import type { Limit } from "./limit.ts";

/** Which requests share a budget, from the most specific to the least. Quotas are budgets like the others (LIM-C9). */
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
 * A limit, bound to the requests that it counts together. `space` names the budget without the client: budgets
 * of one space differ by identity only, so a million keys with one policy share one Budget.
 */
export interface Budget {
  readonly space: string;
  readonly scope: Scope;
  readonly limit: Limit;
  readonly because: readonly string[]; // requirement ids, for explanations and traces
  readonly isByClient?: true; // an API's limit with a budget for each client: keyless, with `key_by` (LIM-C17)
}

export const isOfApi = (scope: Scope): boolean => scope === "api" || scope === "api-endpoint";

/** A quota of the key, for all APIs or for one. */
export const isQuota = (scope: Scope): boolean => scope === "quota" || scope === "quota-api";

/** Whether all clients share the budget: a limit of an API without `isByClient` (LIM-7). */
export const isForAll = ({ scope, isByClient }: Budget): boolean =>
  isOfApi(scope) && isByClient !== true;

/** The client whose requests a budget counts. A quota always counts by the credential (LIM-C17). */
export const budgetClient = ({ scope }: Budget, client: Client): Client =>
  isQuota(scope) ? (client.owner ?? client) : client;

/** The name of a budget in messages and in the keys of a store. */
export const budgetName = (budget: Budget, client: Client): string =>
  isForAll(budget) ? budget.space : `${budget.space}|${budgetClient(budget, client).identity}`;
