// The rules of a configuration of another limiter, with their counters. Each rule counts in budgets of its own.
import type { Client } from "../../limiter/core/client.ts";
import type { Intent, Level } from "../../limiter/core/store.ts";
import { newDecision, type Decision } from "../../limiter/core/decision.ts";
import { decideNow, limiter, LOCAL_STORE_TRAITS, prepare } from "../../limiter/core/limiter.ts";
import { resolver } from "../../limiter/core/resolve/resolver.ts";
import { micros } from "../../kit/units.ts";
import { copyMemory } from "../../limiter/store/copy.ts";
import { fingerprintOf } from "../../limiter/store/fingerprint.ts";
import { localStore, memoryStore, type MemoryStore } from "../../limiter/store/memory.ts";
import type { ReadConfiguration, ReadRule, RequestFacts } from "./reading.ts";

/** The store in which a rule counts; `own` has the counters of the instance. */
export type StoreOfRule = (rule: ReadRule, own: MemoryStore) => MemoryStore;

/** The budget of a request in each rule; null: the rule does not count the request. */
export type RuleBudgets = readonly ({
  readonly client: Client;
  readonly mayRefuse: boolean; // false: the rule counts the request and never refuses it
} | null)[];

/** A budget after a decision. */
export interface BudgetToSend {
  readonly rule: ReadRule;
  readonly limit: number;
  readonly remaining: number; // units
  readonly resetUs: number;
}

/** The rules of a configuration, with their counters. */
export class StartedRules {
  readonly #configuration: ReadConfiguration;
  readonly #rules: readonly StartedRule[];
  readonly #store: MemoryStore;
  /** The rule that refused the last request, if it was refused, and its budget. */
  refusedBy = 0;
  refusedLevel: Level | null = null;

  constructor(
    configuration: ReadConfiguration,
    store: MemoryStore = memoryStore(),
    storeOf: StoreOfRule = (_, own) => own,
  ) {
    this.#configuration = configuration;
    this.#store = store;
    this.#rules = configuration.rules.map((rule) => startRule(rule, storeOf(rule, store)));
  }

  /** Returns the wait in microseconds; 0: admitted. */
  decide(budgets: RuleBudgets, atUs: number): number {
    const { order, dryRunsStop } = this.#configuration;
    const refusal =
      order === "together"
        ? decideTogether(this.#rules, budgets, atUs, dryRunsStop === "all limits")
        : decideInTurn(this.#rules, budgets, atUs);
    if (refusal === null) return 0;
    this.refusedBy = refusal.rule;
    this.refusedLevel = refusal.level;
    return refusal.waitUs;
  }

  /** How long a request waits for its turn if `decide` admits it, in microseconds. */
  delayUs(budgets: RuleBudgets, atUs: number): number {
    let longestUs = 0;
    for (const [index, { decideUndelayed, rule }] of this.#rules.entries()) {
      const budget = budgets[index] ?? null;
      if (decideUndelayed === null || budget === null || !budget.mayRefuse || rule.isDryRun)
        continue;
      const { retryAfterUs } = decideUndelayed(budget.client, atUs, "evaluate");
      longestUs = Math.max(longestUs, retryAfterUs);
    }
    return longestUs;
  }

  /** The budgets whose rules send headers of remaining requests, in the order of the rules. */
  budgetsToSend(budgets: RuleBudgets, atUs: number): readonly BudgetToSend[] {
    return this.#rules.flatMap(({ decide, rule }, index) => {
      const budget = budgets[index] ?? null;
      if (budget === null || rule.sendsRemaining !== true) return [];
      const { limit, remaining, resetUs } = decide(budget.client, atUs, "evaluate");
      return [{ rule, limit, remaining, resetUs }];
    });
  }

  /** The same rules with counters of their own. */
  copy(): StartedRules {
    return new StartedRules(this.#configuration, copyMemory(this.#store));
  }

  /** The same text for counters that decide alike from now on; null: there is no such text. */
  fingerprint(): string | null {
    return fingerprintOf(this.#store);
  }
}

/** The name of the budget of a request in each rule; null: the rule does not count the request. */
export const budgetNames = (
  { rules }: ReadConfiguration,
  request: RequestFacts,
): readonly (string | null)[] => rules.map((rule) => rule.budgetOf(request));

/** What a rule needs to count. */
export type CountingRule = Pick<ReadRule, "id" | "counters" | "limit" | "options" | "cost">;

/** Rules with equal names count in the same budgets. */
export const countersOf = ({ id, counters }: CountingRule): string => counters ?? id;

interface Refusal {
  readonly rule: number;
  readonly level: Level | null;
  readonly waitUs: number;
}

function decideTogether(
  rules: readonly StartedRule[],
  budgets: RuleBudgets,
  atUs: number,
  dryRunsStopAll: boolean,
): Refusal | null {
  let isDryRefused = false;
  for (const [index, { decide, rule }] of rules.entries()) {
    const budget = budgets[index] ?? null;
    if (budget === null) continue;
    const { refused, retryAfterUs, level } = decide(budget.client, atUs, "evaluate");
    if (refused === null || !budget.mayRefuse) continue;
    isDryRefused ||= rule.isDryRun;
    if (rule.isDryRun) continue;
    decide(budget.client, atUs, "spend"); // some limiters count refused requests
    return { rule: index, level, waitUs: retryAfterUs };
  }
  for (const [index, { decide, rule }] of rules.entries()) {
    const budget = budgets[index] ?? null;
    // A dry run that would refuse spends nothing of the other limits in it either.
    const isStopped = isDryRefused && (rule.isDryRun || dryRunsStopAll);
    if (budget !== null && !isStopped) decide(budget.client, atUs, "spend");
  }
  return null;
}

function decideInTurn(
  rules: readonly StartedRule[],
  budgets: RuleBudgets,
  atUs: number,
): Refusal | null {
  let refusal: Refusal | null = null;
  const later: { readonly from: number; readonly spend: () => void }[] = [];
  for (const [index, { decide, rule }] of rules.entries()) {
    const budget = budgets[index] ?? null;
    if (budget === null) continue;
    const from = rule.countsRefusedFrom ?? index;
    const spend = (): Decision => decide(budget.client, atUs, "spend");
    const canRefuse = refusal === null && budget.mayRefuse && !rule.isDryRun;
    if (refusal === null && from <= index) {
      // It spends before the next rule is evaluated, which may count in the same budget.
      const { refused, retryAfterUs, level } = spend();
      if (canRefuse && refused !== null) refusal = { rule: index, level, waitUs: retryAfterUs };
    } else if (canRefuse && decide(budget.client, atUs, "evaluate").refused !== null) {
      const { retryAfterUs, level } = spend();
      refusal = { rule: index, level, waitUs: retryAfterUs };
    } else later.push({ from, spend });
  }
  for (const { from, spend } of later) if (refusal === null || refusal.rule >= from) spend();
  return refusal;
}

interface StartedRule {
  readonly rule: ReadRule;
  readonly decide: DecideBudget;
  readonly decideUndelayed: DecideBudget | null; // null: it delays no request
}

type DecideBudget = (budget: Client, atUs: number, intent: Intent) => Decision;

function startRule(rule: ReadRule, counters: MemoryStore): StartedRule {
  const { undelayed } = rule;
  return {
    rule,
    decide: startLater(rule, counters),
    decideUndelayed:
      undelayed === undefined
        ? null
        : startLater({ ...rule, counters: countersOf(rule), options: undelayed }, counters),
  };
}

/** Starts to count with the first request, because most copies of rules never get one. */
function startLater(rule: CountingRule, counters: MemoryStore): DecideBudget {
  let started: DecideBudget | null = null;
  return (budget, atUs, intent) =>
    (started ??= startCounting(rule, counters))(budget, atUs, intent);
}

/** The returned decision is valid until the next one. */
export function startCounting(rule: CountingRule, counters: MemoryStore): DecideBudget {
  const configuration = {
    apis: new Map(),
    policies: new Map(),
    keys: new Map(),
    options: rule.options,
    shadow: null,
  };
  const key = {
    space: countersOf(rule),
    scope: "key" as const,
    limit: { smoothing: null, ...rule.limit },
    because: [],
  };
  const store = localStore(counters, counters);
  const inner = limiter(resolver(configuration), store, LOCAL_STORE_TRAITS, null);
  const resolved = { id: 0, api: null, key, quota: null, quotaAtApi: null };
  const prepared = prepare(inner, resolved, micros(0));
  const into = newDecision();
  return (budget, atUs, intent) =>
    decideNow(inner, prepared, budget, micros(atUs), intent, rule.cost ?? 1, into);
}
