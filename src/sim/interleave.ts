// Every order in which the store operations of a few requests can fall. Simulated latencies try some of
// them; here none is left out. Two things keep the number small: requests that are alike and stand at the
// same point may be exchanged, and what has been seen before is not gone through again.
import type { Configuration } from "../core/config.ts";
import type { LimiterEvent } from "../core/events.ts";
import { limiter, REMOTE_STORE_TRAITS } from "../core/limiter.ts";
import { resolver } from "../core/resolve/resolver.ts";
import type { Resolver } from "../core/resolve/resolved.ts";
import { emptyReply, type StoreResult, type Reply, type StoreOp } from "../core/store.ts";
import { micros, type Micros } from "../core/units.ts";
import { begin, stepsOf } from "../gateway/begin.ts";
import { gateway } from "../gateway/gateway.ts";
import type { GatewayRequest } from "../gateway/outcome.ts";
import { onBackgroundReply } from "../gateway/shadow.ts";
import { contentOf, type Content } from "../store/content.ts";
import { localStore, memoryStore, perform, type MemoryStore } from "../store/memory.ts";
import { EPOCH_US } from "./engine.ts";

/** One request, at a gateway of its own: gateways share nothing but the store. */
export interface Call {
  readonly request: GatewayRequest;
  readonly atUs: Micros; // by its gateway's clock, from the epoch of the simulator
}

export interface Race {
  readonly configuration: Configuration;
  readonly before: readonly Call[]; // each is over before the next one begins
  readonly calls: readonly Call[];
  /** How many of the calls may be under way together, from the first operation to the last. */
  readonly together: number;
  readonly answering: Answering;
}

/**
 * How a store answers. It yields before everything that it does in one step, and says there what it has
 * found out so far: other requests may fall into each of these gaps.
 */
export type Answering = (store: MemoryStore, op: StoreOp) => Generator<string, Reply>;

/** The store as it is: whatever is one operation is one step, and a pipeline is as many as it has commands. */
export function* inSteps(store: MemoryStore, op: StoreOp): Generator<string, Reply> {
  const all = emptyReply();
  for (const command of op.op === "pipeline" ? op.commands : [op]) {
    yield `${command.op} after ${all.count}`;
    const reply = perform(store, command);
    if (op.op !== "pipeline") return reply;
    if (command.op === "count") all.count = reply.count;
  }
  return all;
}

/** Where some of the orders end: what the calls were told, and what is left. */
export interface End {
  readonly admitted: number; // of the calls
  readonly before: number; // admitted of those before
  readonly events: readonly string[]; // as they were emitted
  readonly content: readonly Content[];
  readonly orders: number; // how many end so
  readonly witness: readonly number[]; // one of them: whose turn it is, by its number among the calls
}

export interface Explored {
  readonly orders: number; // of requests that can be told apart
  readonly states: number; // gone through to know what all of them come to
  readonly ends: readonly End[];
}

export function interleave(race: Race): Explored {
  const found = resolver(race.configuration);
  const seen = new Map<string, ReadonlyMap<string, End>>();
  const from = (turns: readonly number[]): ReadonlyMap<string, End> => {
    const run = replayed(race, found, turns);
    const state = stateOf(run);
    const known = seen.get(state);
    if (known !== undefined) return known;
    const next = choices(run, race.together);
    const ends = next.length === 0 ? endOf(run, turns) : new Map<string, End>();
    for (const { turn, alike } of next)
      for (const [text, end] of from([...turns, turn])) {
        const others = ends.get(text)?.orders ?? 0;
        ends.set(text, { ...(ends.get(text) ?? end), orders: others + end.orders * alike });
      }
    seen.set(state, ends);
    return ends;
  };
  const ends = [...from([]).values()].toSorted((a, b) => a.admitted - b.admitted);
  const orders = ends.reduce((sum, end) => sum + end.orders, 0);
  if (!Number.isSafeInteger(orders)) throw new Error(`${orders} orders are too many to count`);
  return { orders, states: seen.size, ends };
}

// ---------------------------------------------------------------- one order

interface Caller {
  readonly name: string; // who has the same one asks the same
  readonly life: Generator<string, boolean>;
  told: string; // all that its future depends on
  status: "waiting" | "under way" | "over";
  isAdmitted: boolean;
}

interface Run {
  readonly store: MemoryStore;
  readonly callers: readonly Caller[];
  readonly events: string[];
  readonly before: number;
}

/** A generator cannot be copied, so each order is played from its beginning. */
function replayed(race: Race, found: Resolver, turns: readonly number[]): Run {
  const store = memoryStore();
  const events: string[] = [];
  const called = (call: Call): Caller => caller(race, found, store, events, call);
  let before = 0;
  for (const call of race.before) {
    const alone = called(call);
    while (alone.status !== "over") goOn(alone);
    before += Number(alone.isAdmitted);
  }
  const run = { store, callers: race.calls.map(called), events, before };
  for (const turn of turns) goOn(run.callers[turn]!);
  return run;
}

function caller(
  { answering }: Race,
  found: Resolver,
  store: MemoryStore,
  events: string[],
  { request, atUs }: Call,
): Caller {
  let nowUs = EPOCH_US + atUs;
  const emit = (event: LimiterEvent): void => void events.push(eventText(event));
  const one = gateway(
    limiter(found, localStore(store, memoryStore()), REMOTE_STORE_TRAITS, emit),
    () => micros(nowUs),
  );
  function* life(): Generator<string, boolean> {
    const steps = stepsOf(one, begin(one, request));
    let told = "";
    let next = steps.next();
    while (next.done !== true) {
      const effect = next.value;
      if (effect.op === "sleep") {
        nowUs += effect.us;
        told = `${told} sleep`;
        next = steps.next(emptyReply());
        continue;
      }
      const reply = yield* within(told, answering(store, effect));
      told = `${told} ${answerText(reply)}`;
      next = steps.next(reply);
    }
    const outcome = next.value;
    const isAdmitted = outcome.refused === null;
    for (const op of outcome.background) {
      const reply = yield* within(isAdmitted ? "admitted" : "refused", answering(store, op));
      onBackgroundReply(one, outcome, op, reply);
    }
    return isAdmitted;
  }
  const made: Caller = {
    name: `${request.method} ${request.target} ${request.credential} ${atUs}`,
    life: life(),
    told: "",
    status: "waiting",
    isAdmitted: false,
  };
  advance(made); // up to its first operation: what it asks itself concerns nobody else
  return made;
}

/** What a request knows while an operation is under way: all before, and what it has brought so far. */
function* within(told: string, steps: Generator<string, Reply>): Generator<string, Reply> {
  let next = steps.next();
  while (next.done !== true) {
    yield `${told} ${next.value}`;
    next = steps.next();
  }
  return next.value;
}

/** Does the step before which the request stands, and goes to where the next one would follow. */
function goOn(one: Caller): void {
  one.status = "under way";
  advance(one);
}

function advance(one: Caller): void {
  const { done, value } = one.life.next();
  if (done !== true) {
    one.told = value;
    return;
  }
  one.status = "over";
  one.isAdmitted = value;
  one.told = value ? "admitted" : "refused";
}

// ---------------------------------------------------------------- what is told apart

/** Of callers that are alike and stand at the same point one goes on for all of them. */
function choices(
  { callers }: Run,
  together: number,
): readonly { readonly turn: number; readonly alike: number }[] {
  const underWay = callers.filter(({ status }) => status === "under way").length;
  const able = callers.filter(
    ({ status }) => status === "under way" || (status === "waiting" && underWay < together),
  );
  return [...Map.groupBy(able, callerText).values()].map((group) => ({
    turn: callers.indexOf(group[0]!),
    alike: group.length,
  }));
}

const callerText = ({ name, status, told }: Caller): string => `${name}: ${status} ${told}`;

const stateOf = ({ store, callers, events }: Run): string =>
  [
    JSON.stringify(contentOf(store)),
    ...callers.map(callerText).toSorted(),
    ...events.toSorted(),
  ].join("\n");

function endOf(
  { store, callers, events, before }: Run,
  witness: readonly number[],
): Map<string, End> {
  const admitted = callers.filter(({ isAdmitted }) => isAdmitted).length;
  const content = contentOf(store);
  const end: End = { admitted, before, events, content, orders: 1, witness };
  return new Map([[JSON.stringify([admitted, events.toSorted(), content]), end]]);
}

const answerText = (reply: StoreResult): string =>
  JSON.stringify(reply, (name, value: unknown) => (name === "level" ? undefined : value));

const eventText = ({ event, stampUs, value }: LimiterEvent): string =>
  `${event} ${stampUs - EPOCH_US}${value === null ? "" : ` ${value}`}`;
