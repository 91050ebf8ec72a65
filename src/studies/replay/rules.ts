// A candidate that is the configuration of another limiter, as rules. Each rule counts in budgets of its own.
import { client, type Client } from "../../limiter/core/client.ts";
import type { Intent } from "../../limiter/core/store.ts";
import { newDecision, type Decision } from "../../limiter/core/decision.ts";
import { decideNow, limiter, LOCAL_STORE_TRAITS, prepare } from "../../limiter/core/limiter.ts";
import { resolver } from "../../limiter/core/resolve/resolver.ts";
import { micros, SECOND } from "../../kit/units.ts";
import { copyMemory } from "../../limiter/store/copy.ts";
import { fingerprintOf } from "../../limiter/store/fingerprint.ts";
import { localStore, memoryStore, type MemoryStore } from "../../limiter/store/memory.ts";
import type {
  ReadConfiguration,
  ReadRule,
  RequestFacts,
} from "../../lab/implementations/reading.ts";
import type { CandidateLimiter, RequestNames, RuleCount } from "./candidate-limiter.ts";
import { SEPARATOR } from "./names.ts";
import { selectorText, type Selector } from "./selectors.ts";

export interface RulesCandidate {
  readonly kind: "rules";
  readonly file: string;
  readonly configuration: ReadConfiguration;
}

const MINUTE = 60 * SECOND;

/** The limit of a rule in requests, in a usual window: nginx counts some rates in 1,000 seconds. */
export function limitInRequests({
  limit: { rate, perUs },
  cost = 1,
}: Pick<ReadRule, "limit" | "cost">): Pick<ReadRule["limit"], "rate" | "perUs"> {
  const requests = rate / cost;
  return perUs === 1000 * SECOND
    ? { rate: (requests * MINUTE) / perUs, perUs: micros(MINUTE) }
    : { rate: requests, perUs };
}

/** The fields of a request that rules may read. */
export const fieldsOfRules = ({
  configuration: { headers },
}: RulesCandidate): readonly Selector[] => [
  { kind: "field of every log", name: "ip" },
  { kind: "header", name: "host" },
  ...headers.map((name): Selector => ({ kind: "header", name })),
];

/** The store in which a rule counts; `own` has the counters of the instance. */
export type StoreOfRule = (rule: ReadRule, own: MemoryStore) => MemoryStore;

export function startRules(
  { configuration }: RulesCandidate,
  { targets, sender = [] }: RequestNames,
  storeOf?: StoreOfRule,
): CandidateLimiter {
  const fields = sender.map(selectorText);
  const rules = new StartedRules(configuration, memoryStore(), storeOf);
  const clients = configuration.rules.map(() => new Map<string, Client>());
  const budgets: RuleBudgets[] = []; // by the number of the target
  const budgetsOf = (target: number): RuleBudgets => {
    const request = factsIn(targets!.names[target]!, fields);
    return budgetNames(configuration, request).map((name, index) => {
      if (name === null) return null;
      const known = clients[index]!.get(name) ?? client(name);
      clients[index]!.set(name, known);
      return { client: known, mayRefuse: configuration.rules[index]!.mayRefuse?.(request) ?? true };
    });
  };
  const requests: { counted: number; refused: number }[] = []; // by the number of the target
  const refusals = configuration.rules.map(() => 0);
  return {
    decide: (_, target, atUs) => {
      const own = (requests[target] ??= { counted: 0, refused: 0 });
      own.counted++;
      const waitUs = rules.decide((budgets[target] ??= budgetsOf(target)), atUs);
      if (waitUs !== 0) {
        own.refused++;
        refusals[rules.refusedBy]!++;
      }
      return waitUs;
    },
    ruleCounts: () =>
      configuration.rules.map((_, rule) => ({
        counted: budgets.reduce(
          (sum, of, target) => sum + (of[rule] === null ? 0 : requests[target]!.counted),
          0,
        ),
        refused: refusals[rule]!,
      })),
    targetCounts: () => Array.from(requests, (own: RuleCount | undefined) => own ?? NO_REQUEST),
    delayUs: null,
    makeRoom: () => {},
  };
}

const NO_REQUEST: RuleCount = { counted: 0, refused: 0 };

/** The budget of a request in each rule; null: the rule does not count the request. */
export type RuleBudgets = readonly ({
  readonly client: Client;
  readonly mayRefuse: boolean; // false: the rule counts the request and never refuses it
} | null)[];

/** The rules of a configuration, with their counters. */
export class StartedRules {
  readonly #configuration: ReadConfiguration;
  readonly #rules: readonly StartedRule[];
  readonly #store: MemoryStore;
  /** The rule that refused the last request, if it was refused. */
  refusedBy = 0;

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
    const find = this.#configuration.order === "together" ? decideTogether : decideInTurn;
    const refusal = find(this.#rules, budgets, atUs);
    if (refusal === null) return 0;
    this.refusedBy = refusal.rule;
    return refusal.waitUs;
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

const countersOf = ({ id, counters }: CountingRule): string => counters ?? id;

interface Refusal {
  readonly rule: number;
  readonly waitUs: number;
}

type DecideRules = (
  rules: readonly StartedRule[],
  budgets: RuleBudgets,
  atUs: number,
) => Refusal | null;

const decideTogether: DecideRules = (rules, budgets, atUs) => {
  let isDryRefused = false;
  for (const [index, { decide, rule }] of rules.entries()) {
    const budget = budgets[index] ?? null;
    if (budget === null) continue;
    const { refused, retryAfterUs } = decide(budget.client, atUs, "evaluate");
    if (refused === null || !budget.mayRefuse) continue;
    isDryRefused ||= rule.isDryRun;
    if (rule.isDryRun) continue;
    decide(budget.client, atUs, "spend"); // some limiters count refused requests
    return { rule: index, waitUs: retryAfterUs };
  }
  for (const [index, { decide, rule }] of rules.entries()) {
    const budget = budgets[index] ?? null;
    // A dry run that would refuse spends nothing of the other limits in it either.
    if (budget !== null && !(rule.isDryRun && isDryRefused)) decide(budget.client, atUs, "spend");
  }
  return null;
};

const decideInTurn: DecideRules = (rules, budgets, atUs) => {
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
      const { refused, retryAfterUs } = spend();
      if (canRefuse && refused !== null) refusal = { rule: index, waitUs: retryAfterUs };
    } else if (canRefuse && decide(budget.client, atUs, "evaluate").refused !== null)
      refusal = { rule: index, waitUs: spend().retryAfterUs };
    else later.push({ from, spend });
  }
  for (const { from, spend } of later) if (refusal === null || refusal.rule >= from) spend();
  return refusal;
};

function factsIn(name: string, fields: readonly string[]): RequestFacts {
  const [requestLine = "", ...values] = name.split(String.fromCodePoint(SEPARATOR));
  const space = requestLine.indexOf(" ");
  const valueOf = (field: string): string => values[fields.indexOf(field)] ?? "";
  return {
    method: requestLine.slice(0, space),
    target: requestLine.slice(space + 1),
    address: valueOf("ip"),
    host: valueOf("header:host"),
    header: (header) => valueOf(`header:${header}`) || null,
  };
}

interface StartedRule {
  readonly rule: ReadRule;
  readonly decide: DecideBudget;
}

type DecideBudget = (budget: Client, atUs: number, intent: Intent) => Decision;

/** Starts to count with the first request, because most copies of rules never get one. */
function startRule(rule: ReadRule, counters: MemoryStore): StartedRule {
  let started: DecideBudget | null = null;
  return {
    rule,
    decide: (budget, atUs, intent) =>
      (started ??= startCounting(rule, counters))(budget, atUs, intent),
  };
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
