// Gateways that are served on loopback, and a balancer in front of them as in virtual time: it decides, for
// each request, to which one the client speaks.
import type { Configuration } from "../core/config.ts";
import type { LimiterEvent } from "../core/events.ts";
import { recordHeartbeat } from "../core/fleet.ts";
import { gatewaysAt, optionsOf, prepare } from "../core/limiter.ts";
import { rng } from "../chance/rng.ts";
import { micros, type Micros } from "../core/units.ts";
import type { RequestOutcome } from "../gateway/outcome.ts";
import type { LiveConfiguration } from "../management/in-force.ts";
import { LOOPBACK } from "../scenario/history.ts";
import type { Plan } from "../scenario/types.ts";
import type { Environment } from "../scenario/world.ts";
import { serveGateway, type GatewayServer } from "../gateway/http/gateway.node.ts";
import { upstreamOf, type OwnUpstream } from "./upstream.node.ts";
import { joinFleet, type Member } from "../gateway/http/heartbeats.node.ts";
import { turnClock } from "../gateway/http/turn-clock.node.ts";
import type { ReceivedHeaders } from "../gateway/credential.ts";
import { balance, type Pick, type BalancedGateway } from "../sim/balancer.ts";
import { EPOCH_US } from "../sim/engine.ts";
import type { Channel } from "../store/channel.ts";
import type { RemoteStore } from "../store/remote.ts";

/** By which the sender knows its request again. */
export const ATTEMPT_HEADER = "weir-attempt";

export interface ServedNode extends BalancedGateway {
  server: GatewayServer | null; // null: it has gone
  store: NodeStore | null; // null: everything is counted in its own memory
  member: Member | null; // of a fleet
  inForce: LiveConfiguration | null; // null: all that it obeys is in its configuration
  skewUs: number;
}

export interface NodeStore {
  readonly store: RemoteStore;
  readonly channel: Channel;
  readonly drop: () => void; // cuts the connection, as a crash does
}

/** What a request asks of a store elsewhere: nothing, all at once, or one thing after the other. */
export type Asks = "nothing" | "once" | "in steps";

export interface Seen {
  readonly node: ServedNode;
  readonly attempt: string;
  readonly outcome: RequestOutcome;
  readonly fleet: number;
  readonly startUs: number; // since the start of the run, in true time
  readonly stampUs: number; // the same by the gateway's own clock
  readonly asks: Asks;
}

export interface FleetSetting {
  readonly environment: Environment;
  readonly configuration: Configuration;
  readonly isBehindProxy: boolean; // requests come from one that says where their clients are
  readonly nowUs: () => number; // since the start of the run
  readonly newStore: () => Promise<NodeStore | null>;
  /** Of records that calls change; null: there are none. */
  readonly newInForce: (() => Promise<LiveConfiguration>) | null;
  readonly event: (node: ServedNode, event: LimiterEvent) => void;
  readonly decided: (seen: Seen) => void;
}

export interface Fleet {
  readonly nodes: ServedNode[];
  readonly setting: FleetSetting;
  readonly upstream: OwnUpstream | null;
  configuration: Configuration;
}

export async function serveFleet(setting: FleetSetting): Promise<Fleet> {
  const upstream = await upstreamOf(setting.environment);
  const fleet: Fleet = { nodes: [], setting, upstream, configuration: setting.configuration };
  await addNodes(fleet, setting.environment.nodes);
  return fleet;
}

export const pickerOf = (fleet: Fleet, plan: Plan): Pick<ServedNode> =>
  balance(
    fleet.setting.environment.balancer,
    fleet.nodes,
    rng(plan.seed, `${plan.scenario}/${plan.variant}/balancer`),
  );

export async function addNodes(fleet: Fleet, count: number): Promise<void> {
  const added = Array.from({ length: count }, () => newNode(fleet));
  await Promise.all(added.map((node) => startNode(fleet, node)));
}

function newNode({ nodes, setting }: Fleet): ServedNode {
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
  };
  nodes.push(node);
  return node;
}

export async function restartNode(fleet: Fleet, node: ServedNode): Promise<void> {
  await stopNode(node, "crash");
  await startNode(fleet, node);
}

/** As a process that has just started: it knows nobody and has counted nothing. */
async function startNode(fleet: Fleet, node: ServedNode): Promise<void> {
  const { setting } = fleet;
  node.store = await setting.newStore();
  const inForce = setting.newInForce === null ? null : await setting.newInForce();
  node.inFlight = 0;
  const clock = turnClock(() => micros(EPOCH_US + Math.round(setting.nowUs()) + node.skewUs));
  const onDecision = (outcome: RequestOutcome, headers: ReceivedHeaders, startUs: Micros): void => {
    const stampUs = startUs - EPOCH_US;
    setting.decided({
      node,
      attempt: String(headers[ATTEMPT_HEADER]),
      outcome: { ...outcome, decision: outcome.decision === null ? null : { ...outcome.decision } },
      fleet: node.server === null ? 1 : gatewaysAt(node.server.gateway.limiter, startUs),
      startUs: stampUs - node.skewUs,
      stampUs,
      asks: asksOf(node, outcome, startUs),
    });
  };
  const server = await serveGateway({
    configuration: inForce?.configuration() ?? fleet.configuration,
    ...(inForce === null ? {} : { keys: inForce }),
    upstream: fleet.upstream?.url ?? null,
    isEcho: fleet.upstream === null,
    host: LOOPBACK,
    port: 0,
    ...(setting.isBehindProxy && { wire: { trustedProxies: [LOOPBACK] } }),
    store: node.store?.store ?? null,
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

/** A fleet that has been up for a while: everybody has just heard everybody. */
export function introduce({ nodes }: Fleet): void {
  for (const { server, member } of nodes) {
    if (server === null) continue;
    const { limiter, clock } = server.gateway;
    const { drlExpiryUs } = optionsOf(limiter);
    for (const other of nodes)
      if (other.member !== null && other.member !== member)
        recordHeartbeat(limiter.fleet, other.member.id, clock(), drlExpiryUs);
  }
}

function asksOf({ server, store }: ServedNode, { resolved }: RequestOutcome, nowUs: Micros): Asks {
  if (server === null || resolved === null || store === null) return "nothing";
  const { levels, isOneStep, inBackground } = prepare(server.gateway.limiter, resolved, nowUs);
  if (levels.every(({ place }) => place === "gateway")) return "nothing";
  return isOneStep && inBackground.length === 0 ? "once" : "in steps";
}

/** `end`: the run is over. Its background writes finish, so that none of them counts as a failure of the store. */
export async function stopNode(node: ServedNode, how: "crash" | "leave" | "end"): Promise<void> {
  const { server, store, member } = node;
  node.serves = false;
  node.server = null;
  node.store = null;
  node.member = null;
  node.inForce = null;
  if (how !== "leave") {
    // First the store, so that the gateway cannot say goodbye.
    if (how === "crash") store?.drop();
    else await store?.store.close();
    await Promise.all([server?.stop(), member?.leave()]);
    return;
  }
  await server?.drain();
  await member?.leave();
  await store?.store.close();
}

export async function stopFleet({ nodes, upstream }: Fleet): Promise<void> {
  await Promise.all(nodes.map((node) => stopNode(node, "end")));
  await upstream?.close();
}
