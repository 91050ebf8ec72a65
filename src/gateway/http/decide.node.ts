// Decides a request over any store: a local store replies at once, a remote one later, and a throttled request sleeps
// between its store operations (LIM-C9).
import { optionsOf } from "../../limiter/core/limiter.ts";
import { performNow } from "../../limiter/core/sequence.ts";
import { updateHealthByResult } from "../../limiter/core/steps.ts";
import { hasFailed, type StoreResult, type StoreOp } from "../../limiter/core/store.ts";
import { toMilliseconds } from "../../kit/units.ts";
import { begin, finish, type InSteps } from "../begin.ts";
import type { Gateway, RequestTarget } from "../gateway.ts";
import { UNDECIDED, type RequestOutcome, type GatewayRequest } from "../outcome.ts";
import { onBackgroundReply } from "../shadow.ts";
import type { RemoteStore } from "../../limiter/store/remote.ts";

/** To call when the client has disconnected: a throttled request stops waiting (LIM-C9), and may get no response. */
export type Leave = () => void;

/** Calls `done` once; with a local store, before `decide` returns. Returns null if the request never sleeps. */
export function decide(
  gateway: Gateway,
  store: RemoteStore | null,
  request: GatewayRequest,
  target: RequestTarget | null,
  done: (outcome: RequestOutcome) => void,
): Leave | null {
  const beginning = begin(gateway, request, target);
  switch (beginning.kind) {
    case "done":
      complete(gateway, store, beginning, done);
      return null;
    case "operation":
      perform(gateway, store, beginning, (answer) =>
        complete(gateway, store, finish(gateway, beginning, answer), done),
      );
      return null;
    case "steps":
      return walk(gateway, store, beginning, done);
  }
}

function perform(
  gateway: Gateway,
  store: RemoteStore | null,
  op: StoreOp,
  receive: (answer: StoreResult) => void,
): void {
  const { limiter } = gateway;
  if (store === null) {
    receive(performNow(limiter.localStore, op));
    return;
  }
  store.send(op, optionsOf(limiter).storeTimeoutUs, (answer) => {
    updateHealthByResult(limiter, answer, gateway.clock());
    receive(answer);
  });
}

/** Decides a request in steps. If its client leaves during a store operation, the request still spends (LIM-C12). */
function walk(
  gateway: Gateway,
  store: RemoteStore | null,
  { steps }: InSteps,
  done: (outcome: RequestOutcome) => void,
): Leave {
  let sleeping: NodeJS.Timeout | null = null;
  let hasLeft = false;
  const go = (answer: StoreResult): void => {
    sleeping = null;
    const next = steps.next(answer);
    if (next.done === true) {
      complete(gateway, store, next.value, done);
      return;
    }
    const effect = next.value;
    if (effect.op !== "sleep") perform(gateway, store, effect, go);
    else if (hasLeft) steps.return(UNDECIDED);
    else sleeping = setTimeout(go, toMilliseconds(effect.us), AWAKE);
  };
  go(AWAKE);
  return () => {
    hasLeft = true;
    if (sleeping === null) return;
    clearTimeout(sleeping);
    steps.return(UNDECIDED);
  };
}

/** The result of a sleep, which the generator never reads. */
const AWAKE: StoreResult = { failed: "error" };

function complete(
  gateway: Gateway,
  store: RemoteStore | null,
  outcome: RequestOutcome,
  done: (outcome: RequestOutcome) => void,
): void {
  done(outcome);
  for (const op of outcome.background)
    perform(gateway, store, op, (answer) => {
      if (!hasFailed(answer)) onBackgroundReply(gateway, outcome, op, answer);
    });
}
