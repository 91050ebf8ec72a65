// Gateways served on loopback, and a simulated balancer in front of them. The balancer chooses the gateway of each
// request as in virtual time.
import type { Configuration } from "../../limiter/core/config.ts";
import type { LimiterEvent } from "../../limiter/core/events.ts";
import { recordHeartbeat } from "../../limiter/core/fleet.ts";
import { ATTEMPT_HEADER } from "./clients.node.ts";
import { gatewaysAt, optionsOf, prepare } from "../../limiter/core/limiter.ts";
import { rng } from "../../kit/chance/rng.ts";
import { micros, type Micros } from "../../kit/units.ts";
import type { RequestOutcome } from "../../gateway/outcome.ts";
import type { LiveConfiguration } from "../../gateway/management/live-configuration.ts";
import { LOOPBACK } from "../scenario/history.ts";
import type { Plan } from "../scenario/types.ts";
import type { Environment } from "../scenario/world.ts";
import { serveGateway, type GatewayServer } from "../../gateway/http/gateway.node.ts";
import { upstreamOf, type OwnUpstream } from "./upstream.node.ts";
import { joinFleet, type Member } from "../../gateway/http/heartbeats.node.ts";
import { turnClock } from "../../gateway/http/wall-clock.node.ts";
import type { ReceivedHeaders } from "../../gateway/credential.ts";
import { balance, type Pick, type BalancedGateway } from "../sim/balancer.ts";
import { EPOCH_US } from "../sim/engine.ts";
import type { Channel } from "../../limiter/store/channel.ts";
import type { RemoteStore } from "../../limiter/store/remote.ts";

export interface ServedNode extends BalancedGateway {
  server: GatewayServer | null; // null if it has stopped
  store: NodeStore | null; // null if everything is counted in its own memory
  member: Member | null; // its membership of a fleet
  inForce: LiveConfiguration | null; // null if there are no records that calls change
  skewUs: number;
  pending: number; // store operations without a reply, background writes included
}

export interface NodeStore {
  readonly store: RemoteStore;
  readonly channel: Channel;
  readonly drop: () => void; // cuts the connection, as a crash does
  /** Resolves once connected, or after some seconds without a connection. */
  readonly reconnect: () => Promise<unknown>;
}

/** How a request uses a remote store: not at all, with one operation, or with several. */
type StoreUse = "nothing" | "once" | "in steps";

export interface ServedDecision {
  readonly node: ServedNode;
  readonly attempt: string;
  readonly outcome: RequestOutcome;
  readonly fleet: number;
  readonly startUs: number; // start of the decision, in true time since the start of the run
  readonly stampUs: number; // the same instant on the gateway's own clock
  readonly storeUse: StoreUse;
}

export interface FleetSetting {
  readonly environment: Environment;
  readonly configuration: Configuration;
  readonly isProxied: boolean; // whether a proxy in front reports client addresses
  readonly nowUs: () => number; // time since the start of the run
  readonly newStore: () => Promise<NodeStore | null>;
  /** The configuration from records that calls change; null if there are no records. */
  readonly newInForce: (() => Promise<LiveConfiguration>) | null;
  readonly event: (node: ServedNode, event: LimiterEvent) => void;
  readonly onDecision: (seen: ServedDecision) => void;
}

export interface ServedFleet {
  readonly nodes: ServedNode[];
  readonly setting: FleetSetting;
  readonly upstream: OwnUpstream | null;
  configuration: Configuration;
}

export async function serveFleet(setting: FleetSetting): Promise<ServedFleet> {
  const upstream = await upstreamOf(setting.environment);
  const fleet: ServedFleet = { nodes: [], setting, upstream, configuration: setting.configuration };
  await addNodes(fleet, setting.environment.nodes);
  return fleet;
}

export const pickerOf = (fleet: ServedFleet, plan: Plan): Pick<ServedNode> =>
  balance(
    fleet.setting.environment.balancer,
    fleet.nodes,
    rng(plan.seed, `${plan.scenario}/${plan.variant}/balancer`),
  );

export async function addNodes(fleet: ServedFleet, count: number): Promise<void> {
  const added = Array.from({ length: count }, () => newNode(fleet));
  await Promise.all(added.map((node) => startNode(fleet, node)));
}

function newNode({ nodes, setting }: ServedFleet): ServedNode {
  const index = nodes.length;
  const { balancer, skewUs } = setting.environment;
  const node: ServedNode = {
    index,
    weight: balancer.kind === "weighted" ? (balancer.weights[index] ?? 1) : 1,
    serves: false,
    inFlight: 0,
    server: null,
    store: null,
    member: null,
    inForce: null,
    skewUs: skewUs[index] ?? 0,
    pending: 0,
  };
  nodes.push(node);
  return node;
}

export async function restartNode(fleet: ServedFleet, node: ServedNode): Promise<void> {
  await stopNode(node, "crash");
  await startNode(fleet, node);
}

/** Starts the gateway as a new process does: it knows no other gateways and has no counts. */
async function startNode(fleet: ServedFleet, node: ServedNode): Promise<void> {
  const { setting } = fleet;
  node.store = await setting.newStore();
  const inForce = setting.newInForce === null ? null : await setting.newInForce();
  const clock = turnClock(() => micros(EPOCH_US + Math.round(setting.nowUs()) + node.skewUs));
  const onDecision = (outcome: RequestOutcome, headers: ReceivedHeaders, startUs: Micros): void => {
    const stampUs = startUs - EPOCH_US;
    setting.onDecision({
      node,
      attempt: String(headers[ATTEMPT_HEADER]),
      outcome: { ...outcome, decision: outcome.decision === null ? null : { ...outcome.decision } },
      fleet: node.server === null ? 1 : gatewaysAt(node.server.gateway.limiter, startUs),
      startUs: stampUs - node.skewUs,
      stampUs,
      storeUse: storeUseOf(node, outcome, startUs),
    });
  };
  const server = await serveGateway({
    configuration: inForce?.configuration() ?? fleet.configuration,
    ...(inForce === null ? {} : { keys: inForce }),
    upstream: fleet.upstream?.url ?? null,
    isEcho: fleet.upstream === null,
    host: LOOPBACK,
    port: 0,
    ...(setting.isProxied && { wire: { trustedProxies: [LOOPBACK] } }),
    store: node.store === null ? null : countPending(node, node.store.store),
    observer: { onEvent: (event) => setting.event(node, event), onExchange: null, onDecision },
    clock,
  });
  inForce?.onChange(({ configuration, forgotten }) => {
    if (configuration !== null) server.reload(configuration);
    server.forget(forgotten);
  });
  node.server = server;
  node.inForce = inForce;
  node.member = node.store === null ? null : joinFleet(node.server.gateway, node.store.channel);
  node.serves = true;
}

/** Counts an operation as pending until its reply has been processed. */
const countPending = (node: ServedNode, store: RemoteStore): RemoteStore => ({
  ...store,
  send: (op, timeoutUs, onReply) => {
    node.pending++;
    store.send(op, timeoutUs, (answer) => {
      onReply(answer);
      node.pending--;
    });
  },
});

/** Makes the fleet look long-running: each gateway has just received a heartbeat from every other. */
export function introduce({ nodes }: ServedFleet): void {
  for (const { server, member } of nodes) {
    if (server === null) continue;
    const { limiter, clock } = server.gateway;
    const { drlExpiryUs } = optionsOf(limiter);
    for (const other of nodes)
      if (other.member !== null && other.member !== member)
        recordHeartbeat(limiter.fleet, other.member.id, clock(), drlExpiryUs);
  }
}

function storeUseOf(
  { server, store }: ServedNode,
  { resolved }: RequestOutcome,
  nowUs: Micros,
): StoreUse {
  if (server === null || resolved === null || store === null) return "nothing";
  const { levels, isOneStep, inBackground } = prepare(server.gateway.limiter, resolved, nowUs);
  if (levels.every(({ place }) => place === "gateway")) return "nothing";
  return isOneStep && inBackground.length === 0 ? "once" : "in steps";
}

/** `end`: the run is over. Background writes finish first, so that none is recorded as a failure of the store. */
export async function stopNode(node: ServedNode, how: "crash" | "leave" | "end"): Promise<void> {
  const { server, store, member } = node;
  node.serves = false;
  node.server = null;
  node.store = null;
  node.member = null;
  node.inForce = null;
  if (how !== "leave") {
    // The connection to the store is closed first, so that the gateway cannot publish that it leaves.
    if (how === "crash") store?.drop();
    else await store?.store.close();
    await Promise.all([server?.stop(), member?.leave()]);
    return;
  }
  await server?.drain();
  await member?.leave();
  await store?.store.close();
}

export async function stopFleet({ nodes, upstream }: ServedFleet): Promise<void> {
  await Promise.all(nodes.map((node) => stopNode(node, "end")));
  await upstream?.close();
}
