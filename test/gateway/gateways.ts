import { dryRun, type DryRun, type DryRunRequest } from "#src/gateway/dry-run.ts";
// A gateway with a local store and a clock set by hand, and all of its requests in few words.
import type { LimiterEvent } from "#src/limiter/core/events.ts";
import { limiter, LOCAL_STORE_TRAITS } from "#src/limiter/core/limiter.ts";
import { performNow } from "#src/limiter/core/sequence.ts";
import type { StoreResult } from "#src/limiter/core/store.ts";
import { secondsToMicros } from "#src/kit/units.ts";
import { begin as beginRequest, decideInSteps, type Effect } from "#src/gateway/begin.ts";
import { gateway, type Gateway } from "#src/gateway/gateway.ts";
import type { RequestOutcome, GatewayRequest } from "#src/gateway/outcome.ts";
import { reachesLimiter, route } from "#src/gateway/route.ts";
import { onBackgroundReply } from "#src/gateway/shadow.ts";
import { localStore, memoryStore } from "#src/limiter/store/memory.ts";
import { atUs, resolverOf } from "../limiter/core/limiters.ts";

export interface GatewayRig {
  readonly gateway: Gateway;
  readonly events: LimiterEvent[];
  seconds: number;
}

export function gatewayOf(raw: unknown, store = LOCAL_STORE_TRAITS): GatewayRig {
  const events: LimiterEvent[] = [];
  const hand = localStore(memoryStore(), memoryStore());
  const made: GatewayRig = {
    events,
    seconds: 0,
    gateway: gateway(
      limiter(resolverOf(raw), hand, store, (event) => void events.push(event)),
      () => atUs(made.seconds),
    ),
  };
  return made;
}

export const request = (
  credential: string | null,
  target = "/orders",
  method = "GET",
): GatewayRequest => ({
  method,
  target,
  credential,
});

/** Sends at `seconds`; a request that may have to wait is an error of the test. */
export function send(on: GatewayRig, seconds: number, sent: GatewayRequest): RequestOutcome {
  on.seconds = seconds;
  const outcome = beginRequest(on.gateway, sent);
  if (outcome.kind !== "done") throw new Error("the request may have to wait: use begin");
  return outcome;
}

/** A request in steps, also where one call could decide it. */
export function* inSteps(
  gateway: Gateway,
  sent: GatewayRequest,
): Generator<Effect, RequestOutcome, StoreResult> {
  const found = route(gateway, sent, gateway.clock());
  return reachesLimiter(found) ? yield* decideInSteps(gateway, sent, found) : found;
}

export interface Waiting {
  /** Seconds that it wants to sleep next; null once it is over. */
  readonly sleeps: () => number | null;
  readonly wake: (seconds: number) => void;
  readonly outcome: () => RequestOutcome;
}

/** Sends by the long way, up to its first sleep; `wake` takes it to the next. */
export function begin(on: GatewayRig, seconds: number, sent: GatewayRequest): Waiting {
  on.seconds = seconds;
  const steps = inSteps(on.gateway, sent);
  let sleeps: number | null = null;
  let outcome: RequestOutcome | null = null;
  const go = (): void => {
    let next = steps.next({ failed: "error" });
    while (next.done !== true && next.value.op !== "sleep")
      next = steps.next(performNow(on.gateway.limiter.localStore, next.value));
    if (next.done !== true) {
      sleeps = next.value.op === "sleep" ? next.value.us / secondsToMicros(1) : null;
      return;
    }
    sleeps = null;
    outcome = next.value;
    for (const op of outcome.background)
      onBackgroundReply(on.gateway, outcome, op, performNow(on.gateway.limiter.localStore, op));
  };
  go();
  return {
    sleeps: () => sleeps,
    wake: (now) => {
      on.seconds = now;
      go();
    },
    outcome: () => {
      if (outcome === null) throw new Error("it still waits");
      return outcome;
    },
  };
}

/** Over a local store. */
export function dryRunNow(gateway: Gateway, request: DryRunRequest): DryRun {
  const steps = dryRun(gateway, request);
  let next = steps.next();
  while (next.done !== true) next = steps.next(performNow(gateway.limiter.localStore, next.value));
  return next.value;
}
