// Store operations of a serving gateway outside its traffic, over the store that it counts in.
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
  request: DryRunRequest,
  keys: KeySource | null = null,
): Promise<DryRun> {
  const { key, credential } = request;
  if (keys === null || (key === null && credential === null))
    return runSteps(gateway, store, dryRun(gateway, request));
  const knownCredential = key === null ? credential : await keys.credentialOf(key);
  if (knownCredential !== null && !keys.isKnown(knownCredential))
    await loadKey(keys, knownCredential);
  const byCredential = { ...request, key: null, credential: knownCredential ?? UNKNOWN_CREDENTIAL };
  return runSteps(gateway, store, dryRun(gateway, byCredential));
}

const loadKey = (keys: KeySource, credential: string): Promise<void> =>
  new Promise((resolve, reject) =>
    keys.lookUp(credential, (failure) => (failure === null ? resolve() : reject(failure))),
  );

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
