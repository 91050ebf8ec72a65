// One request on its way: client, network, gateway, store, upstream, and back to a client that may try
// again.
import { sample } from "../core/distribution.ts";
import { retryAfterSeconds } from "../core/decision.ts";
import { gatewaysAt, optionsOf, prepare } from "../core/limiter.ts";
import { answerNow } from "../core/sequence.ts";
import { noteAnswer } from "../core/steps.ts";
import type { Answer, StoreOp } from "../core/store.ts";
import { micros, SECOND, type Micros } from "../core/units.ts";
import { hasFailed } from "../core/store.ts";
import {
  handle,
  handleNow,
  sayChanges,
  type Effect,
  type Handled,
  type Outcome,
  type Request,
} from "../gateway/handle.ts";
import type { Behaviour } from "../scenario/types.ts";
import { EPOCH_US, later, stampOf, type Engine, type Node } from "./engine.ts";
import { billOf, LAST_READ } from "./cost.ts";
import { record, type Attempt, type Decided } from "./recorder.ts";
import { send } from "./remote-store.ts";
import { account, charge } from "./store-state.ts";
import { noteAllowances } from "./gauges.ts";

const PASSED = 200;

/** Sends one attempt. Where nothing takes time, it is over when this returns. */
export function sendAttempt(engine: Engine, sent: Attempt): void {
  const request = engine.requestOf(sent.flow, sent.client);
  const node = serverOf(engine, request, sent);
  engine.counts.requests++;
  if (node === null) {
    engine.counts.unanswered++;
    return;
  }
  if (engine.isImmediate) {
    const outcome = handleNow(node.gateway, request);
    if (outcome !== null) {
      decidedNow(engine, node, sent, outcome);
      return;
    }
  }
  sendOverNetwork(engine, node, request, sent);
}

/** Apart from the short way, which makes nothing that outlives it. */
function sendOverNetwork(engine: Engine, node: Node, request: Request, sent: Attempt): void {
  node.inFlight++;
  const { generation } = node;
  const networkUs = sample(engine.environment.networkUs, engine.random.network);
  const arrive = (): void => {
    if (!lost(engine, node, generation)) run(engine, node, request, sent);
  };
  if (networkUs === 0) arrive();
  else later(engine, networkUs, arrive);
}

function serverOf(engine: Engine, { credential }: Request, { flow, client }: Attempt): Node | null {
  const only = engine.nodes.length === 1 ? engine.nodes[0]! : null;
  return only !== null && only.serves ? only : engine.pick(credential ?? `${flow}/${client}`);
}

/** A gateway that has gone, or has started anew, answers nothing that it had under way. */
function lost(engine: Engine, node: Node, generation: number): boolean {
  if (node.generation === generation) return false;
  engine.counts.unanswered++;
  return true;
}

function decidedNow(engine: Engine, node: Node, sent: Attempt, outcome: Outcome): void {
  const { nowUs } = engine;
  const { refused } = outcome;
  if (engine.recorder !== null) {
    const { before, all } = spentAt(engine, node, outcome);
    const upstreamUs =
      refused === null ? sample(engine.environment.upstreamUs, engine.random.upstream) : 0;
    record(engine.recorder, sent, {
      outcome,
      gateway: node.index,
      fleet: gatewaysAt(node.gateway.limiter, micros(EPOCH_US + stampOf(node, engine))),
      fromUs: nowUs,
      toUs: nowUs,
      stampUs: stampOf(node, engine),
      answeredUs: nowUs + upstreamUs,
      status: refused?.status ?? PASSED,
      order: engine.decided++,
      commandsBefore: before,
      commandsAll: all,
    });
    noteAllowances(engine, outcome);
  }
  if (refused === null) return;
  engine.counts.refused++;
  tryAgain(engine, sent, outcome);
}

/** What the same request would have cost a store on the network. */
function spentAt(
  engine: Engine,
  node: Node,
  { resolved, decision }: Outcome,
): { readonly before: number; readonly all: number } {
  if (resolved === null || decision === null) return NOTHING;
  const { limiter } = node.gateway;
  const prepared = prepare(limiter, resolved, node.gateway.clock());
  let bill = engine.bills.get(prepared);
  if (bill === undefined)
    engine.bills.set(prepared, (bill = billOf(prepared, optionsOf(limiter).storeTransaction)));
  const isPipelineSpent =
    decision.level?.algorithm === "non_transactional" && decision.remaining === 0;
  const before =
    bill.before + bill.inner + (isPipelineSpent ? charge(engine.remote, LAST_READ) : 0);
  let all = before;
  for (const index of prepared.sentinels) {
    if (decision.refused === null || prepared.levels[index] === decision.level)
      all += charge(engine.remote, bill.mark);
  }
  engine.remote.commands += bill.before;
  engine.remote.inner += bill.inner;
  engine.remote.roundTrips += bill.roundTrips;
  return { before, all };
}

const NOTHING = { before: 0, all: 0 };

// ---------------------------------------------------------------- the long way

/** A gateway's clock and its count of gateways as it asks: the answer comes later and knows neither. */
interface Asking {
  readonly atUs: number;
  readonly stampUs: Micros;
  readonly fleet: number;
}

interface Process {
  readonly engine: Engine;
  readonly node: Node;
  readonly generation: number;
  readonly steps: Generator<Effect, Handled, Answer>;
  readonly sent: Attempt;
  fromUs: number;
  toUs: number;
  order: number;
  asked: Asking | null; // null: nothing was asked of a store
  commands: number;
}

function run(engine: Engine, node: Node, request: Request, sent: Attempt): void {
  const steps = handle(node.gateway, request);
  const process: Process = {
    engine,
    node,
    generation: node.generation,
    steps,
    sent,
    fromUs: -1,
    toUs: -1,
    order: -1,
    asked: null,
    commands: 0,
  };
  resume(process, steps.next());
}

function resume(process: Process, step: IteratorResult<Effect, Handled>): void {
  const { engine, node, steps } = process;
  let next = step;
  for (;;) {
    if (next.done === true) {
      finish(process, next.value);
      return;
    }
    const effect = next.value;
    if (effect.op === "sleep") {
      process.asked = null; // it will be judged anew
      process.fromUs = process.toUs = -1;
      later(engine, effect.us, () => {
        if (!lost(engine, node, process.generation))
          resume(process, steps.next({ failed: "error" }));
      });
      return;
    }
    process.commands += account(
      engine.remote,
      effect,
      optionsOf(node.gateway.limiter).storeTransaction,
    );
    process.asked ??= asking(engine, node);
    if (!engine.isImmediate) {
      ask(process, effect);
      return;
    }
    process.fromUs = process.toUs = engine.nowUs;
    process.order = engine.decided++;
    next = steps.next(answerNow(node.gateway.limiter.atHand, effect));
  }
}

const asking = (engine: Engine, node: Node): Asking => ({
  atUs: engine.nowUs,
  stampUs: stampOf(node, engine),
  fleet: gatewaysAt(node.gateway.limiter, node.gateway.clock()),
});

/** When a request was decided, as an interval in which it must have fallen, and its place among its equals. */
function decidedAt(process: Process, outcome: Outcome): Pick<Decided, "fromUs" | "toUs" | "order"> {
  const { engine, node, asked, fromUs, toUs, order } = process;
  const { nowUs } = engine;
  if (asked === null || outcome.decision?.fallback === true)
    return { fromUs: nowUs, toUs: nowUs, order: engine.decided++ };
  // By what is counted here, though the store was asked how long the others would have to wait.
  if (toUs < 0) return { fromUs: asked.atUs, toUs: nowUs, order: engine.decided++ };
  const { limiter } = node.gateway;
  const resolved = outcome.resolved!;
  const { levels } = prepare(limiter, resolved, node.gateway.clock());
  const isMixed = levels.some(({ place }) => place === "gateway");
  return { fromUs: isMixed ? asked.atUs : fromUs, toUs, order };
}

function ask(process: Process, op: StoreOp): void {
  const { engine, node, steps } = process;
  const { limiter } = node.gateway;
  send(engine, op, optionsOf(limiter).storeTimeoutUs, ({ answer, fromUs, toUs, order }) => {
    if (lost(engine, node, process.generation)) return;
    noteAnswer(limiter, hasFailed(answer), node.gateway.clock());
    // Only what spends or judges decides; giving back and asking on behalf of headers come after it.
    if (op.op === "pipeline" || (op.op === "take" && op.intent !== "ask")) {
      process.fromUs = process.fromUs < 0 ? fromUs : process.fromUs;
      process.toUs = toUs;
      process.order = order;
    }
    resume(process, steps.next(answer));
  });
}

function finish(process: Process, { outcome, behind }: Handled): void {
  const { engine, node, sent } = process;
  const { limiter } = node.gateway;
  const options = optionsOf(limiter);
  node.inFlight--;
  if (outcome.refused !== null) engine.counts.refused++;
  let commandsAll = process.commands;
  for (const op of behind) {
    commandsAll += account(engine.remote, op, options.storeTransaction);
    writeBehind(process, outcome, op);
  }
  const backUs = sample(engine.environment.networkUs, engine.random.network);
  const upstreamUs =
    outcome.refused === null ? sample(engine.environment.upstreamUs, engine.random.upstream) : 0;
  const answeredUs = engine.nowUs + upstreamUs + backUs;
  if (engine.recorder !== null) {
    const { stampUs, fleet } = process.asked ?? asking(engine, node);
    record(engine.recorder, sent, {
      outcome,
      gateway: node.index,
      fleet,
      ...decidedAt(process, outcome),
      stampUs,
      answeredUs,
      status: outcome.refused?.status ?? PASSED,
      commandsBefore: process.commands,
      commandsAll,
    });
    noteAllowances(engine, outcome);
  }
  if (outcome.refused !== null && behaviourOf(engine, sent).kind !== "ignore")
    later(engine, backUs, () => tryAgain(engine, sent, outcome));
}

function writeBehind({ engine, node, generation }: Process, outcome: Outcome, op: StoreOp): void {
  const { limiter } = node.gateway;
  if (engine.isImmediate) {
    sayChanges(node.gateway, outcome, answerNow(limiter.atHand, op).changes);
    return;
  }
  send(engine, op, optionsOf(limiter).storeTimeoutUs, ({ answer }) => {
    if (node.generation !== generation) return;
    noteAnswer(limiter, hasFailed(answer), node.gateway.clock());
    if (!hasFailed(answer)) sayChanges(node.gateway, outcome, answer.changes);
  });
}

// ---------------------------------------------------------------- clients that try again

const behaviourOf = (engine: Engine, sent: Attempt): Behaviour =>
  engine.plan.flows[sent.flow]!.behaviour;

function tryAgain(engine: Engine, sent: Attempt, outcome: Outcome): void {
  const waitUs = waitBeforeRetry(engine, sent, outcome);
  if (waitUs === null) return;
  later(engine, waitUs, () =>
    sendAttempt(engine, { ...sent, sentUs: engine.nowUs, attempt: sent.attempt + 1 }),
  );
}

function waitBeforeRetry(engine: Engine, sent: Attempt, outcome: Outcome): number | null {
  const behaviour = behaviourOf(engine, sent);
  if (behaviour.kind === "ignore" || sent.attempt + 1 >= behaviour.maxAttempts) return null;
  if (behaviour.kind === "backoff") {
    const us = behaviour.baseUs * behaviour.factor ** sent.attempt;
    return us * (1 + behaviour.jitter * (2 * engine.random.clients.next() - 1));
  }
  const seconds = outcome.decision === null ? null : retryAfterSeconds(outcome.decision);
  return seconds === null ? null : seconds * SECOND;
}
