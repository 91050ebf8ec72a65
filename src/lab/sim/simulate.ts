// One run in virtual time: the arrivals of the plan and everything they cause, in order of time.
import type { Configuration } from "../../limiter/core/config.ts";
import { resolver } from "../../limiter/core/resolve/resolver.ts";
import { noRoute, type GatewayRequest } from "../../gateway/outcome.ts";
import { memoryStore, sizeOf } from "../../limiter/store/memory.ts";
import type { Distribution, Fault, Plan } from "../scenario/types.ts";
import type { Environment, RulesOfFile } from "../scenario/world.ts";
import { engine as newEngine, type Engine, type Keeping, type Model } from "./engine.ts";
import { requestOf } from "./clients.ts";
import { addressOf } from "./places.ts";
import { comesFirst, happenNext, isAnyUntil, nextTimeUs } from "./event-queue.ts";
import { scheduleFault } from "./faults.ts";
import { lookAtStore, watchStore } from "./gauges.ts";
import { skipRounds, startFleet } from "./heartbeats.ts";
import { remoteStore, type Witness } from "./store-state.ts";
import { sendAttempt } from "./request.ts";
import { newTurns, takesTurns, takeTurn } from "./turns.ts";

export interface Simulation {
  readonly plan: Plan;
  readonly configuration: Configuration;
  readonly credentials: ReadonlyMap<string, readonly string[]>;
  readonly environment: Environment;
  readonly faults: readonly Fault[];
  readonly keeps: Keeping;
  readonly witness?: Witness | null; // null: nothing observes the store
  readonly model?: Model | null; // null: the core's algorithms decide
  readonly rules?: RulesOfFile | null; // null: the configuration decides
}

export function simulate(simulation: Simulation): Engine {
  const run = begin(simulation);
  finish(run);
  return run.engine;
}

/** A run that can pause at a time, so that its caller can do asynchronous work. */
interface SimulationRun {
  readonly engine: Engine;
  next: number; // index of the next arrival
}

export function begin(simulation: Simulation): SimulationRun {
  const { plan, environment, faults, witness = null, model = null, rules = null } = simulation;
  const shared = memoryStore();
  const engine = newEngine({
    plan,
    environment,
    resolver: resolver(simulation.configuration),
    isImmediate: witness === null && isImmediate(environment, faults),
    gatewaysEnd: faults.some(({ kind }) => ENDS.has(kind)),
    keeps: simulation.keeps,
    remote: remoteStore(shared, environment.storeUs, witness),
    shared,
    model,
    rules,
    requestOf: requestsOf(simulation),
  });
  engine.queue.onNumbered = (arrival, attempt) => sendAttempt(engine, arrival, attempt);
  engine.turns = newTurns(engine, sendAttempt);
  startFleet(engine);
  if (engine.watch !== null) lookAtStore(engine, engine.watch);
  for (const fault of faults) scheduleFault(engine, fault);
  return { engine, next: 0 };
}

/** Injected faults that end a gateway. If a run has one, requests in flight are tracked. */
const ENDS: ReadonlySet<Fault["kind"]> = new Set([
  "gateway_crash",
  "gateway_restart",
  "gateway_leave",
]);

const takesNoTime = (distribution: Distribution): boolean =>
  distribution.kind === "constant" && distribution.us === 0;

/** True if no requests overlap, so that each decision is a single call. */
function isImmediate(
  { networkUs, storeUs, storeCost }: Environment,
  faults: readonly Fault[],
): boolean {
  const storeIsSteady = faults.every(({ kind }) => kind !== "store_slow" && kind !== "store_down");
  return (
    storeIsSteady &&
    takesNoTime(networkUs) &&
    takesNoTime(storeUs) &&
    storeCost.perCommandUs === 0 &&
    storeCost.perEntryUs === 0
  );
}

/** Returns a function that creates one request for each client and address, because all their requests are equal. */
function requestsOf({ plan, credentials }: Simulation): Engine["requestOf"] {
  // Few clients send each part of a flow with a `mix`, so the list starts empty.
  const made = plan.flows.map(({ clients, mix }) =>
    mix === undefined ? Array.from<GatewayRequest | undefined>({ length: clients }) : [],
  );
  const elsewhere = new Map<string, GatewayRequest>(); // by flow, client and address, if the flow has addresses
  const make = (flow: number, client: number, address: number): GatewayRequest => {
    const request = requestOf(credentials, plan.flows[flow]!, client, addressOf(plan, address));
    return { ...request, last: noRoute() };
  };
  return (flow, client, address) => {
    if (address < 0) return (made[flow]![client] ??= make(flow, client, address));
    const name = `${flow} ${client} ${address}`;
    let known = elsewhere.get(name);
    if (known === undefined) elsewhere.set(name, (known = make(flow, client, address)));
    return known;
  };
}

/** Runs everything up to a time, except arrivals at that time. */
export function runUntil(run: SimulationRun, untilUs: number): void {
  const { engine } = run;
  const { queue, heartbeats, plan } = engine;
  const { atUs } = plan;
  if (engine.watch !== null && sizeOf(engine.shared).entries !== engine.watch.entries)
    lookAtStore(engine, engine.watch); // the caller changed the store since the last pause
  let next = run.next;
  for (; next < atUs.length && atUs[next]! < untilUs; next++) {
    const arrivalUs = atUs[next]!;
    while (nextTimeUs(queue) <= arrivalUs || nextTimeUs(heartbeats.queue) <= arrivalUs)
      happen(engine, arrivalUs);
    engine.nowUs = arrivalUs;
    heartbeats.quietSinceUs = arrivalUs;
    if (takesTurns(engine, next)) takeTurn(engine, next);
    else sendAttempt(engine, next, 0);
    watchStore(engine);
  }
  run.next = next;
  if (untilUs === Number.POSITIVE_INFINITY) return;
  while (nextTimeUs(queue) <= untilUs || nextTimeUs(heartbeats.queue) <= untilUs)
    happen(engine, untilUs);
  engine.nowUs = untilUs;
  heartbeats.quietSinceUs = untilUs;
}

export function finish(run: SimulationRun): void {
  runUntil(run, Number.POSITIVE_INFINITY);
  const { engine } = run;
  const { queue, heartbeats } = engine;
  while (
    isAnyUntil(queue, engine.awaitedUs, engine.awaitedPlace) ||
    isAnyUntil(heartbeats.queue, engine.awaitedUs, engine.awaitedPlace)
  )
    happen(engine, engine.awaitedUs);
  if (engine.watch !== null) lookAtStore(engine, engine.watch);
  engine.nowUs = Math.max(engine.nowUs, engine.awaitedUs);
}

/** Runs the next event, or skips idle rounds of heartbeats, at most until the next event or `untilUs`. */
function happen(engine: Engine, untilUs: number): void {
  const { queue, heartbeats } = engine;
  const nextUs = nextTimeUs(queue);
  if (!comesFirst(heartbeats.queue, queue)) {
    engine.nowUs = nextUs;
    heartbeats.quietSinceUs = nextUs;
    happenNext(queue);
    watchStore(engine);
    return;
  }
  if (skipRounds(engine, Math.min(nextUs, untilUs))) return;
  engine.nowUs = nextTimeUs(heartbeats.queue);
  happenNext(heartbeats.queue);
}
