// A simulated gateway that decides by the configuration of another limiter.
import { client, type Client } from "../../limiter/core/client.ts";
import { newDecision, type Decision } from "../../limiter/core/decision.ts";
import type { MemoryStore } from "../../limiter/store/memory.ts";
import type { Micros } from "../../kit/units.ts";
import {
  NO_BACKGROUND,
  UNDECIDED,
  type GatewayRequest,
  type RequestOutcome,
} from "../../gateway/outcome.ts";
import type { RefusalResponse } from "../../gateway/refusals.ts";
import type { ReadConfiguration, RequestFacts } from "../implementations/reading.ts";
import {
  budgetNames,
  StartedRules,
  type RuleBudgets,
  type StoreOfRule,
} from "../implementations/started-rules.ts";
import { headersOfRefusal, headersOfRemaining, sendsRetryAfter } from "./limiter-headers.ts";

export type DecideByRules = (request: GatewayRequest) => RequestOutcome;

/** What rules read of a simulated request. */
function factsOfRequest({ method, target, sender }: GatewayRequest): RequestFacts {
  const header: RequestFacts["header"] = (name) => sender?.header(name) ?? null;
  return { method, target, address: sender?.address ?? "", host: header("host") ?? "", header };
}

/**
 * `storeOf`: the store in which a rule counts, of this gateway or of all. `sendsRemaining`: whether outcomes have the
 * headers of remaining requests.
 */
export function startDeciding(
  configuration: ReadConfiguration,
  own: MemoryStore,
  storeOf: StoreOfRule,
  clock: () => Micros,
  sendsRemaining = false,
): DecideByRules {
  const { kind } = configuration;
  const delays = configuration.rules.some(({ undelayed }) => undelayed !== undefined);
  const rules = new StartedRules(configuration, own, storeOf);
  const responses = configuration.rules.map((rule): RefusalResponse => ({
    status: rule.status,
    reason: "rate",
    message: `refused by ${rule.id}`,
    headers: headersOfRefusal(kind, rule),
  }));
  const clients = configuration.rules.map(() => new Map<string, Client>());
  const known = new WeakMap<GatewayRequest, RuleBudgets>(); // requests of a client are one object
  const budgetsOf = (request: GatewayRequest): RuleBudgets => {
    const facts = factsOfRequest(request);
    return budgetNames(configuration, facts).map((name, index) => {
      if (name === null) return null;
      const ofRule = clients[index]!;
      const counted = ofRule.get(name) ?? client(name);
      if (ofRule.size >= MOST_CLIENTS) ofRule.clear(); // their counters are in the store, by name
      ofRule.set(name, counted);
      return { client: counted, mayRefuse: configuration.rules[index]!.mayRefuse?.(facts) ?? true };
    });
  };
  return (request) => {
    const budgets = known.get(request) ?? budgetsOf(request);
    known.set(request, budgets);
    const atUs = clock();
    const delayUs = delays ? rules.delayUs(budgets, atUs) : 0;
    const waitUs = rules.decide(budgets, atUs);
    const refusedBy = waitUs === 0 ? null : configuration.rules[rules.refusedBy]!;
    const sent = sendsRemaining
      ? headersOfRemaining(kind, { budgets: rules.budgetsToSend(budgets, atUs), refusedBy, atUs })
      : [];
    const headers = sent.length === 0 ? {} : { headers: sent };
    if (refusedBy === null)
      return delayUs === 0 && sent.length === 0
        ? ADMITTED
        : { ...ADMITTED, ...headers, decision: { ...newDecision(), delayUs } };
    const decision: Decision = {
      ...newDecision(),
      refused: "rate",
      level: rules.refusedLevel,
      retryAfterUs: sendsRetryAfter(kind, refusedBy) ? waitUs : Number.POSITIVE_INFINITY,
    };
    return {
      ...UNDECIDED,
      ...headers,
      refused: responses[rules.refusedBy]!,
      client: budgets[rules.refusedBy]!.client,
      decision,
      background: NO_BACKGROUND,
    };
  };
}

const MOST_CLIENTS = 100_000;

const ADMITTED: RequestOutcome = { ...UNDECIDED, decision: newDecision() };
