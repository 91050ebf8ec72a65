// A candidate that is the configuration of another limiter, as rules.
import { client, type Client } from "../../limiter/core/client.ts";
import { micros, SECOND } from "../../kit/units.ts";
import { memoryStore } from "../../limiter/store/memory.ts";
import type {
  ReadConfiguration,
  ReadRule,
  RequestFacts,
} from "../../lab/implementations/reading.ts";
import {
  budgetNames,
  StartedRules,
  type RuleBudgets,
  type StoreOfRule,
} from "../../lab/implementations/started-rules.ts";
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

/** Finds the request of a target by its number. */
export function requestsOfTargets({
  targets,
  sender = [],
}: RequestNames): (target: number) => RequestFacts {
  const fields = sender.map(selectorText);
  return (target) => factsIn(targets!.names[target]!, fields);
}

/** The budgets of a request by the number of its target. */
export function budgetsByTarget(
  configuration: ReadConfiguration,
  names: RequestNames,
): (target: number) => RuleBudgets {
  const requestOf = requestsOfTargets(names);
  const clients = configuration.rules.map(() => new Map<string, Client>());
  return (target) => {
    const request = requestOf(target);
    return budgetNames(configuration, request).map((name, index) => {
      if (name === null) return null;
      const known = clients[index]!.get(name) ?? client(name);
      clients[index]!.set(name, known);
      return { client: known, mayRefuse: configuration.rules[index]!.mayRefuse?.(request) ?? true };
    });
  };
}

export function startRules(
  { configuration }: RulesCandidate,
  names: RequestNames,
  storeOf?: StoreOfRule,
): CandidateLimiter {
  const rules = new StartedRules(configuration, memoryStore(), storeOf);
  const budgetsOf = budgetsByTarget(configuration, names);
  const budgets: RuleBudgets[] = []; // by the number of the target
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

/** The method and the path in the name of a target. */
export const requestOfTarget = (name: string): string =>
  name.split(String.fromCodePoint(SEPARATOR), 1)[0]!;

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
