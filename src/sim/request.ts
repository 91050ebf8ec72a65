// One request on its way: client, network, gateway, store, upstream, and back to a client that may try
// again.
import { sample } from "../chance/distribution.ts";
import { gatewaysAt, optionsOf, prepare } from "../core/limiter.ts";
import { answerNow } from "../core/sequence.ts";
import { noteAnswer } from "../core/steps.ts";
import { hasFailed, type Answer, type StoreOp } from "../core/store.ts";
import { micros } from "../core/units.ts";
import {
  handle,
  handleAnswer,
  handleAsking,
  handleNow,
  type Asking,
  type Effect,
  type Handled,
} from "../gateway/handle.ts";
import type { Outcome, Request } from "../gateway/outcome.ts";
import { hearBehind } from "../gateway/shadow.ts";
import { headersTold, limitHeaders, type Header } from "../gateway/headers.ts";
import { EPOCH_US, later, stampOf, type Engine, type Node } from "./engine.ts";
import { shadowsCost, spentAt } from "./spent.ts";
import { record, type Attempt } from "./recorder.ts";
import { behaviourOf, waitBeforeRetry } from "./clients.ts";
import { clientName, placeOfAddress } from "./places.ts";
import { send, type Sending } from "./remote-store.ts";
import { account, settleAccount } from "./store-state.ts";
import { noteAllowances } from "./gauges.ts";

const PASSED = 200;

/** Sends one attempt at what the plan has in this place. Where nothing takes time, it is over when this returns. */
export function sendAttempt(engine: Engine, arrival: number, attempt: number): void {
  const { plan } = engine;
  const request = engine.requestOf(
    plan.flow[arrival]!,
    plan.client[arrival]!,
    placeOfAddress(plan, arrival),
  );
  const node = serverOf(engine, request, arrival);
  engine.counts.requests++;
  if (node === null) {
    engine.counts.unanswered++;
    return;
  }
  if (engine.isImmediate) {
    const outcome = handleNow(node.gateway, request, engine.draft);
    if (outcome !== null) {
      decidedNow(engine, node, request, arrival, attempt, outcome);
      return;
    }
  }
  sendOverNetwork(engine, node, request, arrival, attempt);
}

function serverOf(engine: Engine, { credential }: Request, arrival: number): Node | null {
  const only = engine.nodes.length === 1 ? engine.nodes[0]! : null;
  if (only !== null && only.serves) return only;
  return engine.pick(credential ?? clientName(engine.plan, arrival));
}

function decidedNow(
  engine: Engine,
  node: Node,
  request: Request,
  arrival: number,
  attempt: number,
  outcome: Outcome,
): void {
  const { nowUs } = engine;
  const { refused } = outcome;
  if (engine.recorder !== null) {
    const { before, all } = spentAt(engine, node, outcome);
    const behind = shadowsCost(engine, node, request, outcome);
    const upstreamUs =
      refused === null ? sample(engine.environment.upstreamUs, engine.random.upstream) : 0;
    const sent = { arrival, attempt, sentUs: nowUs };
    const fleet = gatewaysAt(node.gateway.limiter, micros(EPOCH_US + stampOf(node, engine)));
    record(engine.recorder, sent, {
      outcome,
      gateway: node.index,
      fleet,
      fromUs: nowUs,
      toUs: nowUs,
      stampUs: stampOf(node, engine),
      answeredUs: nowUs + upstreamUs,
      status: refused?.status ?? PASSED,
      headers: toldTo(engine, node, outcome),
      order: engine.decided++,
      commandsBefore: before,
      commandsAll: all + behind,
    });
    noteAllowances(engine, outcome, fleet);
  }
  if (refused === null) return;
  engine.counts.refused++;
  tryAgain(engine, arrival, attempt, outcome);
}

/** The headers of its answer: the gateway's own, and those of an upstream that was reached. */
function toldTo(
  { environment }: Engine,
  { gateway }: Node,
  { refused, decision }: Outcome,
): readonly Header[] {
  const { rateLimitHeaders } = optionsOf(gateway.limiter);
  const own = decision === null ? [] : limitHeaders(decision, rateLimitHeaders, gateway.clock());
  return refused === null && environment.upstreamHeaders.length > 0
    ? headersTold(environment.upstreamHeaders, own)
    : own;
}

// ---------------------------------------------------------------- the long way

/** A request that others may overtake. */
interface Flight extends Attempt {
  readonly engine: Engine;
  readonly node: Node;
  readonly generation: number;
  readonly request: Request;
  asking: Asking | null; // its one question; null: it takes the steps, or has asked nothing
  steps: Generator<Effect, Handled, Answer> | null;
  askedUs: number; // -1: nothing was asked of a store
  stampUs: number; // the gateway's clock and its count of gateways as it asked: the answer knows neither
  fleet: number;
  fromUs: number;
  toUs: number;
  order: number;
  commands: number;
}

/** Apart from the short way, which makes nothing that outlives it. */
function sendOverNetwork(
  engine: Engine,
  node: Node,
  request: Request,
  arrival: number,
  attempt: number,
): void {
  node.inFlight++;
  const flight: Flight = {
    arrival,
    attempt,
    sentUs: engine.nowUs,
    engine,
    node,
    generation: node.generation,
    request,
    asking: null,
    steps: null,
    askedUs: -1,
    stampUs: -1,
    fleet: -1,
    fromUs: -1,
    toUs: -1,
    order: -1,
    commands: 0,
  };
  const networkUs = sample(engine.environment.networkUs, engine.random.network);
  if (networkUs === 0) arrive(flight);
  else later(engine, networkUs, arrive, flight);
}

/** A gateway that has gone, or has started anew, answers nothing that it had under way. */
function isLost({ engine, node, generation }: Flight): boolean {
  if (node.generation === generation) return false;
  engine.counts.unanswered++;
  return true;
}

function arrive(flight: Flight): void {
  if (isLost(flight)) return;
  const { engine, node, request } = flight;
  const { gateway } = node;
  const asking = handleAsking(gateway, request);
  if (asking === null) {
    flight.steps = handle(gateway, request);
    resume(flight, flight.steps.next());
  } else if ("background" in asking) finish(flight, asking);
  else {
    const { limiter } = gateway;
    flight.commands = account(engine.remote, asking, optionsOf(limiter).storeTransaction);
    flight.asking = asking;
    if (engine.recorder !== null) noteAsking(flight);
    send(engine, asking, optionsOf(limiter).storeTimeoutUs, flight, hear);
  }
}

function noteAsking(flight: Flight): void {
  const { engine, node } = flight;
  flight.askedUs = engine.nowUs;
  flight.stampUs = stampOf(node, engine);
  flight.fleet = gatewaysAt(node.gateway.limiter, node.gateway.clock());
}

function resume(flight: Flight, step: IteratorResult<Effect, Handled>): void {
  const { engine, node } = flight;
  const { limiter } = node.gateway;
  const steps = flight.steps!;
  let next = step;
  while (next.done !== true) {
    const effect = next.value;
    if (effect.op === "sleep") {
      flight.askedUs = flight.fromUs = flight.toUs = -1; // it will be judged anew
      later(engine, effect.us, wake, flight);
      return;
    }
    const options = optionsOf(limiter);
    flight.commands += account(engine.remote, effect, options.storeTransaction);
    if (flight.askedUs < 0) noteAsking(flight);
    if (!engine.isImmediate) {
      send(engine, effect, options.storeTimeoutUs, flight, hear);
      return;
    }
    flight.fromUs = flight.toUs = engine.nowUs;
    flight.order = engine.decided++;
    const answer = answerNow(limiter.atHand, effect);
    flight.commands += settleAccount(engine.remote, effect, options.storeTransaction, answer);
    next = steps.next(answer);
  }
  finish(flight, next.value);
}

function wake(flight: Flight): void {
  if (!isLost(flight)) resume(flight, flight.steps!.next({ failed: "error" }));
}

function hear({ asker: flight, op, answer, fromUs, toUs, order }: Sending<Flight>): void {
  if (isLost(flight)) return;
  const { gateway } = flight.node;
  noteAnswer(gateway.limiter, hasFailed(answer), gateway.clock());
  const { storeTransaction } = optionsOf(gateway.limiter);
  flight.commands += settleAccount(flight.engine.remote, op, storeTransaction, answer);
  // Only what spends or judges decides; giving back and asking on behalf of headers come after it.
  if (op.op === "pipeline" || (op.op === "take" && op.intent !== "ask")) {
    if (flight.fromUs < 0) flight.fromUs = fromUs;
    flight.toUs = toUs;
    flight.order = order;
  }
  if (flight.asking === null) resume(flight, flight.steps!.next(answer));
  else finish(flight, handleAnswer(gateway, flight.asking, answer));
}

function finish(flight: Flight, { outcome, background }: Handled): void {
  const { engine, node } = flight;
  node.inFlight--;
  if (outcome.refused !== null) engine.counts.refused++;
  let commandsAll = flight.commands;
  for (const op of background) {
    const { storeTransaction } = optionsOf(node.gateway.limiter);
    commandsAll += account(engine.remote, op, storeTransaction);
    writeBehind(flight, outcome, op);
  }
  const backUs = sample(engine.environment.networkUs, engine.random.network);
  if (engine.recorder !== null) {
    const upstreamUs =
      outcome.refused === null ? sample(engine.environment.upstreamUs, engine.random.upstream) : 0;
    settle(flight, outcome);
    record(engine.recorder, flight, {
      outcome,
      gateway: node.index,
      fleet: flight.fleet,
      fromUs: flight.fromUs,
      toUs: flight.toUs,
      order: flight.order,
      stampUs: flight.stampUs,
      answeredUs: engine.nowUs + upstreamUs + backUs,
      status: outcome.refused?.status ?? PASSED,
      headers: toldTo(engine, node, outcome),
      commandsBefore: flight.commands,
      commandsAll,
    });
    noteAllowances(engine, outcome, flight.fleet);
  }
  const { arrival, attempt } = flight;
  if (outcome.refused !== null && behaviourOf(engine, arrival).kind !== "ignore")
    later(engine, backUs, () => tryAgain(engine, arrival, attempt, outcome), undefined);
}

/** When it was decided, as an interval in which that must have fallen, and its place among its equals. */
function settle(flight: Flight, { decision, resolved }: Outcome): void {
  const { engine, node, askedUs } = flight;
  const { gateway } = node;
  if (askedUs < 0) noteAsking(flight);
  const isByStore = askedUs >= 0 && flight.toUs >= 0 && decision?.fallback !== true;
  if (isByStore) {
    const { levels } = prepare(gateway.limiter, resolved!, gateway.clock());
    if (levels.every(({ place }) => place !== "gateway")) return;
  }
  // By what is counted here, which may be after the store has replied, or by that alone: the store may also have been asked how long
  // the other levels would have to wait.
  const isHere = askedUs >= 0 && decision?.fallback !== true;
  flight.fromUs = isHere ? askedUs : engine.nowUs;
  flight.toUs = engine.nowUs;
  flight.order = engine.decided++;
}

function writeBehind({ engine, node, generation }: Flight, outcome: Outcome, op: StoreOp): void {
  const { gateway } = node;
  const { limiter } = gateway;
  if (engine.isImmediate) {
    hearBehind(gateway, outcome, op, answerNow(limiter.atHand, op));
    return;
  }
  send(engine, op, optionsOf(limiter).storeTimeoutUs, null, ({ answer }) => {
    if (node.generation !== generation) return;
    noteAnswer(limiter, hasFailed(answer), gateway.clock());
    if (!hasFailed(answer)) hearBehind(gateway, outcome, op, answer);
  });
}

// ---------------------------------------------------------------- clients that try again

function tryAgain(engine: Engine, arrival: number, attempt: number, outcome: Outcome): void {
  const waitUs = waitBeforeRetry(engine, behaviourOf(engine, arrival), attempt, outcome);
  if (waitUs === null) return;
  later(engine, waitUs, () => sendAttempt(engine, arrival, attempt + 1), undefined);
}
