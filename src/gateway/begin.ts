// The entry to a gateway, without sockets. The simulator and the server both call `begin` and interpret its result;
// they differ only in how they perform store operations.
import { isOfApi } from "../limiter/core/budget.ts";
import type { Decision, DecisionDraft } from "../limiter/core/decision.ts";
import { decideNow, optionsOf, prepare, type DecisionInput } from "../limiter/core/limiter.ts";
import {
  decideByReply,
  decideLocally,
  decideSteps,
  type LimiterResult,
} from "../limiter/core/steps.ts";
import type { StoreResult, Intent, StoreOp, Take } from "../limiter/core/store.ts";
import type { Micros } from "../kit/units.ts";
import type { Gateway, RequestTarget } from "./gateway.ts";
import type { RequestOutcome, GatewayRequest } from "./outcome.ts";
import { REFUSALS, type RefusalResponse } from "./refusals.ts";
import { reachesLimiter, route, type Route } from "./route.ts";
import { emitChanges, emitExceeded } from "./events.ts";
import { evaluateShadows, shadowOperations } from "./shadow.ts";
import { canTryAgain, throttleOf } from "./throttle.ts";

/** One operation on a remote store decides the request; `finish` takes the reply. */
export interface OneOperation extends Take, DecisionInput {
  readonly kind: "operation";
  readonly route: Route;
  readonly request: GatewayRequest;
}

/** The request needs several operations, or it may have to wait (LIM-C9). */
export interface InSteps {
  readonly kind: "steps";
  readonly steps: Generator<Effect, RequestOutcome, StoreResult>;
}

export type Effect = StoreOp | { readonly op: "sleep"; readonly us: Micros };

export type Beginning = RequestOutcome | OneOperation | InSteps;

/** Routes a request, and decides it unless it needs a remote store or throttling. `into` receives the decision. */
export function begin(
  gateway: Gateway,
  request: GatewayRequest,
  target: RequestTarget | null = null,
  into?: DecisionDraft,
): Beginning {
  const { limiter } = gateway;
  const nowUs = gateway.clock();
  const routed = route(gateway, request, nowUs, target);
  if (!reachesLimiter(routed)) return routed;
  if (throttleOf(routed) !== null)
    return { kind: "steps", steps: decideInSteps(gateway, request, routed) };
  const prepared = prepare(limiter, routed.resolved, nowUs);
  const { client, cost } = routed;
  if (!limiter.store.isRemote) {
    const decision = decideNow(limiter, prepared, client, nowUs, "spend", cost, into);
    conclude(gateway, routed, decision, nowUs);
    if (gateway.shadows !== null && routed.refused === null)
      evaluateShadows(gateway, request, routed, nowUs);
    return routed;
  }
  // Field by field, because spreading another object here takes several times as long.
  const operation: OneOperation = {
    kind: "operation",
    op: "take",
    levels: prepared.levels,
    bound: prepared.bound,
    prepared,
    client,
    atUs: nowUs,
    intent: "spend",
    units: cost,
    route: routed,
    request,
  };
  const decided = decideLocally(limiter, operation);
  if (decided !== null) return complete(gateway, request, routed, decided, nowUs);
  return prepared.isOneStep
    ? operation
    : { kind: "steps", steps: decideInSteps(gateway, request, routed) };
}

/** Decides a request by the reply to its one operation. */
export function finish(
  gateway: Gateway,
  operation: OneOperation,
  result: StoreResult,
): RequestOutcome {
  const { route: routed, request, atUs } = operation;
  const decided = decideByReply(gateway.limiter, operation, result);
  return complete(gateway, request, routed, decided, atUs);
}

/** Turns any beginning into steps, for callers that treat all beginnings alike. */
export function* stepsOf(
  gateway: Gateway,
  beginning: Beginning,
): Generator<Effect, RequestOutcome, StoreResult> {
  switch (beginning.kind) {
    case "done":
      return beginning;
    case "operation":
      return finish(gateway, beginning, yield beginning);
    case "steps":
      return yield* beginning.steps;
  }
}

/** Decides a request step by step: store operations take time and may fail, and throttled requests sleep. */
export function* decideInSteps(
  gateway: Gateway,
  request: GatewayRequest,
  routed: Route,
): Generator<Effect, RequestOutcome, StoreResult> {
  const { limiter } = gateway;
  const throttle = throttleOf(routed);
  const background: StoreOp[] = [];
  let waitedUs = 0;
  let isFinal = false;
  for (let retries = 0; ; retries++) {
    const nowUs = gateway.clock();
    const mayWait =
      !isFinal &&
      throttle !== null &&
      canTryAgain(throttle, retries, waitedUs) &&
      hasRoom(gateway, retries > 0);
    const intent: Intent = mayWait ? "try" : "spend";
    const prepared = prepare(limiter, routed.resolved, nowUs);
    const decided = yield* decideSteps(limiter, {
      prepared,
      client: routed.client,
      atUs: nowUs,
      intent,
      units: routed.cost,
    });
    const { decision } = decided;
    background.push(...decided.background);
    if (!mayWait || !isKeysRate(decision))
      return complete(gateway, request, routed, { decision, background }, nowUs);
    emitChanges(gateway, routed, decision.changes); // an allowance has changed even though the request waits
    // If another request has taken the last waiting place since `mayWait`, this request is decided without waiting.
    isFinal = !hasRoom(gateway, retries > 0);
    if (isFinal) continue;
    gateway.waiting++;
    try {
      yield { op: "sleep", us: throttle.intervalUs };
    } finally {
      gateway.waiting--; // also if the client disconnects while the request sleeps
    }
    waitedUs += throttle.intervalUs;
  }
}

/** A request that has waited before keeps its place to wait; a new one needs a free place. */
const hasRoom = (gateway: Gateway, isWaiting: boolean): boolean =>
  isWaiting || gateway.waiting < optionsOf(gateway.limiter).throttleMaxWaiting;

export const isKeysRate = ({ refused, level }: Decision): boolean =>
  refused === "rate" && level !== null && level.budget.scope.startsWith("key");

function complete(
  gateway: Gateway,
  request: GatewayRequest,
  routed: Route,
  { decision, background }: LimiterResult,
  nowUs: Micros,
): RequestOutcome {
  conclude(gateway, routed, decision, nowUs);
  routed.background =
    gateway.shadows === null || routed.refused !== null
      ? background
      : [...background, ...shadowOperations(gateway, request, routed, nowUs)];
  return routed;
}

function conclude(gateway: Gateway, routed: Route, decision: Decision, nowUs: Micros): void {
  if (decision.changes.length > 0) emitChanges(gateway, routed, decision.changes);
  routed.decision = decision;
  if (decision.refused === null) return;
  if (decision.refused !== "store" && gateway.limiter.emit !== null)
    emitExceeded(gateway, routed, decision, nowUs);
  routed.refused = refusalBy(decision);
}

export function refusalBy({ refused, level }: Decision): RefusalResponse {
  if (refused === "quota") return REFUSALS.quota;
  if (refused === "store") return REFUSALS.store;
  return level !== null && isOfApi(level.budget.scope) ? REFUSALS.apiRate : REFUSALS.keyRate;
}
