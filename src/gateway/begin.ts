// One way into a gateway without sockets. The simulator and the server both call `begin` and interpret what it returns;
// they differ only in how they perform store operations.
import type { Decision, DecisionDraft } from "../core/decision.ts";
import { decideNow, optionsOf, prepare, type DecisionInput } from "../core/limiter.ts";
import { decideByReply, decideLocally, decideSteps, type LimiterResult } from "../core/steps.ts";
import type { StoreResult, Intent, StoreOp, Take } from "../core/store.ts";
import type { Micros } from "../core/units.ts";
import type { Gateway, RequestTarget } from "./gateway.ts";
import type { Outcome, Request } from "./outcome.ts";
import { REFUSALS, type Refused } from "./refusals.ts";
import { reachesLimiter, route, type Route } from "./route.ts";
import { emitChanges, emitExceeded } from "./events.ts";
import { evaluateShadows, shadowOperations } from "./shadow.ts";
import { mayLookAgain, throttleOf } from "./throttle.ts";

/** One operation on a remote store decides the request: `finish` takes the reply. */
export interface OneOperation extends Take, DecisionInput {
  readonly kind: "operation";
  readonly route: Route;
  readonly request: Request;
}

/** The request needs several operations, or it may have to wait (LIM-C9). */
export interface InSteps {
  readonly kind: "steps";
  readonly steps: Generator<Effect, Outcome, StoreResult>;
}

export type Effect = StoreOp | { readonly op: "sleep"; readonly us: Micros };

export type Beginning = Outcome | OneOperation | InSteps;

/** Routes a request and decides it as far as that needs no remote store. `into` may be reused for the next request. */
export function begin(
  gateway: Gateway,
  request: Request,
  target: RequestTarget | null = null,
  into?: DecisionDraft,
): Beginning {
  const { limiter } = gateway;
  const nowUs = gateway.clock();
  const found = route(gateway, request, nowUs, target);
  if (!reachesLimiter(found)) return found;
  if (throttleOf(found) !== null)
    return { kind: "steps", steps: decideInSteps(gateway, request, found) };
  const prepared = prepare(limiter, found.resolved, nowUs);
  const { client } = found;
  if (!limiter.store.isRemote) {
    conclude(gateway, found, decideNow(limiter, prepared, client, nowUs, "spend", into), nowUs);
    if (gateway.shadows !== null && found.refused === null)
      evaluateShadows(gateway, request, found, nowUs);
    return found;
  }
  const question: DecisionInput = { prepared, client, atUs: nowUs, intent: "spend" };
  const decided = decideLocally(limiter, question);
  if (decided !== null) return complete(gateway, request, found, decided, nowUs);
  if (!prepared.isOneStep) return { kind: "steps", steps: decideInSteps(gateway, request, found) };
  const { levels, bound } = prepared;
  return { kind: "operation", op: "take", levels, bound, ...question, route: found, request };
}

/** Decides a request by the reply to its one operation. */
export function finish(gateway: Gateway, operation: OneOperation, answer: StoreResult): Outcome {
  const { route: found, request, atUs } = operation;
  const decided = decideByReply(gateway.limiter, operation, answer);
  return complete(gateway, request, found, decided, atUs);
}

/** Any beginning as steps, for a caller that makes no difference between them. */
export function* stepsOf(
  gateway: Gateway,
  beginning: Beginning,
): Generator<Effect, Outcome, StoreResult> {
  switch (beginning.kind) {
    case "done":
      return beginning;
    case "operation":
      return finish(gateway, beginning, yield beginning);
    case "steps":
      return yield* beginning.steps;
  }
}

/** Store operations take time and may fail; throttled requests sleep. */
export function* decideInSteps(
  gateway: Gateway,
  request: Request,
  found: Route,
): Generator<Effect, Outcome, StoreResult> {
  const { limiter } = gateway;
  const throttle = throttleOf(found);
  const background: StoreOp[] = [];
  let waitedUs = 0;
  let isFinal = false;
  for (let retries = 0; ; retries++) {
    const nowUs = gateway.clock();
    const mayWait =
      !isFinal &&
      throttle !== null &&
      mayLookAgain(throttle, retries, waitedUs) &&
      hasRoom(gateway, retries > 0);
    const intent: Intent = mayWait ? "try" : "spend";
    const prepared = prepare(limiter, found.resolved, nowUs);
    const decided = yield* decideSteps(limiter, {
      prepared,
      client: found.client,
      atUs: nowUs,
      intent,
    });
    const { decision } = decided;
    background.push(...decided.background);
    if (!mayWait || !isKeysRate(decision))
      return complete(gateway, request, found, { decision, background }, nowUs);
    emitChanges(gateway, found, decision.changes); // an allowance moves although the request waits
    // Others may have taken the last place meanwhile: then this request is decided at once, without waiting.
    isFinal = !hasRoom(gateway, retries > 0);
    if (isFinal) continue;
    gateway.waiting++;
    try {
      yield { op: "sleep", us: throttle.intervalUs };
    } finally {
      gateway.waiting--; // also when the client leaves meanwhile
    }
    waitedUs += throttle.intervalUs;
  }
}

/** A request that already waits keeps its place; a new one needs a free one. */
const hasRoom = (gateway: Gateway, isWaiting: boolean): boolean =>
  isWaiting || gateway.waiting < optionsOf(gateway.limiter).throttleMaxWaiting;

export const isKeysRate = ({ refused, level }: Decision): boolean =>
  refused === "rate" && level !== null && level.budget.scope.startsWith("key");

function complete(
  gateway: Gateway,
  request: Request,
  found: Route,
  { decision, background }: LimiterResult,
  nowUs: Micros,
): Outcome {
  conclude(gateway, found, decision, nowUs);
  found.background =
    gateway.shadows === null || found.refused !== null
      ? background
      : [...background, ...shadowOperations(gateway, request, found, nowUs)];
  return found;
}

function conclude(gateway: Gateway, found: Route, decision: Decision, nowUs: Micros): void {
  if (decision.changes.length > 0) emitChanges(gateway, found, decision.changes);
  found.decision = decision;
  if (decision.refused === null) return;
  if (decision.refused !== "store" && gateway.limiter.emit !== null)
    emitExceeded(gateway, found, decision, nowUs);
  found.refused = refusalBy(decision);
}

export function refusalBy({ refused, level }: Decision): Refused {
  if (refused === "quota") return REFUSALS.quota;
  if (refused === "store") return REFUSALS.store;
  return level !== null && level.budget.scope.startsWith("api")
    ? REFUSALS.apiRate
    : REFUSALS.keyRate;
}
