// Compares the decisions of a program with the rules that a reader found in its configuration.
import { client } from "../../limiter/core/client.ts";
import type { ReadConfiguration } from "../../lab/implementations/reading.ts";
import { budgetNames, StartedRules } from "../../lab/implementations/started-rules.ts";
import type { ComparedWorld } from "./compare-decisions.ts";
import {
  factsOf,
  type DrawnConfiguration,
  type DrawnRequest,
  type PlayedDecision,
} from "./drawn-configuration.ts";
import { followDecisions, type FollowedModel } from "./follow.ts";

export function compareConfiguration(
  configuration: ReadConfiguration,
  { requests, marginUs }: Pick<DrawnConfiguration, "requests" | "marginUs">,
  decisions: readonly PlayedDecision[],
): ComparedWorld {
  const names = requests.map((request) => budgetNames(configuration, factsOf(request)));
  const refusers = requests.map((request) =>
    configuration.rules.map((rule) => rule.mayRefuse?.(factsOf(request)) ?? true),
  );
  const counts = {
    decisions: decisions.length,
    refused: decisions.filter(({ isAdmitted }) => !isAdmitted).length,
    announced: 0,
  };
  const certain = decisions.flatMap((decision) => {
    const why = whyDifferent(configuration, names[decision.row]!, decision);
    return why === null ? [] : [{ row: decision.row, why }];
  })[0];
  if (certain !== undefined)
    return { ...counts, open: 0, difference: describe(requests, certain.row, certain.why) };
  const counters = configuration.rules.map((rule) => rule.counters ?? rule.id);
  const areForgotten = configuration.rules.map((rule, at) => {
    const known = new Set(names.map((each) => each[at]).filter((name) => name !== null));
    return known.size > (rule.options.imitation?.keys ?? Number.POSITIVE_INFINITY);
  });
  const { open, impossible } = followDecisions(
    decisions.map(({ row, fromUs, toUs, isAdmitted }) => ({
      row,
      fromUs: fromUs - marginUs,
      toUs: toUs + marginUs,
      isAdmitted,
      delayUs: 0,
      change: 0,
      request: {
        names: names[row]!,
        mayRefuse: refusers[row]!,
        identity: "",
        budgets: names[row]!.flatMap((name, at) =>
          // A budget that another one replaces depends on it.
          name === null ? [] : `${counters[at]!}\n${areForgotten[at] ? "" : name}`,
        ),
      },
    })),
    modelOf(configuration),
    false,
  );
  const first = impossible.toSorted((a, b) => a - b)[0];
  const decided = decisions.find(({ row }) => row === first);
  return {
    ...counts,
    open: open.length,
    difference:
      decided === undefined
        ? null
        : describe(
            requests,
            decided.row,
            `it ${decided.isAdmitted ? "admits" : "refuses"}, the rules at none of the times that were tried`,
          ),
  };
}

interface NamedRequest {
  readonly names: readonly (string | null)[]; // of the budget in each rule
  readonly mayRefuse: readonly boolean[];
  readonly identity: string;
  readonly budgets: readonly string[];
}

const modelOf = (configuration: ReadConfiguration): FollowedModel<StartedRules, NamedRequest> => ({
  first: new StartedRules(configuration),
  decide: (state, { names, mayRefuse }, atUs) => {
    const next = state.copy();
    // Each time with new clients, because a client remembers its row in one of the copies.
    const budgets = names.map((name, rule) =>
      name === null ? null : { client: client(name), mayRefuse: mayRefuse[rule]! },
    );
    return { state: next, isAdmitted: next.decide(budgets, atUs) === 0, delayUs: 0 };
  },
  fingerprint: (state) => state.fingerprint(),
});

/** A difference that no time explains: which requests are counted, and the status of a refusal. */
function whyDifferent(
  { rules }: ReadConfiguration,
  names: readonly (string | null)[],
  { isCounted, isAdmitted, status }: PlayedDecision,
): string | null {
  const counting = rules.filter((_, at) => names[at] !== null);
  if (isCounted !== null && isCounted !== counting.length > 0)
    return isCounted
      ? "some limit counts it, and no rule does"
      : `no limit counts it, and a rule does: ${counting[0]!.id}`;
  if (!isAdmitted && !counting.some((rule) => rule.status === status))
    return `it refuses with ${status}, and the rules with ${counting.map((rule) => rule.status).join(" or ")}`;
  return null;
}

const describe = (
  requests: readonly DrawnRequest[],
  row: number,
  why: string,
): NonNullable<ComparedWorld["difference"]> => ({
  row,
  sentence: `request ${row + 1}, ${describeRequest(requests[row]!)}: ${why}`,
});

export const describeRequest = ({ method, target, address, headers }: DrawnRequest): string =>
  [
    `${method} ${target} from ${address}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ].join(", ");
