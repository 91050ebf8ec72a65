// What the injected faults of a scenario do to a run, and when.
import { resolver } from "../../limiter/core/resolve/resolver.ts";
import { reconfigure } from "../../gateway/gateway.ts";
import type { HistorySpan } from "../scenario/history.ts";
import type { Fault } from "../scenario/types.ts";
import { addNode, meanwhile, restart, type Engine, type Node, clockOf } from "./engine.ts";
import { joinFleet } from "./heartbeats.ts";
import { loseUnderWay } from "./lose.ts";
import { restartEmpty } from "./store-state.ts";
import { prepare } from "../../limiter/core/limiter.ts";
import { reachesLimiter, route } from "../../gateway/route.ts";
import type { GatewayRequest } from "../../gateway/outcome.ts";
import { placeOfAddress } from "./places.ts";

type LastingFault = Extract<Fault, { readonly fromUs: unknown }>;
type InstantFault = Exclude<Fault, LastingFault>;
type ByKind<F extends Fault> = { readonly [Each in F as Each["kind"]]: Each };
type Table<F extends Fault, Result> = {
  readonly [Kind in keyof ByKind<F>]: (engine: Engine, fault: ByKind<F>[Kind]) => Result;
};

const INSTANT: Table<InstantFault, void> = {
  store_restart: (engine) => {
    restartEmpty(engine.remote);
    engine.allowancesSeen.clear(); // allowances start at their thresholds again, without an event
    for (const node of engine.nodes) node.gateway.limiter.prepared = []; // these refer to rows that no longer exist
  },
  gateway_restart: (engine, fault) => {
    const node = requireNode(engine, fault.node);
    node.serves = false;
    loseUnderWay(engine, node);
    restart(engine, node);
    joinFleet(engine, node);
  },
  gateway_crash: (engine, fault) => {
    const node = requireNode(engine, fault.node);
    node.serves = false;
    loseUnderWay(engine, node);
  },
  gateway_leave: (engine, fault) => {
    requireNode(engine, fault.node).serves = false; // it finishes its running requests
  },
  gateway_join: (engine, { count }) => {
    for (let i = 0; i < count; i++) joinFleet(engine, addNode(engine));
  },
  clock_skew: (engine, { node, skewUs }) => {
    requireNode(engine, node).skewUs = skewUs;
  },
  configure: (engine, { configuration }) => {
    engine.resolver = resolver(configuration);
    for (const node of engine.nodes) reconfigure(node.gateway, engine.resolver);
    if ((configuration.options.imitation?.changedLimit ?? null) !== null) meetLimits(engine);
  },
};

interface Lasting extends Pick<HistorySpan, "what" | "text"> {
  readonly begin: () => void;
  readonly end: () => void;
}

const LASTING: Table<LastingFault, Lasting> = {
  store_slow: ({ remote, environment }, { latencyUs }) => ({
    what: "fault",
    text: `store answers in ${latencyUs.kind} time`,
    begin: () => {
      remote.slow.push(latencyUs);
      remote.latency = latencyUs;
    },
    end: () => {
      remote.slow.splice(remote.slow.indexOf(latencyUs), 1);
      remote.latency = remote.slow.at(-1) ?? environment.storeUs;
    },
  }),
  store_down: ({ remote }) => ({
    what: "store_down",
    text: "store is down",
    begin: () => remote.outages++,
    end: () => remote.outages--,
  }),
};

export function scheduleFault(engine: Engine, fault: Fault): void {
  if (!("fromUs" in fault)) {
    meanwhile(engine, fault.atUs, () => apply(INSTANT, engine, fault.kind, fault));
    return;
  }
  const { fromUs, toUs } = fault;
  const { what, text, begin, end } = apply(LASTING, engine, fault.kind, fault);
  meanwhile(engine, fromUs, begin);
  meanwhile(engine, toUs, end);
  engine.recorder?.spans.push({ what, gateway: null, fromUs, toUs, text });
}

/** `kind` is a parameter of its own, so that the compiler infers the types from it. */
const apply = <F extends Fault, Result, Kind extends keyof ByKind<F>>(
  table: Table<F, Result>,
  engine: Engine,
  kind: Kind,
  fault: ByKind<F>[Kind],
): Result => table[kind](engine, fault);

function requireNode({ nodes }: Engine, index: number): Node {
  const node = nodes[index];
  if (node === undefined)
    throw new Error(`there is no gateway ${index}: the fleet has ${nodes.length}`);
  return node;
}

/**
 * Evaluates the new limits for each client that has sent requests, without spending: a foreign limiter may convert its
 * counters when a limit changes, not at the next request.
 */
function meetLimits(engine: Engine): void {
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
