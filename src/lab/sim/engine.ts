// The state of one run in virtual time, shared by all parts of the simulator.
import { newDecision, type DecisionDraft } from "../../limiter/core/decision.ts";
import type { LimiterEvent } from "../../limiter/core/events.ts";
import {
  limiter,
  LOCAL_STORE_TRAITS,
  REMOTE_STORE_TRAITS,
  type Limiter,
  type Prepared,
} from "../../limiter/core/limiter.ts";
import type { Resolver } from "../../limiter/core/resolve/resolved.ts";
import { rng, type Rng } from "../../kit/chance/rng.ts";
import { micros, type Micros } from "../../kit/units.ts";
import { gateway, type Gateway } from "../../gateway/gateway.ts";
import type { GatewayRequest } from "../../gateway/outcome.ts";
import { localStore, memoryStore, type MemoryStore } from "../../limiter/store/memory.ts";
import type { Plan } from "../scenario/types.ts";
import type { Environment, RulesOfFile } from "../scenario/world.ts";
import { eventQueue, schedule, scheduleNumbered, type EventQueue } from "./event-queue.ts";
import type { Bill } from "./cost.ts";
import { balance, type Pick, type BalancedGateway } from "./balancer.ts";
import { startDeciding, type DecideByRules } from "./rules.ts";
import { eventInHistory, recorder, type Recorder, type SentAttempt } from "./recorder.ts";
import { storeWatch, type SimulatedStore, type StoreWatch } from "./store-state.ts";
import type { Pacer } from "./token-clients.ts";
import type { LocalStore } from "../../limiter/core/store.ts";

/**
 * A way of counting of other products, simulated for comparison (sim/models). It replaces the memory in which a
 * simulated gateway counts. The world's algorithm has to be `drl`, with which each gateway counts locally, so that no
 * request needs the store. Each run creates its own model, which has the counters that gateways share.
 */
export interface Model {
  /** The store in which a gateway counts, created when its process starts. */
  readonly gateway: (engine: Engine, node: NodeProcess) => LocalStore;
  /** The present number of counters in the store and all gateways. */
  readonly countCounters: () => number;
}

/** 2026-01-01T00:00:00Z. It is fixed, so that clock windows are the same in every run. */
export const EPOCH_US = micros(1_767_225_600_000_000);

/** The last time that a clock can count in whole microseconds: two centuries after the start. */
export const LAST_US = Number.MAX_SAFE_INTEGER - EPOCH_US;

/** A simulated gateway before it serves. Its clock is created first, because the gateway needs it. */
export interface NodeProcess extends BalancedGateway {
  own: MemoryStore;
  skewUs: number;
  generation: number; // number of restarts; replies to an earlier process are ignored
  readonly underWay: Set<SentAttempt>; // filled only if a gateway ends during the run
}

export interface Node extends NodeProcess {
  gateway: Gateway;
  rules: DecideByRules | null; // decide in place of the gateway; null: the gateway decides
}

/** Sequential clients, which send one request at a time. */
export interface Turns {
  readonly send: (engine: Engine, arrival: number, attempt: number) => void;
  readonly isSequential: readonly boolean[]; // one for each flow
  readonly clients: ReadonlyMap<string, SequentialClient>;
}

export interface SequentialClient {
  readonly pacer: Pacer | null; // null if the client sends without waiting for tokens
  readonly planned: number[]; // arrivals that are due
  begun: number; // how many planned arrivals have begun
  left: number; // requests that have not ended
  isBusy: boolean;
}

interface RunCounts {
  requests: number;
  refused: number; // responses that are not the upstream's
}

export interface Engine {
  readonly plan: Plan;
  readonly environment: Environment;
  readonly queue: EventQueue;
  readonly heartbeats: Heartbeats;
  readonly nodes: Node[];
  readonly shared: MemoryStore;
  readonly remote: SimulatedStore;
  readonly model: Model | null; // replaces the algorithms; null if the core's algorithms are used
  readonly rules: RulesOfFile | null; // decide all requests; null: the configuration decides
  readonly isImmediate: boolean; // whether the store replies in no time and never fails
  readonly gatewaysEnd: boolean; // whether gateways end and lose requests in flight
  readonly recorder: Recorder | null;
  readonly watch: StoreWatch | null; // null if no gauge of the store is recorded
  onEvent: ((event: LimiterEvent, atUs: Micros) => void) | null; // null if events are only recorded
  readonly counts: RunCounts;
  readonly random: {
    readonly network: Rng;
    readonly store: Rng;
    readonly upstream: Rng;
    readonly clients: Rng;
  };
  readonly draft: DecisionDraft; // reused for each request that ends immediately
  readonly allowancesSeen: Set<string>;
  readonly bills: WeakMap<Prepared, Bill[]>; // costs by the result of a request
  /** Returns the same object for all requests of a client from one address. */
  readonly requestOf: (flow: number, client: number, address: number) => GatewayRequest;
  readonly pick: Pick<Node>;
  resolver: Resolver;
  turns: Turns | null; // null if every client sends at the planned times
  nowUs: number; // since the start of the run
  awaitedUs: number; // time of the last event that the run has to wait for
  awaitedPlace: number;
  decided: number;
}

/** Messages between gateways. Their queue is separate, because most runs end before most messages are due. */
interface Heartbeats {
  readonly queue: EventQueue; // numbered together with the engine's queue
  onTheWay: number; // messages, replies and time-outs in flight
  longestUs: number; // longest time so far between two heartbeats of one gateway
  quietSinceUs: number; // time of the last event other than heartbeats
}

/** How much of a run is recorded. `attempts` is a part of the history that takes a quarter of the time to record. */
export type Keeping = "history" | "attempts" | "counts";

interface EngineParts {
  readonly plan: Plan;
  readonly environment: Environment;
  readonly resolver: Resolver;
  readonly isImmediate: boolean;
  readonly gatewaysEnd: boolean;
  readonly keeps: Keeping;
  readonly remote: SimulatedStore;
  readonly shared: MemoryStore;
  readonly model: Model | null;
  readonly rules: RulesOfFile | null;
  readonly requestOf: Engine["requestOf"];
}

export function engine(parts: EngineParts): Engine {
  const { plan, environment } = parts;
  const stream = (name: string): Rng => rng(plan.seed, `${plan.scenario}/${plan.variant}/${name}`);
  const nodes: Node[] = [];
  const created: Engine = {
    plan,
    environment,
    queue: eventQueue(),
    heartbeats: { queue: eventQueue(), onTheWay: 0, longestUs: 0, quietSinceUs: 0 },
    nodes,
    requestOf: parts.requestOf,
    pick: balance(environment.balancer, nodes, stream("balancer")),
    shared: parts.shared,
    remote: parts.remote,
    model: parts.model,
    rules: parts.rules,
    isImmediate: parts.isImmediate,
    gatewaysEnd: parts.gatewaysEnd,
    draft: newDecision(),
    recorder:
      parts.keeps === "counts" ? null : recorder(plan, EPOCH_US, parts.keeps === "attempts"),
    watch: parts.keeps === "history" ? storeWatch(plan.atUs.length) : null,
    onEvent: null,
    counts: { requests: 0, refused: 0 },
    random: {
      network: stream("network"),
      store: stream("store"),
      upstream: stream("upstream"),
      clients: stream("clients"),
    },
    allowancesSeen: new Set(),
    bills: new WeakMap(),
    resolver: parts.resolver,
    turns: null,
    nowUs: 0,
    awaitedUs: 0,
    awaitedPlace: -1,
    decided: 0,
  };
  for (let index = 0; index < environment.nodes; index++) addNode(created);
  return created;
}

export function addNode(engine: Engine): Node {
  const index = engine.nodes.length;
  const { balancer, skewUs } = engine.environment;
  const own = memoryStore();
  const process: NodeProcess = {
    index,
    weight: balancer.kind === "weighted" ? (balancer.weights[index] ?? 1) : 1,
    serves: true,
    inFlight: 0,
    own,
    skewUs: skewUs[index] ?? 0,
    generation: 0,
    underWay: new Set(),
  };
  const node: Node = Object.assign(process, {
    gateway: newGateway(engine, process),
    rules: newRules(engine, process),
  });
  engine.nodes.push(node);
  return node;
}

/** Restarts the node as a new process: it serves, knows no other gateways, and has no counts. */
export function restart(engine: Engine, node: Node): void {
  node.serves = true;
  node.own = memoryStore();
  node.gateway = newGateway(engine, node);
  node.rules = newRules(engine, node);
  node.inFlight = 0;
}

function newRules(engine: Engine, node: NodeProcess): DecideByRules | null {
  const { rules, shared } = engine;
  if (rules === null) return null;
  const { configuration, isShared } = rules;
  return startDeciding(
    configuration,
    node.own,
    (rule, own) => (isShared(rule) ? shared : own),
    () => clockOf(engine, node),
  );
}

const newGateway = (engine: Engine, node: NodeProcess): Gateway =>
  gateway(newLimiter(engine, node), () => clockOf(engine, node));

/** The time on the node's own clock. */
export const clockOf = (engine: Engine, node: NodeProcess): Micros =>
  micros(EPOCH_US + engine.nowUs + node.skewUs);

function newLimiter(engine: Engine, node: NodeProcess): Limiter {
  const { recorder: history } = engine;
  const emit =
    history === null || history.isBrief
      ? null
      : (event: LimiterEvent) => recordEvent(engine, history, node, event);
  const counting = engine.model?.gateway(engine, node) ?? localStore(engine.shared, node.own);
  const store = engine.isImmediate ? LOCAL_STORE_TRAITS : REMOTE_STORE_TRAITS;
  return limiter(engine.resolver, counting, store, emit);
}

function recordEvent(
  engine: Engine,
  history: Recorder,
  node: NodeProcess,
  event: LimiterEvent,
): void {
  const stampUs = micros(event.stampUs - EPOCH_US);
  history.events.push(
    eventInHistory(event, { atUs: micros(engine.nowUs), stampUs, gateway: node.index }),
  );
  engine.onEvent?.(event, micros(EPOCH_US + engine.nowUs));
  if (event.value === null) return;
  history.gauges.push({
    gauge: "allowance",
    atUs: stampUs,
    key: event.key,
    budget: event.budget,
    gateway: null,
    value: event.value,
  });
}

/** Schedules an event that the run waits for. */
export function later<About>(
  engine: Engine,
  afterUs: number,
  what: (about: About) => void,
  about: About,
): void {
  laterAt(engine, engine.nowUs + Math.round(afterUs), what, about);
}

export function laterAt<About>(
  engine: Engine,
  atUs: number,
  what: (about: About) => void,
  about: About,
): void {
  awaits(engine, atUs, schedule(engine.queue, atUs, what, about));
}

export function awaits(engine: Engine, atUs: number, place: number): void {
  if (atUs < engine.awaitedUs) return;
  engine.awaitedUs = atUs;
  engine.awaitedPlace = place; // of several events at one time, the newest is processed last
}

/** Schedules the next attempt of an arrival after a wait. */
export function sendAgain(engine: Engine, arrival: number, attempt: number, waitUs: number): void {
  const atUs = engine.nowUs + Math.round(waitUs);
  awaits(engine, atUs, scheduleNumbered(engine.queue, atUs, arrival, attempt + 1));
}

/** Schedules a background event, which does not keep the run going. */
export const meanwhile = (engine: Engine, atUs: number, what: () => void): number =>
  schedule(engine.queue, atUs, what, undefined);

export const stampOf = (node: Node, engine: Engine): Micros => micros(engine.nowUs + node.skewUs);
