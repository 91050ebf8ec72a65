// The budgets of a key at every API that it may use: as they stand, without spending, or as if nothing had been spent
// (MGT-C11). What counts for everybody together is no key's budget.
import { budgetName, isQuota, type Budget } from "../core/budget.ts";
import { gatewaysAt } from "../core/limiter.ts";
import { budgetsOf, sessionOf, type Resolver, type Session } from "../core/resolve/resolver.ts";
import { levelOf } from "../core/select.ts";
import { hasFailed, type Level, type Steps, type StoreFailure } from "../core/store.ts";
import { answered, asRate, viewOf, type BudgetView } from "./dry-run.ts";
import type { Gateway } from "./handle.ts";

export interface KeyBudget extends Omit<BudgetView, "refuses" | "retryAfter"> {
  readonly apis: readonly string[]; // whose requests are counted there
  readonly shadow: boolean; // judged, and never enforced (LIM-C13)
}

interface Found {
  readonly level: Level;
  readonly session: Session;
  readonly apis: readonly string[];
  readonly isShadow: boolean;
}

/** Of a key that nobody has: none. */
export function* readBudgets(
  { limiter, clock }: Gateway,
  credential: string,
): Steps<readonly KeyBudget[] | StoreFailure> {
  const nowUs = clock();
  const views: KeyBudget[] = [];
  for (const { level, session, apis, isShadow } of found({ limiter, clock }, credential)) {
    const answer = yield* isQuota(level.budget.scope)
      ? asRate(limiter, level, session, nowUs)
      : answered(limiter, {
          op: "take",
          levels: [level],
          client: session,
          atUs: nowUs,
          intent: "ask",
        });
    if (hasFailed(answer)) return answer;
    const { refuses: _, retryAfter: __, ...view } = viewOf(level, session, answer, nowUs);
    views.push({ ...view, apis, shadow: isShadow });
  }
  return views;
}

/** All of them, or the one of this name. What they are called that were. */
export function* resetBudgets(
  { limiter, clock }: Gateway,
  credential: string,
  name: string | null,
): Steps<readonly string[] | StoreFailure> {
  const names: string[] = [];
  for (const { level, session } of found({ limiter, clock }, credential)) {
    const called = budgetName(level.budget, session);
    if (name !== null && called !== name) continue;
    const answer = yield* answered(limiter, { op: "reset", level, client: session, atUs: clock() });
    if (hasFailed(answer)) return answer;
    names.push(called);
  }
  return names;
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
    return byBudget(resolver, session).map(([budget, apis]) => ({
      level: levelOf(options, budget, gateways),
      session,
      apis,
      isShadow,
    }));
  };
  const { resolver } = limiter;
  return [...at(resolver, false), ...(resolver.shadow === null ? [] : at(resolver.shadow, true))];
}

/** One that several APIs draw on is there once. */
function byBudget(
  resolver: Resolver,
  session: Session,
): readonly (readonly [Budget, readonly string[]])[] {
  const apis = new Map<Budget, string[]>();
  for (const { api, budget } of budgetsOf(resolver, session)) {
    const known = apis.get(budget);
    if (known === undefined) apis.set(budget, [api]);
    else known.push(api);
  }
  return [...apis];
}
