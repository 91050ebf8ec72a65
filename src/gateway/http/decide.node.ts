// From a request to its outcome over any store: a local one replies at once, a remote one later, and a throttled request
// sleeps in between (LIM-C9).
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

/** The client has gone: a throttled request stops waiting (LIM-C9), and may never get a response. */
export type Leave = () => void;

/** Calls `done` once; over a local store before it returns. Null: this request never sleeps. */
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

/** Step by step. A client that leaves during a store operation is counted all the same (LIM-C12). */
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

/** The value of a sleep, which is never read. */
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
