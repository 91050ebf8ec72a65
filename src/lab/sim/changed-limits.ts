// A limiter of others may convert what is left of its budgets when a limit changes, and not with the next request. So
// each client that has sent a request meets the new limits at once, and spends nothing.
import { prepare } from "../../limiter/core/limiter.ts";
import { reachesLimiter, route } from "../../gateway/route.ts";
import type { GatewayRequest } from "../../gateway/outcome.ts";
import { clockOf, type Engine } from "./engine.ts";
import { placeOfAddress } from "./places.ts";

export function meetLimits(engine: Engine): void {
  const requests = requestsSoFar(engine);
  for (const node of engine.nodes) {
    const atUs = clockOf(engine, node);
    const { gateway } = node;
    for (const request of requests) {
      const outcome = route({ ...gateway, emitted: new Set() }, request, atUs);
      if (!reachesLimiter(outcome)) continue;
      const { levels } = prepare(gateway.limiter, outcome.resolved, atUs);
      const { client } = outcome;
      const { localStore } = gateway.limiter;
      localStore.perform({ op: "take", levels, client, atUs, intent: "evaluate", units: 1 });
    }
  }
}

function requestsSoFar({ plan, nowUs, requestOf }: Engine): ReadonlySet<GatewayRequest> {
  const requests = new Set<GatewayRequest>();
  for (let arrival = 0; arrival < plan.atUs.length && plan.atUs[arrival]! < nowUs; arrival++)
    requests.add(
      requestOf(plan.flow[arrival]!, plan.client[arrival]!, placeOfAddress(plan, arrival)),
    );
  return requests;
}
