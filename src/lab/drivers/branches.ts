// Simulates a gateway for histories whose exact times are unknown. Each decision returns a new branch and leaves the
// branch that it began from unchanged.
import { budgetName } from "../../limiter/core/budget.ts";
import { client, type Client } from "../../limiter/core/client.ts";
import type { Configuration } from "../../limiter/core/config.ts";
import { limiter, LOCAL_STORE_TRAITS, prepare } from "../../limiter/core/limiter.ts";
import { resolver } from "../../limiter/core/resolve/resolver.ts";
import type { Level } from "../../limiter/core/store.ts";
import { micros } from "../../kit/units.ts";
import { gateway } from "../../gateway/gateway.ts";
import { route } from "../../gateway/route.ts";
import type { Requests } from "../scenario/history.ts";
import type { Plan, Variant } from "../scenario/types.ts";
import { requestOf } from "../sim/clients.ts";
import { addressOf } from "../sim/places.ts";
import { copyMemory } from "../../limiter/store/copy.ts";
import { localStore, memoryStore, perform, type MemoryStore } from "../../limiter/store/memory.ts";

/** The counters of one branch. */
export type Branch = MemoryStore;

/** A request of a history, with the levels that it meets under one configuration. */
export interface BranchRequest {
  readonly levels: readonly Level[];
  readonly identity: string;
  readonly units: number;
  readonly budgets: readonly string[];
  readonly isRejected: boolean; // rejected before any limit
}

export interface BranchDecision {
  readonly branch: Branch;
  readonly isAdmitted: boolean;
  readonly delayUs: number;
}

export const firstBranch = (): Branch => memoryStore();

/** Returns a function that finds the levels of a request of the history under `configuration`. */
export function createBranchReader(
  { world }: Variant,
  configuration: Configuration,
  plan: Plan,
  epochUs: number,
): (requests: Requests, row: number) => BranchRequest {
  const nowUs = micros(epochUs);
  const rules = limiter(
    resolver(configuration),
    localStore(memoryStore(), memoryStore()),
    LOCAL_STORE_TRAITS,
    null,
  );
  const reading = gateway(rules, () => nowUs);
  return (requests, row) => {
    const flow = plan.flows[requests.flow[row]!]!;
    const address = addressOf(plan, requests.address[row]!);
    const request = requestOf(world.credentials, flow, requests.client[row]!, address);
    const routed = route(reading, request, nowUs);
    if (routed.resolved === null)
      return { levels: [], identity: "", units: 1, budgets: [], isRejected: true };
    const { levels } = prepare(rules, routed.resolved, nowUs);
    const { identity } = routed.client;
    return {
      levels,
      identity,
      units: flow.cost ?? 1,
      budgets: levels.map(({ budget }) => budgetName(budget, routed.client)),
      isRejected: false,
    };
  };
}

/** `atUs` is a time of the gateway's clock, since 1970. */
export function decideOn(branch: Branch, request: BranchRequest, atUs: number): BranchDecision {
  const { levels, units, isRejected } = request;
  if (isRejected || levels.length === 0) return { branch, isAdmitted: !isRejected, delayUs: 0 };
  const next = copyMemory(branch);
  const { refusedBy, delayUs } = perform(next, {
    op: "take",
    levels,
    client: freshClient(request),
    atUs: micros(atUs),
    intent: "spend",
    units,
  });
  return { branch: next, isAdmitted: refusedBy < 0, delayUs };
}

/** Evaluates a request without spending. After a change of limits, this converts the counters to the new limits. */
export function meetOn(branch: Branch, request: BranchRequest, atUs: number): void {
  const { levels } = request;
  const client = freshClient(request);
  perform(branch, { op: "take", levels, client, atUs: micros(atUs), intent: "evaluate", units: 1 });
}

export const copyOf = (branch: Branch): Branch => copyMemory(branch);

/** A new client for each request, because a client caches its row in one store. */
const freshClient = ({ identity }: BranchRequest): Client => client(identity);
