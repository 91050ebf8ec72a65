// A candidate that is the configuration of another limiter, as rules. Each rule counts in budgets of its own.
import { client, type Client } from "../../limiter/core/client.ts";
import type { Intent } from "../../limiter/core/store.ts";
import { newDecision, type Decision } from "../../limiter/core/decision.ts";
import { decideNow, limiter, LOCAL_STORE_TRAITS, prepare } from "../../limiter/core/limiter.ts";
import { resolver } from "../../limiter/core/resolve/resolver.ts";
import { micros } from "../../kit/units.ts";
import { localStore, memoryStore } from "../../limiter/store/memory.ts";
import type {
  ReadConfiguration,
  ReadRule,
  RequestFacts,
} from "../../lab/implementations/reading.ts";
import type { CandidateLimiter, RequestNames } from "./candidate-limiter.ts";
import { SEPARATOR } from "./names.ts";
import { selectorText, type Selector } from "./selectors.ts";

export interface RulesCandidate {
  readonly kind: "rules";
  readonly file: string;
  readonly configuration: ReadConfiguration;
}

/** The fields of a request that rules may read. */
export const fieldsOfRules = ({
  configuration: { headers },
}: RulesCandidate): readonly Selector[] => [
  { kind: "field of every log", name: "ip" },
  { kind: "header", name: "host" },
  ...headers.map((name): Selector => ({ kind: "header", name })),
];

export function startRules(
  { configuration }: RulesCandidate,
  { targets, sender = [] }: RequestNames,
): CandidateLimiter {
  const rules = configuration.rules.map(startRule);
  const fields = sender.map(selectorText);
  const budgetsOf: (readonly (MetBudget | null)[])[] = []; // by the number of the target
  const decide = configuration.order === "together" ? decideTogether : decideInTurn;
  return {
    decide: (_, target, atUs) =>
      decide(
        rules,
        (budgetsOf[target] ??= budgetsFor(targets!.names[target]!, fields, rules)),
        atUs,
      ),
    delayUs: null,
    makeRoom: () => {},
  };
}

/** A budget of a request. */
interface MetBudget {
  readonly client: Client;
  readonly mayRefuse: boolean;
}

type DecideRules = (
  rules: readonly StartedRule[],
  budgets: readonly (MetBudget | null)[], // of each rule; null: it does not count the request
  atUs: number,
) => number;

const decideTogether: DecideRules = (rules, budgets, atUs) => {
  for (const [index, { decide, rule }] of rules.entries()) {
    const budget = budgets[index] ?? null;
    if (budget === null) continue;
    const { refused, retryAfterUs } = decide(budget.client, atUs, "evaluate");
    if (refused === null || !budget.mayRefuse) continue;
    if (rule.isDryRun) return 0;
    decide(budget.client, atUs, "spend"); // some limiters count refused requests
    return retryAfterUs;
  }
  for (const [index, { decide }] of rules.entries()) {
    const budget = budgets[index] ?? null;
    if (budget !== null) decide(budget.client, atUs, "spend");
  }
  return 0;
};

const decideInTurn: DecideRules = (rules, budgets, atUs) => {
  let [refusedBy, waitUs] = [Number.POSITIVE_INFINITY, 0];
  for (const [index, { decide, rule }] of rules.entries()) {
    const budget = budgets[index] ?? null;
    if (budget === null || !budget.mayRefuse || rule.isDryRun) continue;
    const { refused, retryAfterUs } = decide(budget.client, atUs, "evaluate");
    if (refused === null) continue;
    [refusedBy, waitUs] = [index, retryAfterUs];
    break;
  }
  for (const [index, { decide, rule }] of rules.entries()) {
    const budget = budgets[index] ?? null;
    if (budget === null) continue;
    if (index === refusedBy || refusedBy >= (rule.countsRefusedFrom ?? index))
      decide(budget.client, atUs, "spend");
  }
  return waitUs;
};

function budgetsFor(
  name: string,
  fields: readonly string[],
  rules: readonly StartedRule[],
): readonly (MetBudget | null)[] {
  const [requestLine = "", ...values] = name.split(String.fromCodePoint(SEPARATOR));
  const space = requestLine.indexOf(" ");
  const valueOf = (field: string): string => values[fields.indexOf(field)] ?? "";
  const request: RequestFacts = {
    method: requestLine.slice(0, space),
    target: requestLine.slice(space + 1),
    address: valueOf("ip"),
    host: valueOf("header:host"),
    header: (header) => valueOf(`header:${header}`) || null,
  };
  return rules.map(({ rule, budgets }) => {
    const budget = rule.budgetOf(request);
    if (budget === null) return null;
    const mayRefuse = rule.mayRefuse?.(request) ?? true;
    const known = budgets.get(budget);
    if (known !== undefined) return { client: known, mayRefuse };
    const created = client(budget);
    budgets.set(budget, created);
    return { client: created, mayRefuse };
  });
}

interface StartedRule {
  readonly rule: ReadRule;
  readonly budgets: Map<string, Client>;
  readonly decide: (budget: Client, atUs: number, intent: Intent) => Decision;
}

function startRule(rule: ReadRule): StartedRule {
  const configuration = {
    apis: new Map(),
    policies: new Map(),
    keys: new Map(),
    options: rule.options,
    shadow: null,
  };
  const key = {
    space: rule.id,
    scope: "key" as const,
    limit: { ...rule.limit, smoothing: null },
    because: [],
  };
  const store = localStore(memoryStore(), memoryStore());
  const inner = limiter(resolver(configuration), store, LOCAL_STORE_TRAITS, null);
  const resolved = { id: 0, api: null, key, quota: null, quotaAtApi: null };
  const prepared = prepare(inner, resolved, micros(0));
  const into = newDecision();
  return {
    rule,
    budgets: new Map(),
    decide: (budget, atUs, intent) =>
      decideNow(inner, prepared, budget, micros(atUs), intent, 1, into),
  };
}
