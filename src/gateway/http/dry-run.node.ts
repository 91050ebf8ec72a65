// What is asked of a gateway that serves, beside its traffic: over the store that it counts in, wherever that is.
import { optionsOf } from "../../core/limiter.ts";
import { performNow } from "../../core/sequence.ts";
import { updateHealthByResult } from "../../core/steps.ts";
import type { StoreResult, Steps } from "../../core/store.ts";
import { dryRun, UNKNOWN_CREDENTIAL, type DryRun, type DryRunRequest } from "../dry-run.ts";
import type { Gateway } from "../gateway.ts";
import type { KeySource } from "./ways.node.ts";
import type { RemoteStore } from "../../store/remote.ts";

export async function runDry(
  gateway: Gateway,
  store: RemoteStore | null,
  asked: DryRunRequest,
  keys: KeySource | null = null,
): Promise<DryRun> {
  const { key, credential } = asked;
  if (keys === null || (key === null && credential === null))
    return answerOf(gateway, store, dryRun(gateway, asked));
  const shown = key === null ? credential : await keys.credentialOf(key);
  if (shown !== null && !keys.isKnown(shown)) await learnt(keys, shown);
  const byCredential = { ...asked, key: null, credential: shown ?? UNKNOWN_CREDENTIAL };
  return answerOf(gateway, store, dryRun(gateway, byCredential));
}

const learnt = (keys: KeySource, credential: string): Promise<void> =>
  new Promise((resolve, reject) =>
    keys.lookUp(credential, (failure) => (failure === null ? resolve() : reject(failure))),
  );

export async function answerOf<T>(
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
    const answer = await new Promise<StoreResult>((hear) => store.send(op, timeoutUs, hear));
    updateHealthByResult(limiter, answer, gateway.clock());
    next = steps.next(answer);
  }
  return next.value;
}
