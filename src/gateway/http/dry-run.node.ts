// A dry run on a serving gateway, which may have to look up the key first.
import { dryRun, UNKNOWN_CREDENTIAL, type DryRun, type DryRunRequest } from "../dry-run.ts";
import type { Gateway } from "../gateway.ts";
import { runSteps } from "./run-steps.ts";
import type { KeySource } from "./ways.node.ts";
import type { RemoteStore } from "../../limiter/store/remote.ts";

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
