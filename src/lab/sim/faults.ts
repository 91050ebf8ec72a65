// What the faults of a scenario do to a run, and when.
import { resolver } from "../../limiter/core/resolve/resolver.ts";
import { reconfigure } from "../../gateway/gateway.ts";
import type { HistorySpan } from "../scenario/history.ts";
import type { Fault } from "../scenario/types.ts";
import { addNode, meanwhile, restart, type Engine, type Node } from "./engine.ts";
import { meetLimits } from "./changed-limits.ts";
import { joinFleet } from "./heartbeats.ts";
import { loseUnderWay } from "./lose.ts";
import { restartEmpty } from "./store-state.ts";

type LastingFault = Extract<Fault, { readonly fromUs: unknown }>;
type InstantFault = Exclude<Fault, LastingFault>;
type ByKind<F extends Fault> = { readonly [Each in F as Each["kind"]]: Each };
type Table<F extends Fault, Result> = {
  readonly [Kind in keyof ByKind<F>]: (engine: Engine, fault: ByKind<F>[Kind]) => Result;
};

const INSTANT: Table<InstantFault, void> = {
  store_restart: (engine) => {
    restartEmpty(engine.remote);
    engine.allowancesSeen.clear(); // each starts at its threshold again, without an event
    for (const node of engine.nodes) node.gateway.limiter.prepared = []; // bound to rows that are gone
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
    requireNode(engine, fault.node).serves = false; // it finishes its requests
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

/** `kind` is that of the fault: a parameter of its own, because types follow it then. */
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
