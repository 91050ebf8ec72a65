// From a request to its outcome, with whatever store there is: one in this process answers at once, one
// elsewhere later, and a throttled request sleeps in between (LIM-C9).
import { optionsOf } from "../../core/limiter.ts";
import { answerNow } from "../../core/sequence.ts";
import { noteAnswered } from "../../core/steps.ts";
import { hasFailed, type Answer, type StoreOp } from "../../core/store.ts";
import { toMilliseconds } from "../../core/units.ts";
import {
  handle,
  handleAnswer,
  handleAsking,
  handleNow,
  type Effect,
  type Handled,
} from "../handle.ts";
import type { Gateway } from "../gateway.ts";
import { UNDECIDED, type Outcome, type Request } from "../outcome.ts";
import { hearBehind } from "../shadow.ts";
import type { RemoteStore } from "../../store/remote.ts";

/** The client has gone: a throttled request stops waiting (LIM-C9), and may never be answered. */
export type Leave = () => void;

/** Calls `done` once, at once where the store is at hand. Null: this request never sleeps. */
export function decide(
  gateway: Gateway,
  store: RemoteStore | null,
  request: Request,
  done: (outcome: Outcome) => void,
): Leave | null {
  if (store === null) {
    const outcome = handleNow(gateway, request);
    if (outcome === null) return walk(gateway, store, request, done);
    done(outcome);
    return null;
  }
  const asking = handleAsking(gateway, request);
  if (asking === null) return walk(gateway, store, request, done);
  if ("background" in asking) {
    finish(gateway, store, asking, done);
    return null;
  }
  ask(gateway, store, asking, (answer) =>
    finish(gateway, store, handleAnswer(gateway, asking, answer), done),
  );
  return null;
}

function ask(
  gateway: Gateway,
  store: RemoteStore,
  op: StoreOp,
  hear: (answer: Answer) => void,
): void {
  const { limiter } = gateway;
  store.ask(op, optionsOf(limiter).storeTimeoutUs, (answer) => {
    noteAnswered(limiter, answer, gateway.clock());
    hear(answer);
  });
}

/** The long way, step by step. Who leaves while the store is asked is counted all the same (LIM-C12). */
function walk(
  gateway: Gateway,
  store: RemoteStore | null,
  request: Request,
  done: (outcome: Outcome) => void,
): Leave {
  const steps = handle(gateway, request);
  let sleeping: NodeJS.Timeout | null = null;
  let hasLeft = false;
  const go = (answer: Answer): void => {
    sleeping = null;
    let next = steps.next(answer);
    while (next.done !== true) {
      const effect: Effect = next.value;
      if (effect.op === "sleep") {
        if (hasLeft) steps.return(NOTHING);
        else sleeping = setTimeout(go, toMilliseconds(effect.us), AWAKE);
        return;
      }
      if (store !== null) {
        ask(gateway, store, effect, go);
        return;
      }
      next = steps.next(answerNow(gateway.limiter.atHand, effect));
    }
    finish(gateway, store, next.value, done);
  };
  go(AWAKE);
  return () => {
    hasLeft = true;
    if (sleeping === null) return;
    clearTimeout(sleeping);
    steps.return(NOTHING);
  };
}

/** Nobody looks at the answer to a sleep. */
const AWAKE: Answer = { failed: "error" };

/** What a request comes to whose client has left; nobody looks at this either. */
const NOTHING: Handled = { outcome: UNDECIDED, background: [] };

function finish(
  gateway: Gateway,
  store: RemoteStore | null,
  { outcome, background }: Handled,
  done: (outcome: Outcome) => void,
): void {
  done(outcome);
  for (const op of background) {
    if (store === null) hearBehind(gateway, outcome, op, answerNow(gateway.limiter.atHand, op));
    else
      ask(gateway, store, op, (answer) => {
        if (!hasFailed(answer)) hearBehind(gateway, outcome, op, answer);
      });
  }
}
