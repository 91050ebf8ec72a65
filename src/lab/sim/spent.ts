// The commands that a request to a store in this process would need if the store were remote.
import type { Decision } from "../../limiter/core/decision.ts";
import {
  needsBackgroundWrite,
  optionsOf,
  prepare,
  type Limiter,
  type Prepared,
} from "../../limiter/core/limiter.ts";
import type { RequestOutcome, GatewayRequest } from "../../gateway/outcome.ts";
import { shadowsMet } from "../../gateway/shadow.ts";
import { billOf, fateBy, markCost, type Bill } from "./cost.ts";
import type { Engine, Node } from "./engine.ts";
import { account, charge } from "./store-state.ts";

/** The commands that a remote store would have run for the request: `before` the response, and in all. */
export function spentAt(
  engine: Engine,
  node: Node,
  { resolved, decision }: RequestOutcome,
): { readonly before: number; readonly all: number } {
  if (resolved === null || decision === null) return NOTHING;
  const { limiter } = node.gateway;
  const prepared = prepare(limiter, resolved, node.gateway.clock());
  const { before, inner, roundTrips } = billFor(engine, limiter, prepared, decision);
  let all = before + inner;
  for (const index of prepared.inBackground) {
    if (needsBackgroundWrite(prepared, index, decision, optionsOf(limiter), "spend"))
      all += charge(engine.remote, markCost(prepared.levels[index]!));
  }
  engine.remote.commands += before;
  engine.remote.inner += inner;
  engine.remote.roundTrips += roundTrips;
  return { before: before + inner, all };
}

const NOTHING = { before: 0, all: 0 };

/** How many commands a remote store would have run for the request's shadow limits (LIM-C13). */
export function shadowsCost(
  engine: Engine,
  { gateway }: Node,
  request: GatewayRequest,
  outcome: RequestOutcome,
): number {
  if (gateway.shadows === null || outcome.refused !== null) return 0;
  const nowUs = gateway.clock();
  const met = shadowsMet(gateway, request, outcome, nowUs);
  let commands = 0;
  for (const { level } of met?.levels ?? []) {
    if (level.place === "gateway" || met === null) continue;
    const { storeTransaction } = optionsOf(gateway.limiter);
    const { client } = met;
    const about = { client, atUs: nowUs, units: outcome.cost } as const;
    const op = { op: "take", levels: [level], ...about, intent: "spend" } as const;
    commands += account(engine.remote, op, storeTransaction);
  }
  return commands;
}

/** The bill of a decision. Cached, because many requests have the same levels, and few decisions are possible. */
function billFor(
  { bills }: Engine,
  limiter: Limiter,
  prepared: Prepared,
  { refused, level, shown, remaining }: Decision,
): Bill {
  let known = bills.get(prepared);
  if (known === undefined) bills.set(prepared, (known = []));
  const { levels } = prepared;
  const refusedBy = refused === null ? -1 : levels.indexOf(level!);
  const spent = remaining === 0 && shown !== null ? levels.indexOf(shown) : -1;
  const place = (refusedBy + 1) * (levels.length + 1) + spent + 1;
  return (known[place] ??= billOf(levels, optionsOf(limiter), fateBy(refusedBy, spent)));
}
