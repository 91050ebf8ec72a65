// Decides recorded requests by a configuration again and again, each time with larger limits. A larger limit decides
// only those requests otherwise whose budgets are connected with a refusal, so that only these are decided again.
import type { RuleCount, RequestNames } from "../replay/candidate-limiter.ts";
import { startCandidate } from "../replay/candidates.ts";
import { onFleet, type Fleet } from "../replay/fleet.ts";
import { countersOf } from "../../lab/implementations/started-rules.ts";
import { requestsOfTargets, type RulesCandidate } from "../replay/rules.ts";

/** The requests of a log in memory, because they are decided many times. */
export interface RecordedRequests {
  readonly clients: readonly number[];
  readonly targets: readonly number[];
  readonly atUs: readonly number[];
}

/** What a configuration refuses of the requests. */
export interface Refused {
  readonly refused: number;
  readonly refusedClients: ReadonlyMap<number, number>; // refused requests of each
  readonly rules: readonly RuleCount[];
}

export interface DecidedLog extends Refused {
  /** The requests that larger limits may decide otherwise. */
  readonly open: Int32Array;
}

export interface RecordedQuestion {
  readonly requests: RecordedRequests;
  readonly names: RequestNames;
  readonly fleet: Fleet | undefined;
}

export class DecideAgain {
  /** By the present numbers. */
  readonly present: DecidedLog;
  readonly all: Int32Array;
  readonly #question: RecordedQuestion;
  readonly #groups: Int32Array; // of each target

  constructor(candidate: RulesCandidate, question: RecordedQuestion) {
    this.#question = question;
    this.all = Int32Array.from(question.requests.clients.keys());
    this.#groups = groupTargets(candidate, question);
    this.present = this.#decide(candidate, this.all, null);
  }

  /** `rows` are the open ones of a decision by the same numbers or smaller limits. */
  decide(candidate: RulesCandidate, rows: Int32Array): DecidedLog {
    return this.#decide(candidate, rows, this.present.rules);
  }

  #decide(
    candidate: RulesCandidate,
    rows: Int32Array,
    counts: readonly RuleCount[] | null,
  ): DecidedLog {
    const { requests, names, fleet } = this.#question;
    const { clients, targets, atUs } = requests;
    const groups = this.#groups;
    const limiter = startCandidate(onFleet(candidate, fleet), names);
    const refusedClients = new Map<number, number>();
    const isOpen = new Uint8Array(groups.length);
    let refused = 0;
    for (const row of rows) {
      const [client, target] = [clients[row]!, targets[row]!];
      if (limiter.decide(client, target, atUs[row]!) === 0) continue;
      refused++;
      refusedClients.set(client, (refusedClients.get(client) ?? 0) + 1);
      isOpen[groups[target]!] = 1;
    }
    limiter.end?.();
    const rules = limiter.ruleCounts!();
    return {
      refused,
      refusedClients,
      // A rule counts the same requests whatever is refused.
      rules:
        counts === null
          ? rules
          : rules.map((each, index) => ({ ...each, counted: counts[index]!.counted })),
      open: rows.filter((row) => isOpen[groups[targets[row]!]!] === 1),
    };
  }
}

/** Targets whose requests count in common budgets, directly or through others, have one group. */
function groupTargets(
  { configuration }: RulesCandidate,
  { requests, names, fleet }: RecordedQuestion,
): Int32Array {
  const count = requests.targets.reduce((most, target) => Math.max(most, target + 1), 0);
  const groups = new Int32Array(count);
  // A request goes to an instance by the number of those before it.
  if ((fleet?.instances ?? 1) > 1) return groups;
  for (let target = 0; target < count; target++) groups[target] = target;
  const rootOf = (target: number): number => {
    let root = target;
    while (groups[root] !== root) root = groups[root] = groups[groups[root]!]!;
    return root;
  };
  const requestOf = requestsOfTargets(names);
  const firsts = new Map<string, Map<string, number>>(); // the first target of each budget
  const budgets = configuration.rules.map((rule) => {
    const counters = countersOf(rule);
    const own = firsts.get(counters) ?? new Map<string, number>();
    firsts.set(counters, own);
    return { rule, own };
  });
  for (let target = 0; target < count; target++) {
    const request = requestOf(target);
    for (const { rule, own } of budgets) {
      const budget = rule.budgetOf(request);
      if (budget === null) continue;
      const first = own.get(budget);
      if (first === undefined) own.set(budget, target);
      else groups[rootOf(target)] = rootOf(first);
    }
  }
  for (let target = 0; target < count; target++) groups[target] = rootOf(target);
  return groups;
}
