// What a request costs a store on the network, which a store at hand does not show.
import {
  isWrittenBehind,
  optionsOf,
  prepare,
  type Limiter,
  type Prepared,
} from "../core/limiter.ts";
import type { Outcome, Request } from "../gateway/outcome.ts";
import { shadowsMet } from "../gateway/shadow.ts";
import { billOf, LAST_READ, type Bill } from "./cost.ts";
import type { Engine, Node } from "./engine.ts";
import { account, charge } from "./store-state.ts";

/** What the same request would have cost a store on the network. */
export function spentAt(
  engine: Engine,
  node: Node,
  { resolved, decision }: Outcome,
): { readonly before: number; readonly all: number } {
  if (resolved === null || decision === null) return NOTHING;
  const { limiter } = node.gateway;
  const prepared = prepare(limiter, resolved, node.gateway.clock());
  const bill = billFor(engine, limiter, prepared);
  const isPipelineSpent =
    decision.level?.algorithm === "non_transactional" && decision.remaining === 0;
  const before =
    bill.before + bill.inner + (isPipelineSpent ? charge(engine.remote, LAST_READ) : 0);
  let all = before;
  for (const index of prepared.sentinels) {
    if (isWrittenBehind(prepared, index, decision, optionsOf(limiter), "spend"))
      all += charge(engine.remote, bill.mark);
  }
  engine.remote.commands += bill.before;
  engine.remote.inner += bill.inner;
  engine.remote.roundTrips += bill.roundTrips;
  return { before, all };
}

const NOTHING = { before: 0, all: 0 };

/** What its shadows would have cost it there (LIM-C13). */
export function shadowsCost(
  engine: Engine,
  { gateway }: Node,
  request: Request,
  outcome: Outcome,
): number {
  if (gateway.shadows === null || outcome.refused !== null) return 0;
  const nowUs = gateway.clock();
  const met = shadowsMet(gateway, request, outcome, nowUs);
  let commands = 0;
  for (const { level } of met?.levels ?? []) {
    if (level.place === "gateway" || met === null) continue;
    const { storeTransaction } = optionsOf(gateway.limiter);
    const { client } = met;
    const op = { op: "take", levels: [level], client, atUs: nowUs, intent: "spend" } as const;
    commands += account(engine.remote, op, storeTransaction);
  }
  return commands;
}

export function billFor({ bills }: Engine, limiter: Limiter, prepared: Prepared): Bill {
  let bill = bills.get(prepared);
  if (bill === undefined)
    bills.set(prepared, (bill = billOf(prepared, optionsOf(limiter).storeTransaction)));
  return bill;
}
