// Finds limits that can never refuse (LIM-C15): for each of their requests a second limit is evaluated too, and admits
// fewer requests (LIM-C11) than the first one needs to refuse. This holds if the store responds and budgets are not
// changed or reset. If a request is decided in several steps, no limit is reported.
import { isOfApi, isQuota, type Budget } from "../core/budget.ts";
import type { GatewayOptions } from "../core/config.ts";
import { capacityOf } from "../core/limit.ts";
import { chooseAlgorithm } from "../core/select.ts";
import { micros } from "../../kit/units.ts";
import { keyIdentity } from "../core/resolve/identity.ts";
import { rulesAt } from "../core/resolve/resolver.ts";
import type { AlgorithmSpec, LimitFacts } from "../spec/algorithm-spec.ts";
import { SPECS } from "../spec/by-algorithm.ts";
import type { Resolver, Session } from "../core/resolve/resolved.ts";

export interface NeverRefuses {
  readonly budget: Budget;
  readonly by: Budget; // the tighter limit
  readonly apis: readonly string[]; // the APIs whose requests the budget counts
}

interface Covered {
  readonly budget: Budget;
  readonly apis: Set<string>;
  others: readonly Budget[]; // evaluated for every request that the budget counts
}

export function limitsThatNeverRefuse(
  resolver: Resolver,
  session: Session,
): readonly NeverRefuses[] {
  const { options } = resolver.configuration;
  // Other keys with the same identity share the key's budgets, and may have other limits.
  if (!isOneStep(options) || session.identity !== keyIdentity(session.key.id)) return [];
  return [...findCovered(resolver, session).values()].flatMap(({ budget, apis, others }) => {
    if (isOfApi(budget.scope)) return [];
    const tighter = others.filter((other) => isNeverReached(options, budget, other));
    const [by] = tighter.toSorted((a, b) => a.limit.rate - b.limit.rate);
    return by === undefined ? [] : [{ budget, by, apis: [...apis] }];
  });
}

const MOST_COMBINATIONS = 10_000;

/** Every budget that the key may meet, by name, from each combination of endpoint entries that one request may meet. */
function findCovered(resolver: Resolver, { profile }: Session): ReadonlyMap<string, Covered> {
  const found = new Map<string, Covered>();
  for (const api of resolver.apis) {
    const own = rulesAt(resolver, api, profile);
    if (own === null || !own.isEnforceable) continue;
    // With `key_by`, each sender has budgets of its own, so no limit covers all requests of another one.
    if (api.keyBy !== "credential") return new Map();
    const ofApi = [...api.endpoints, api.otherwise];
    const ofKey = [...own.endpoints, own.otherwise];
    if (ofApi.length * ofKey.length > MOST_COMBINATIONS) return new Map();
    for (const one of ofApi)
      for (const other of ofKey) {
        const met = [one, other, own.quota, own.quotaAtApi].filter((budget) => budget !== null);
        for (const budget of met) cover(found, budget, met, api.definition.id);
      }
  }
  return found;
}

function cover(
  found: Map<string, Covered>,
  budget: Budget,
  met: readonly Budget[],
  api: string,
): void {
  const known = found.get(budget.space);
  if (known === undefined) {
    const others = met.filter(({ space }) => space !== budget.space);
    found.set(budget.space, { budget, apis: new Set([api]), others });
    return;
  }
  known.apis.add(api);
  known.others = known.others.filter((other) => met.includes(other));
}

/** Whether all levels are evaluated in one step before any is spent, with any number of gateways. */
function isOneStep(options: GatewayOptions): boolean {
  const { algorithm, drlThreshold, enableFixedWindowRateLimiter, storeTransaction } = options;
  if (storeTransaction === "multi" || options.limitOrder === "key_first") return false;
  if (algorithm === null && drlThreshold > 0 && !enableFixedWindowRateLimiter) return false;
  return isExact(
    SPECS[chooseAlgorithm(options, { rate: 1, perUs: micros(1), smoothing: null }, 1)],
  );
}

function isNeverReached(options: GatewayOptions, budget: Budget, by: Budget): boolean {
  const most = mostAdmitted(options, by);
  const needed = countToRefuse(options, budget);
  if (most === null || needed === null) return false;
  const [longUs, shortUs] = [budget.limit.perUs, by.limit.perUs];
  const windows = longUs <= shortUs ? 1 : Math.ceil(longUs / shortUs);
  return most * windows < needed;
}

/** The most requests that a budget admits in any window of its length (LIM-C11); null: no bound is proved. */
function mostAdmitted(options: GatewayOptions, budget: Budget): number | null {
  const spec = specOf(options, budget);
  const { most, origin } = spec.mostInWindow(factsOf(options, budget));
  return isExact(spec) && origin !== "measured" ? most : null;
}

/** The least number of admitted requests in a window before the budget refuses; null: no such number is proved. */
function countToRefuse(options: GatewayOptions, budget: Budget): number | null {
  const spec = specOf(options, budget);
  const facts = factsOf(options, budget);
  const capacity = capacityOf(budget.limit);
  const isWholeWindow =
    spec.budget(facts) === capacity && spec.mostInWindow(facts).origin !== "measured";
  if (!isExact(spec) || !isWholeWindow) return null;
  const { smoothing } = budget.limit;
  return spec.countsAttempts && smoothing !== null ? Math.floor(smoothing.threshold) : capacity;
}

const specOf = (options: GatewayOptions, { scope, limit }: Budget): AlgorithmSpec =>
  SPECS[isQuota(scope) ? "quota" : chooseAlgorithm(options, limit, 1)];

/** Whether all gateways together admit exactly the limit. False if requests are delayed: they leave later. */
const isExact = ({ countedBy, overshootsBy, delays }: AlgorithmSpec): boolean =>
  countedBy === "store" && overshootsBy === null && !delays;

const factsOf = (
  { burst, queue, fixedWindowStart }: GatewayOptions,
  { limit: { rate, perUs } }: Budget,
): LimitFacts => ({ rate, perUs, gateways: 1, burst, queue, fixedWindowStart });
