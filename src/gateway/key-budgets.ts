// The budgets of a key at every API that it may use: as they stand, without spending, or as if nothing had been spent
// (MGT-C11). What counts for everybody together is no key's budget. What counts by the address or a header (LIM-C17) is
// one for each client: it is told where that is so, and one of them is given back by its name.
import { budgetName, type Budget } from "../core/budget.ts";
import { client as newClient, type Client } from "../core/client.ts";
import type { KeyBy } from "../core/config.ts";
import { evaluateLevel } from "../core/evaluate.ts";
import { gatewaysAt } from "../core/limiter.ts";
import { budgetsOf } from "../core/resolve/own-budgets.ts";
import { sessionOf } from "../core/resolve/resolver.ts";
import type { Resolver, Session } from "../core/resolve/resolved.ts";
import { levelOf } from "../core/select.ts";
import { performLocally } from "../core/steps.ts";
import { hasFailed, type Level, type Steps, type StoreFailure } from "../core/store.ts";
import { viewOf, type BudgetView } from "./dry-run.ts";
import type { Gateway } from "./gateway.ts";

export interface KeyBudget extends Omit<BudgetView, "refuses" | "retryAfter"> {
  readonly apis: readonly string[]; // whose requests are counted there
  readonly shadow: boolean; // judged, and never enforced (LIM-C13)
}

/** A limit of the key with a budget for each client, none of which is the key's. */
export interface ByClient {
  readonly apis: readonly string[];
  readonly space: string; // what the name of each begins with
  readonly by: Exclude<KeyBy, "credential">;
}

export interface KeyBudgets {
  readonly budgets: readonly KeyBudget[];
  readonly byClient: readonly ByClient[];
}

interface Found {
  readonly level: Level;
  readonly session: Session;
  readonly apis: readonly string[];
  readonly by: ByClient["by"] | null;
  readonly isShadow: boolean;
}

/** Of a key that nobody has: none. */
export function* readBudgets(
  { limiter, clock }: Gateway,
  credential: string,
): Steps<KeyBudgets | StoreFailure> {
  const nowUs = clock();
  const budgets: KeyBudget[] = [];
  const byClient: ByClient[] = [];
  for (const { level, session, apis, by, isShadow } of found({ limiter, clock }, credential)) {
    if (by !== null) {
      byClient.push({ apis, space: level.budget.space, by });
      continue;
    }
    const answer = yield* evaluateLevel(limiter, level, session, nowUs);
    if (hasFailed(answer)) return answer;
    const { refuses: _, retryAfter: __, ...view } = viewOf(level, session, answer, nowUs);
    budgets.push({ ...view, apis, shadow: isShadow });
  }
  return { budgets, byClient };
}

/** All that are the key's alone, or the one of this name. What they are called that were. */
export function* resetBudgets(
  { limiter, clock }: Gateway,
  credential: string,
  name: string | null,
): Steps<readonly string[] | StoreFailure> {
  const names: string[] = [];
  for (const one of found({ limiter, clock }, credential)) {
    const client = one.by === null ? one.session : clientCalled(one.level.budget, name);
    if (client === null) continue;
    const { level } = one;
    const called = budgetName(level.budget, client);
    if ((name !== null && called !== name) || names.includes(called)) continue;
    const answer = yield* performLocally(limiter, { op: "reset", level, client, atUs: clock() });
    if (hasFailed(answer)) return answer;
    names.push(called);
  }
  return names;
}

/** As a refusal and a dry run call its budget: `key/60000000us|ip:10.0.0.7`. */
function clientCalled({ space }: Budget, name: string | null): Client | null {
  if (name === null || !name.startsWith(`${space}|`)) return null;
  const identity = name.slice(space.length + 1);
  return /^(?:ip|header):/.test(identity) ? newClient(identity) : null;
}

function found(
  { limiter, clock }: Pick<Gateway, "limiter" | "clock">,
  credential: string,
): readonly Found[] {
  const gateways = gatewaysAt(limiter, clock());
  const at = (resolver: Resolver, isShadow: boolean): readonly Found[] => {
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

/** One that several APIs draw on is there once, unless they count it by different things. */
function byBudget(
  resolver: Resolver,
  session: Session,
): readonly (Pick<Found, "apis" | "by"> & { readonly budget: Budget })[] {
  const apis = new Map<string, { budget: Budget; by: Found["by"]; apis: string[] }>();
  for (const { api, budget, by } of budgetsOf(resolver, session)) {
    const name = JSON.stringify([budget.space, by]);
    const known = apis.get(name);
    if (known === undefined) apis.set(name, { budget, by, apis: [api] });
    else known.apis.push(api);
  }
  return [...apis.values()];
}
