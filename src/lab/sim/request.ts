// The way of one request: client, network, gateway, store, upstream, and back to the client, which may retry.
import { sample } from "../../kit/chance/distribution.ts";
import { gatewaysAt, optionsOf, prepare } from "../../limiter/core/limiter.ts";
import { performNow } from "../../limiter/core/sequence.ts";
import { updateHealth } from "../../limiter/core/steps.ts";
import { hasFailed, type StoreResult, type StoreOp } from "../../limiter/core/store.ts";
import { micros, type Micros } from "../../kit/units.ts";
import {
  begin,
  finish,
  type Beginning,
  type Effect,
  type InSteps,
  type OneOperation,
} from "../../gateway/begin.ts";
import type { RequestOutcome, GatewayRequest } from "../../gateway/outcome.ts";
import { onBackgroundReply } from "../../gateway/shadow.ts";
import { EPOCH_US, later, sendAgain, stampOf, type Engine, type Node } from "./engine.ts";
import { lose } from "./lose.ts";
import { shadowsCost, spentAt } from "./spent.ts";
import { recordAttempt, type Recorder, type SentAttempt } from "./recorder.ts";
import { respondInTurn } from "./respond.ts";
import { behaviourOf, waitBeforeRetry } from "./clients.ts";
import { clientName, placeOfAddress } from "./places.ts";
import { afterResponse, takesTurns } from "./turns.ts";
import { send, type SentOperation } from "./remote-store.ts";
import { account, settleAccount } from "./store-state.ts";
import { noteAllowances } from "./gauges.ts";

/** Sends one attempt of a planned arrival. If nothing takes time, the attempt has ended on return. */
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
    lose(engine, null, newAttempt(engine, arrival, attempt), "unreachable");
    return;
  }
  if (!engine.isImmediate) {
    sendOverNetwork(engine, node, request, arrival, attempt);
    return;
  }
  const beginning = node.rules?.(request) ?? begin(node.gateway, request, null, engine.draft);
  if (beginning.kind === "done") recordNow(engine, node, request, arrival, attempt, beginning);
  else proceed(newFlight(engine, node, request, arrival, attempt), beginning);
}

const newAttempt = ({ nowUs }: Engine, arrival: number, attempt: number): SentAttempt => ({
  arrival,
  attempt,
  sentUs: nowUs,
  isLost: false,
});

function serverOf(engine: Engine, { credential }: GatewayRequest, arrival: number): Node | null {
  const only = engine.nodes.length === 1 ? engine.nodes[0]! : null;
  if (only !== null && only.serves) return only;
  return engine.pick(credential ?? clientName(engine.plan, arrival));
}

function recordNow(
  engine: Engine,
  node: Node,
  request: GatewayRequest,
  arrival: number,
  attempt: number,
  outcome: RequestOutcome,
): void {
  const { refused, decision } = outcome;
  const sent = newAttempt(engine, arrival, attempt);
  const upstreamUs =
    engine.recorder === null
      ? 0
      : recordDecision(engine, engine.recorder, node, request, sent, outcome);
  if (refused !== null) engine.counts.refused++;
  if (takesTurns(engine, arrival))
    afterResponse(engine, sent, outcome, (decision?.delayUs ?? 0) + upstreamUs);
  else if (refused !== null) tryAgain(engine, arrival, attempt, outcome);
}

/** Records a decision. Returns the microseconds that the upstream takes. */
function recordDecision(
  engine: Engine,
  recorder: Recorder,
  node: Node,
  request: GatewayRequest,
  sent: SentAttempt,
  outcome: RequestOutcome,
): number {
  const { nowUs: toUs, environment, random } = engine;
  const fromUs = toUs;
  const { before: commandsBefore, all } = spentAt(engine, node, outcome);
  const commandsAll = all + shadowsCost(engine, node, request, outcome);
  const upstreamUs = outcome.refused === null ? sample(environment.upstreamUs, random.upstream) : 0;
  const order = engine.decided++;
  if (recorder.isBrief && !engine.gatewaysEnd && (outcome.decision?.delayUs ?? 0) === 0) {
    const answeredUs = toUs + upstreamUs;
    recordAttempt(recorder, sent, { outcome, toUs, order, commandsAll }, answeredUs);
    return upstreamUs;
  }
  const stampUs = stampOf(node, engine);
  const fleet = gatewaysAt(node.gateway.limiter, micros(EPOCH_US + stampUs));
  const { index: gateway } = node;
  const it = { outcome, toUs, order, commandsAll, gateway, fleet, fromUs, stampUs, commandsBefore };
  respondInTurn(engine, node, sent, it, upstreamUs, 0);
  noteAllowances(engine, outcome, fleet);
  return upstreamUs;
}

// ---------------------------------------------------------------- requests that take time

/** A request in flight, which others may overtake. */
interface Flight extends SentAttempt {
  readonly engine: Engine;
  readonly node: Node;
  readonly request: GatewayRequest;
  beginning: OneOperation | InSteps | null; // null until the request has arrived
  sent: Sent | null; // null until the current evaluation needs a store
  decided: Decided | null; // null until a store has decided the request
  commands: number;
}

/** The time at which a request was sent to the store, and the state of its gateway at that time. */
interface Sent {
  readonly atUs: number;
  readonly stampUs: Micros; // on the gateway's clock
  readonly fleet: number; // number of gateways that the request's gateway counted as active
}

/** The time span of a decision, and its position in the order of all decisions. */
interface Decided {
  readonly fromUs: number;
  readonly toUs: number;
  readonly order: number;
}

function newFlight(
  engine: Engine,
  node: Node,
  request: GatewayRequest,
  arrival: number,
  attempt: number,
): Flight {
  node.inFlight++;
  const flight: Flight = {
    arrival,
    attempt,
    sentUs: engine.nowUs,
    isLost: false,
    engine,
    node,
    request,
    beginning: null,
    sent: null,
    decided: null,
    commands: 0,
  };
  if (engine.gatewaysEnd) node.underWay.add(flight);
  return flight;
}

/** Sends an attempt that may take time to arrive. Unlike the immediate path, it always allocates a flight. */
function sendOverNetwork(
  engine: Engine,
  node: Node,
  request: GatewayRequest,
  arrival: number,
  attempt: number,
): void {
  const flight = newFlight(engine, node, request, arrival, attempt);
  const networkUs = sample(engine.environment.networkUs, engine.random.network);
  if (networkUs === 0) arrive(flight);
  else later(engine, networkUs, arrive, flight);
}

function arrive(flight: Flight): void {
  const { node, request, isLost } = flight;
  if (!isLost) proceed(flight, node.rules?.(request) ?? begin(node.gateway, request));
}

function proceed(flight: Flight, beginning: Beginning): void {
  if (beginning.kind === "done") {
    complete(flight, beginning);
    return;
  }
  flight.beginning = beginning;
  if (beginning.kind === "operation") sendToStore(flight, beginning);
  else resume(flight, beginning, beginning.steps.next());
}

function sendToStore(flight: Flight, op: StoreOp): void {
  const { engine, node } = flight;
  const { storeTransaction, storeTimeoutUs } = optionsOf(node.gateway.limiter);
  flight.commands += account(engine.remote, op, storeTransaction);
  if (engine.recorder !== null) flight.sent ??= describeSending(flight);
  send(engine, op, storeTimeoutUs, flight, receive);
}

const describeSending = ({ engine, node }: Flight): Sent => ({
  atUs: engine.nowUs,
  stampUs: stampOf(node, engine),
  fleet: gatewaysAt(node.gateway.limiter, node.gateway.clock()),
});

function resume(
  flight: Flight,
  { steps }: InSteps,
  step: IteratorResult<Effect, RequestOutcome>,
): void {
  const { engine, node } = flight;
  let next = step;
  while (next.done !== true) {
    const effect = next.value;
    if (effect.op === "sleep") {
      flight.sent = flight.decided = null; // the request is evaluated again after the wait
      later(engine, effect.us, wake, flight);
      return;
    }
    if (!engine.isImmediate) {
      sendToStore(flight, effect);
      return;
    }
    const { limiter } = node.gateway;
    const { storeTransaction } = optionsOf(limiter);
    const { nowUs } = engine;
    flight.commands += account(engine.remote, effect, storeTransaction);
    flight.sent ??= describeSending(flight);
    flight.decided = { fromUs: nowUs, toUs: nowUs, order: engine.decided++ };
    const answer = performNow(limiter.localStore, effect);
    flight.commands += settleAccount(engine.remote, effect, storeTransaction, answer);
    next = steps.next(answer);
  }
  complete(flight, next.value);
}

function wake(flight: Flight): void {
  if (!flight.isLost) continueWith(flight, { failed: "error" });
}

function receive({ asker: flight, op, answer, fromUs, toUs, order }: SentOperation<Flight>): void {
  if (flight.isLost) return;
  const { gateway } = flight.node;
  updateHealth(gateway.limiter, hasFailed(answer), gateway.clock());
  const { storeTransaction } = optionsOf(gateway.limiter);
  flight.commands += settleAccount(flight.engine.remote, op, storeTransaction, answer);
  // Skips operations after the decision, which only refund or read values for headers.
  if (op.op === "pipeline" || (op.op === "take" && op.intent !== "evaluate"))
    flight.decided = { fromUs: flight.decided?.fromUs ?? fromUs, toUs, order };
  continueWith(flight, answer);
}

function continueWith(flight: Flight, answer: StoreResult): void {
  const { beginning, node } = flight;
  if (beginning === null) throw new Error("a reply to a request that has not arrived");
  if (beginning.kind === "steps") resume(flight, beginning, beginning.steps.next(answer));
  else complete(flight, finish(node.gateway, beginning, answer));
}

function complete(flight: Flight, outcome: RequestOutcome): void {
  const { engine, node } = flight;
  node.inFlight--;
  if (outcome.refused !== null) engine.counts.refused++;
  let commandsAll = flight.commands;
  for (const op of outcome.background) {
    const { storeTransaction } = optionsOf(node.gateway.limiter);
    commandsAll += account(engine.remote, op, storeTransaction);
    performInBackground(engine, node, outcome, op);
  }
  const backUs = sample(engine.environment.networkUs, engine.random.network);
  let upstreamUs = 0;
  if (engine.recorder !== null) {
    if (outcome.refused === null)
      upstreamUs = sample(engine.environment.upstreamUs, engine.random.upstream);
    const { stampUs, fleet } = flight.sent ?? describeSending(flight);
    const { fromUs, toUs, order } = whenDecided(flight, outcome);
    const decided = {
      outcome,
      toUs,
      order,
      gateway: node.index,
      fleet,
      fromUs,
      stampUs,
      commandsBefore: flight.commands,
      commandsAll,
    };
    respondInTurn(engine, node, flight, decided, upstreamUs, backUs);
    noteAllowances(engine, outcome, fleet);
  } else node.underWay.delete(flight);
  const { arrival, attempt } = flight;
  if (takesTurns(engine, arrival)) {
    const delayUs = outcome.decision?.delayUs ?? 0;
    afterResponse(engine, flight, outcome, delayUs + upstreamUs + backUs);
  } else if (outcome.refused !== null && behaviourOf(engine, arrival).kind !== "ignore")
    later(engine, backUs, () => tryAgain(engine, arrival, attempt, outcome), undefined);
}

/** The time span of the decision: the store's if the store decides every level, else a span that ends now. */
function whenDecided(
  { engine, node, sent, decided }: Flight,
  { decision, resolved }: RequestOutcome,
): Decided {
  const isFallback = decision?.fallback === true;
  if (decided !== null && !isFallback) {
    const { levels } = prepare(node.gateway.limiter, resolved!, node.gateway.clock());
    if (levels.every(({ place }) => place !== "gateway")) return decided;
  }
  const { nowUs } = engine;
  const fromUs = sent === null || isFallback ? nowUs : sent.atUs;
  return { fromUs, toUs: nowUs, order: engine.decided++ };
}

function performInBackground(
  engine: Engine,
  node: Node,
  outcome: RequestOutcome,
  op: StoreOp,
): void {
  const { gateway, generation } = node;
  const { limiter } = gateway;
  if (engine.isImmediate) {
    onBackgroundReply(gateway, outcome, op, performNow(limiter.localStore, op));
    return;
  }
  send(engine, op, optionsOf(limiter).storeTimeoutUs, null, ({ answer }) => {
    if (node.generation !== generation) return;
    updateHealth(limiter, hasFailed(answer), gateway.clock());
    if (!hasFailed(answer)) onBackgroundReply(gateway, outcome, op, answer);
  });
}

// ---------------------------------------------------------------- clients that try again

function tryAgain(engine: Engine, arrival: number, attempt: number, outcome: RequestOutcome): void {
  const waitUs = waitBeforeRetry(engine, behaviourOf(engine, arrival), attempt, outcome.decision);
  if (waitUs !== null) sendAgain(engine, arrival, attempt, waitUs);
}
