// Decides the requests of logs by the rules of a file, until the request that has to be explained.
import type { Client } from "../../limiter/core/client.ts";
import { StartedRules, type RuleBudgets } from "../../lab/implementations/started-rules.ts";
import type { Arrivals } from "./arrivals.ts";
import type { RequestNames } from "./candidate-limiter.ts";
import { memoryStore } from "../../limiter/store/memory.ts";
import { textOfRule } from "./candidates.ts";
import { countersOf, type Fleet } from "./fleet.ts";
import { hashOf } from "./names.ts";
import type { Placement } from "./placements.ts";
import { budgetsByTarget, limitInRequests, requestOfTarget, type RulesCandidate } from "./rules.ts";

/** Null: refused requests are listed. `nth` null: its first refused request, or its last one. */
export type WantedRequest = { readonly client: string; readonly nth: number | null } | null;

/** A rule that counted the explained request. */
export interface CountingFacts {
  readonly rule: string;
  readonly limit: string; // in the words of the file
  readonly file: string;
  readonly line: number;
  readonly perUs: number;
  readonly isDryRun: boolean;
  /** Requests of its budget in the busy time before this one, and those of them that were refused. */
  readonly before: number;
  readonly refusedBefore: number;
  readonly clientsBefore: number;
  readonly spanUs: number; // from the first of them to this one
  readonly isFull: boolean; // whether more were before than are retained
}

export interface ExplainedRequest {
  readonly client: string;
  readonly nth: number; // from 1
  readonly request: string; // such as "GET /login"
  readonly atUs: number; // as the log has it
  readonly waitUs: number; // until it would be admitted; 0: it is admitted
  readonly status: number | null; // of the refusal
  readonly refusedBy: CountingFacts | null;
  readonly countedBy: readonly CountingFacts[];
  /** The instances of --fleet, and the one that got the request, from 1. */
  readonly fleet?: Fleet & { readonly instance: number; readonly countsApart: boolean };
}

/** A file, and the instances that it runs on. */
export type ExplainedCandidate = RulesCandidate & { readonly fleet?: Fleet };

type NamedRequest = Pick<ExplainedRequest, "client" | "nth" | "request" | "atUs">;

const MOST_LISTED = 10;
const MOST_RETAINED = 1_000; // requests of a budget

interface Instance {
  readonly rules: StartedRules;
  readonly budgetsOf: (target: number) => RuleBudgets;
  readonly budgets: RuleBudgets[]; // by the number of the target
}

interface Counted {
  readonly client: number;
  readonly atUs: number;
  readonly isRefused: boolean;
}

export class ExplainRequests {
  requests = 0;
  refused = 0;
  readonly listed: NamedRequest[] = [];
  explained: ExplainedRequest | null = null;
  ofClient = 0; // requests of the wanted client
  readonly #candidate: ExplainedCandidate;
  readonly #names: RequestNames;
  readonly #placement: Placement;
  readonly #wanted: WantedRequest;
  readonly #instances: readonly Instance[];
  readonly #isApart: readonly boolean[]; // whether each instance counts for itself, by rule
  readonly #retained = new Map<string, Counted[]>(); // by the budget
  readonly #counts: number[] = []; // requests by the number of the client
  #times = new Float64Array(0);

  constructor(
    candidate: ExplainedCandidate,
    names: RequestNames,
    placement: Placement,
    wanted: WantedRequest,
  ) {
    this.#candidate = candidate;
    this.#names = names;
    this.#placement = placement;
    this.#wanted = wanted;
    const { configuration, fleet } = candidate;
    const { kind, rules } = configuration;
    this.#isApart = rules.map((rule) => countersOf(kind, fleet, rule) > 1);
    const shared = memoryStore();
    this.#instances = Array.from({ length: fleet?.instances ?? 1 }, () => ({
      rules: new StartedRules(configuration, memoryStore(), (rule, own) =>
        countersOf(kind, fleet, rule) > 1 ? own : shared,
      ),
      budgetsOf: budgetsByTarget(configuration, names),
      budgets: [],
    }));
  }

  decide(arrivals: Arrivals): void {
    const { count, atUs, clients, targets } = arrivals;
    if (this.#times.length < count) this.#times = new Float64Array(count);
    this.#placement.place(arrivals, this.#times);
    for (let row = 0; row < count; row++)
      this.#decideOne(clients[row]!, targets[row]!, atUs[row]!, this.#times[row]!);
  }

  end(): void {}

  #decideOne(client: number, target: number, loggedUs: number, atUs: number): void {
    const instance = this.#instanceOf(client);
    const { rules, budgets: known, budgetsOf } = this.#instances[instance]!;
    const budgets = (known[target] ??= budgetsOf(target));
    const waitUs = rules.decide(budgets, atUs);
    const isRefused = waitUs !== 0;
    const nth = (this.#counts[client] = (this.#counts[client] ?? 0) + 1);
    this.requests++;
    if (isRefused) this.refused++;
    const describe = (): NamedRequest => ({
      client: this.#names.clients.names[client]!,
      nth,
      request: requestOfTarget(this.#names.targets!.names[target]!),
      atUs: loggedUs,
    });
    if (this.#wanted === null) {
      if (isRefused && this.listed.length < MOST_LISTED) this.listed.push(describe());
      return;
    }
    if (this.#isWanted(client, nth))
      this.explained = this.#explain(describe(), instance, budgets, atUs, waitUs);
    this.#retain(budgets, instance, { client, atUs, isRefused });
  }

  /** The number of the instance to which the balancer sends a request. */
  #instanceOf(client: number): number {
    const { fleet } = this.#candidate;
    if (fleet === undefined) return 0;
    return fleet.balancer === "sticky"
      ? hashOf(this.#names.clients.names[client]!) % fleet.instances
      : this.requests % fleet.instances;
  }

  /** The budget of a rule, of one instance or of all. */
  #budgetKey(rule: number, { client }: { readonly client: Client }, instance: number): string {
    const { id, counters = id } = this.#candidate.configuration.rules[rule]!;
    return [this.#isApart[rule] ? instance : "", counters, client.identity].join("\n");
  }

  #isWanted(client: number, nth: number): boolean {
    const { client: name, nth: wanted } = this.#wanted!;
    if (this.#names.clients.names[client] !== name) return false;
    this.ofClient = nth;
    if (wanted !== null) return nth === wanted;
    const hasRefusal = this.explained !== null && this.explained.refusedBy !== null;
    return !hasRefusal;
  }

  #explain(
    named: NamedRequest,
    instance: number,
    budgets: RuleBudgets,
    atUs: number,
    waitUs: number,
  ): ExplainedRequest {
    const { rules } = this.#candidate.configuration;
    const facts = budgets.map((budget, index) => {
      if (budget === null) return null;
      const rule = rules[index]!;
      const { rate, perUs } = limitInRequests(rule);
      const retained = this.#retained.get(this.#budgetKey(index, budget, instance)) ?? [];
      const before = retained.slice(findBusyTime(retained, atUs, rate / perUs));
      return {
        rule: rule.id,
        limit: textOfRule(rule),
        file: rule.file,
        line: rule.line,
        perUs,
        isDryRun: rule.isDryRun,
        before: before.length,
        refusedBefore: before.filter(({ isRefused }) => isRefused).length,
        clientsBefore: new Set(before.map(({ client }) => client)).size,
        spanUs: atUs - (before[0]?.atUs ?? atUs),
        isFull: before.length === MOST_RETAINED,
      };
    });
    const by = waitUs === 0 ? null : this.#instances[instance]!.rules.refusedBy;
    const { fleet } = this.#candidate;
    return {
      ...named,
      ...(fleet === undefined
        ? {}
        : {
            fleet: { ...fleet, instance: instance + 1, countsApart: this.#isApart.includes(true) },
          }),
      waitUs,
      status: by === null ? null : rules[by]!.status,
      refusedBy: by === null ? null : facts[by]!,
      countedBy: facts.flatMap((each) => each ?? []),
    };
  }

  #retain(budgets: RuleBudgets, instance: number, counted: Counted): void {
    const keys = budgets.flatMap((budget, rule) =>
      budget === null ? [] : this.#budgetKey(rule, budget, instance),
    );
    for (const key of new Set(keys)) {
      const own = this.#retained.get(key) ?? [];
      own.push(counted);
      if (own.length > MOST_RETAINED) own.shift();
      this.#retained.set(key, own);
    }
  }
}

/** Where the time begins in which most was admitted beyond the rate of the limit: this used the budget up. */
function findBusyTime(counted: readonly Counted[], atUs: number, perMicrosecond: number): number {
  let [busy, most, admitted] = [counted.length, 0, 0];
  for (let at = counted.length - 1; at >= 0; at--) {
    if (!counted[at]!.isRefused) admitted++;
    const beyond = admitted - perMicrosecond * (atUs - counted[at]!.atUs);
    if (beyond >= most) [busy, most] = [at, beyond];
  }
  return busy;
}
