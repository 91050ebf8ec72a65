// Performs the store operations of work other than serving a request, on the store of the gateway.
import { optionsOf } from "../../limiter/core/limiter.ts";
import { performNow } from "../../limiter/core/sequence.ts";
import { updateHealthByResult } from "../../limiter/core/steps.ts";
import type { StoreResult, Steps } from "../../limiter/core/store.ts";
import type { RemoteStore } from "../../limiter/store/remote.ts";
import type { Gateway } from "../gateway.ts";

export async function runSteps<T>(
  gateway: Gateway,
  store: RemoteStore | null,
  steps: Steps<T>,
): Promise<T> {
  const { limiter } = gateway;
  let next = steps.next();
  while (next.done !== true) {
    const op = next.value;
    if (store === null) {
      next = steps.next(performNow(limiter.localStore, op));
      continue;
    }
    const timeoutUs = optionsOf(limiter).storeTimeoutUs;
    const answer = await new Promise<StoreResult>((resolve) => store.send(op, timeoutUs, resolve));
    updateHealthByResult(limiter, answer, gateway.clock());
    next = steps.next(answer);
  }
  return next.value;
}
