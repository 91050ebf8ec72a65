// Every order in which the store operations of a few requests can fall. Simulated latencies try some of
// them; here none is left out. Two things keep the number small: requests that are alike and at the same
// point can be exchanged, and a state that was explored before is not explored again.
import type { Configuration } from "#src/limiter/core/config.ts";
import type { LimiterEvent } from "#src/limiter/core/events.ts";
import { limiter, REMOTE_STORE_TRAITS } from "#src/limiter/core/limiter.ts";
import { resolver } from "#src/limiter/core/resolve/resolver.ts";
import type { Resolver } from "#src/limiter/core/resolve/resolved.ts";
import { emptyReply, type StoreResult, type Reply, type StoreOp } from "#src/limiter/core/store.ts";
import { micros, type Micros } from "#src/kit/units.ts";
import { begin, stepsOf } from "#src/gateway/begin.ts";
import { gateway } from "#src/gateway/gateway.ts";
import type { GatewayRequest } from "#src/gateway/outcome.ts";
import { onBackgroundReply } from "#src/gateway/shadow.ts";
import { contentOf, type Content } from "../../limiter/store/content.ts";
import { localStore, memoryStore, perform, type MemoryStore } from "#src/limiter/store/memory.ts";
import { EPOCH_US } from "#src/lab/sim/engine.ts";

/** One request, at a gateway of its own: gateways share nothing but the store. */
export interface RacingRequest {
  readonly request: GatewayRequest;
  readonly atUs: Micros; // by its gateway's clock, from the epoch of the simulator
}

export interface Race {
  readonly configuration: Configuration;
  readonly before: readonly RacingRequest[]; // each is over before the next one begins
  readonly calls: readonly RacingRequest[];
  /** How many of the calls may be under way together, from the first operation to the last. */
  readonly together: number;
  readonly answering: Answering;
}

/**
 * How a store replies. It yields before everything that it does in one step, with all that it has read so far: other
 * requests can come into each of these gaps.
 */
type Answering = (store: MemoryStore, op: StoreOp) => Generator<string, Reply>;

/** The real store: an operation is one step, and a pipeline is as many steps as it has commands. */
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

/** The end of some of the orders: their results, and the content of the store. */
export interface End {
  readonly admitted: number; // of the calls
  readonly before: number; // admitted of those before
  readonly events: readonly string[]; // as they were emitted
  readonly content: readonly Content[];
  readonly orders: number; // how many end so
  readonly witness: readonly number[]; // one of them: whose turn it is, by its number among the calls
}

export interface Explored {
  readonly orders: number; // of requests that differ
  readonly states: number; // explored to find the ends of all orders
  readonly ends: readonly End[];
}

export function interleave(race: Race): Explored {
  const found = resolver(race.configuration);
  const seen = new Map<string, ReadonlyMap<string, End>>();
  const from = (turns: readonly number[]): ReadonlyMap<string, End> => {
    const run = replay(race, found, turns);
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
  readonly name: string; // requests with the same name are alike
  readonly life: Generator<string, boolean>;
  knowledge: string; // everything that its future depends on
  status: "waiting" | "under way" | "over";
  isAdmitted: boolean;
}

interface Run {
  readonly store: MemoryStore;
  readonly callers: readonly Caller[];
  readonly events: string[];
  readonly before: number;
}

/** A generator cannot be copied, so each order runs from its beginning. */
function replay(race: Race, found: Resolver, turns: readonly number[]): Run {
  const store = memoryStore();
  const events: string[] = [];
  const callerOf = (call: RacingRequest): Caller => caller(race, found, store, events, call);
  let before = 0;
  for (const call of race.before) {
    const alone = callerOf(call);
    while (alone.status !== "over") goOn(alone);
    before += Number(alone.isAdmitted);
  }
  const run = { store, callers: race.calls.map(callerOf), events, before };
  for (const turn of turns) goOn(run.callers[turn]!);
  return run;
}

function caller(
  { answering }: Race,
  found: Resolver,
  store: MemoryStore,
  events: string[],
  { request, atUs }: RacingRequest,
): Caller {
  let nowUs = EPOCH_US + atUs;
  const emit = (event: LimiterEvent): void => void events.push(eventText(event));
  const one = gateway(
    limiter(found, localStore(store, memoryStore()), REMOTE_STORE_TRAITS, emit),
    () => micros(nowUs),
  );
  function* life(): Generator<string, boolean> {
    const steps = stepsOf(one, begin(one, request));
    let knowledge = "";
    let next = steps.next();
    while (next.done !== true) {
      const effect = next.value;
      if (effect.op === "sleep") {
        nowUs += effect.us;
        knowledge = `${knowledge} sleep`;
        next = steps.next(emptyReply());
        continue;
      }
      const reply = yield* within(knowledge, answering(store, effect));
      knowledge = `${knowledge} ${answerText(reply)}`;
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
  const created: Caller = {
    name: `${request.method} ${request.target} ${request.credential} ${atUs}`,
    life: life(),
    knowledge: "",
    status: "waiting",
    isAdmitted: false,
  };
  advance(created); // up to its first operation: until then it affects no other request
  return created;
}

/** The knowledge of a request during an operation: all before, and the part of the reply so far. */
function* within(knowledge: string, steps: Generator<string, Reply>): Generator<string, Reply> {
  let next = steps.next();
  while (next.done !== true) {
    yield `${knowledge} ${next.value}`;
    next = steps.next();
  }
  return next.value;
}

/** Takes the next step of the request, up to the beginning of the one after it. */
function goOn(caller: Caller): void {
  caller.status = "under way";
  advance(caller);
}

function advance(caller: Caller): void {
  const { done, value } = caller.life.next();
  if (done !== true) {
    caller.knowledge = value;
    return;
  }
  caller.status = "over";
  caller.isAdmitted = value;
  caller.knowledge = value ? "admitted" : "refused";
}

// ---------------------------------------------------------------- different states

/** Of callers that are alike and at the same point, one continues for all of them. */
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

const callerText = ({ name, status, knowledge }: Caller): string =>
  `${name}: ${status} ${knowledge}`;

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
