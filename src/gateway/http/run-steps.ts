// Store operations of a gateway outside its traffic, over the store that it counts in.
import { optionsOf } from "../../core/limiter.ts";
import { performNow } from "../../core/sequence.ts";
import { updateHealthByResult } from "../../core/steps.ts";
import type { StoreResult, Steps } from "../../core/store.ts";
import type { RemoteStore } from "../../store/remote.ts";
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
