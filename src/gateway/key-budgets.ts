// The budgets of a key at every API that it may use: read without spending, or reset (MGT-C11). Budgets that all
// clients share are left out. A limit that counts by address or header (LIM-C17) has a budget for each client: reading
// lists the limit, and a reset names one of these budgets.
import { budgetName, type Budget } from "../limiter/core/budget.ts";
import { client as newClient, type Client } from "../limiter/core/client.ts";
import type { KeyBy } from "../limiter/core/config.ts";
import { evaluateLevel } from "../limiter/core/evaluate.ts";
import { gatewaysAt } from "../limiter/core/limiter.ts";
import { budgetsOf } from "../limiter/core/resolve/own-budgets.ts";
import { sessionOf } from "../limiter/core/resolve/resolver.ts";
import type { Resolver, Session } from "../limiter/core/resolve/resolved.ts";
import { levelOf } from "../limiter/core/select.ts";
import { performLocally } from "../limiter/core/steps.ts";
import { hasFailed, type Level, type Steps, type StoreFailure } from "../limiter/core/store.ts";
import { viewOf, type BudgetView } from "./dry-run.ts";
import type { Gateway } from "./gateway.ts";

interface KeyBudget extends Omit<BudgetView, "refuses" | "retryAfter"> {
  readonly apis: readonly string[]; // the APIs whose requests the budget counts
  readonly shadow: boolean; // evaluated, never enforced (LIM-C13)
}

/** A limit of the key with a budget for each client, so that no budget belongs to the key. */
interface ByClient {
  readonly apis: readonly string[];
  readonly space: string; // prefix of the names of the limit's budgets
  readonly by: Exclude<KeyBy, "credential">;
}

interface KeyBudgets {
  readonly budgets: readonly KeyBudget[];
  readonly byClient: readonly ByClient[];
}

interface KeyLevel {
  readonly level: Level;
  readonly session: Session;
  readonly apis: readonly string[];
  readonly by: ByClient["by"] | null;
  readonly isShadow: boolean;
}

/** Returns no budgets if no key has the credential. */
export function* readBudgets(
  { limiter, clock }: Gateway,
  credential: string,
): Steps<KeyBudgets | StoreFailure> {
  const nowUs = clock();
  const budgets: KeyBudget[] = [];
  const byClient: ByClient[] = [];
  for (const { level, session, apis, by, isShadow } of listLevels({ limiter, clock }, credential)) {
    if (by !== null) {
      byClient.push({ apis, space: level.budget.space, by });
      continue;
    }
    const answer = yield* evaluateLevel(limiter, { level, client: session, atUs: nowUs, units: 1 });
    if (hasFailed(answer)) return answer;
    const { refuses: _, retryAfter: __, ...view } = viewOf(level, session, answer, nowUs);
    budgets.push({ ...view, apis, shadow: isShadow });
  }
  return { budgets, byClient };
}

/** Resets all budgets that belong to the key, or only the budget with this name. Returns the names of reset budgets. */
export function* resetBudgets(
  { limiter, clock }: Gateway,
  credential: string,
  name: string | null,
): Steps<readonly string[] | StoreFailure> {
  const names: string[] = [];
  for (const entry of listLevels({ limiter, clock }, credential)) {
    const client = entry.by === null ? entry.session : findClient(entry.level.budget, name);
    if (client === null) continue;
    const { level } = entry;
    const fullName = budgetName(level.budget, client);
    if ((name !== null && fullName !== name) || names.includes(fullName)) continue;
    const answer = yield* performLocally(limiter, { op: "reset", level, client, atUs: clock() });
    if (hasFailed(answer)) return answer;
    names.push(fullName);
  }
  return names;
}

/** The client in a budget's name, as refusals and dry runs show it: `key/60000000us|ip:10.0.0.7`. */
function findClient({ space }: Budget, name: string | null): Client | null {
  if (name === null || !name.startsWith(`${space}|`)) return null;
  const identity = name.slice(space.length + 1);
  return /^(?:ip|header):/.test(identity) ? newClient(identity) : null;
}

function listLevels(
  { limiter, clock }: Pick<Gateway, "limiter" | "clock">,
  credential: string,
): readonly KeyLevel[] {
  const gateways = gatewaysAt(limiter, clock());
  const at = (resolver: Resolver, isShadow: boolean): readonly KeyLevel[] => {
    const session = sessionOf(resolver, credential);
    if (session === null) return [];
    const { options } = resolver.configuration;
    return byBudget(resolver, session).map(({ budget, apis, by }) => ({
      level: levelOf(options, budget, gateways),
      session,
      apis,
      by,
      isShadow,
    }));
  };
  const { resolver } = limiter;
  return [...at(resolver, false), ...(resolver.shadow === null ? [] : at(resolver.shadow, true))];
}

/** Lists a budget of several APIs once, unless the APIs count by different properties. */
function byBudget(
  resolver: Resolver,
  session: Session,
): readonly (Pick<KeyLevel, "apis" | "by"> & { readonly budget: Budget })[] {
  const apis = new Map<string, { budget: Budget; by: KeyLevel["by"]; apis: string[] }>();
  for (const { api, budget, by } of budgetsOf(resolver, session)) {
    const name = JSON.stringify([budget.space, by]);
    const existing = apis.get(name);
    if (existing === undefined) apis.set(name, { budget, by, apis: [api] });
    else existing.apis.push(api);
  }
  return [...apis.values()];
}
