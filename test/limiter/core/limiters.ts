// A limiter over a local store, and its decisions, in few words.
import { type Client, ALL_CLIENTS } from "#src/limiter/core/client.ts";
import type { Decision } from "#src/limiter/core/decision.ts";
import type { LimiterEvent } from "#src/limiter/core/events.ts";
import {
  decideNow,
  limiter,
  LOCAL_STORE_TRAITS,
  prepare,
  type Limiter,
  type DecisionInput,
  type StoreTraits,
} from "#src/limiter/core/limiter.ts";
import { readConfiguration } from "#src/limiter/world/read.ts";
import {
  resolve,
  resolveKeyless,
  resolver,
  sessionOf,
} from "#src/limiter/core/resolve/resolver.ts";
import type { Resolved, Resolver } from "#src/limiter/core/resolve/resolved.ts";
import type { Intent } from "#src/limiter/core/store.ts";
import { micros, secondsToMicros } from "#src/kit/units.ts";
import type { Configuration } from "#src/limiter/core/config.ts";
import { localStore, memoryStore } from "#src/limiter/store/memory.ts";

/** A year into the epoch, so that no time is before its beginning. */
const START_US = micros(365 * 24 * 3600 * 1_000_000);
export const atUs = (seconds: number) => micros(START_US + secondsToMicros(seconds));

/** As of records, which may outlive the policies that they name. */
export function configurationOf(raw: unknown): Configuration {
  const { configuration, problems } = readConfiguration(raw, [], { keepsDangling: "policies" });
  if (configuration === null) throw new Error(JSON.stringify(problems));
  return configuration;
}

export const resolverOf = (raw: unknown): Resolver => resolver(configurationOf(raw));

export interface Setting {
  readonly store?: StoreTraits;
  readonly shared?: ReturnType<typeof memoryStore>;
}

export interface LimiterRig {
  readonly limiter: Limiter;
  readonly events: LimiterEvent[];
}

export function limiterOf(raw: unknown, setting: Setting = {}): LimiterRig {
  const events: LimiterEvent[] = [];
  const shared = setting.shared ?? memoryStore();
  return {
    events,
    limiter: limiter(
      resolverOf(raw),
      localStore(shared, memoryStore()),
      setting.store ?? LOCAL_STORE_TRAITS,
      (event) => void events.push(event),
    ),
  };
}

/** The budgets that a request with this credential meets at the first API; null: the API is keyless. */
export function met(
  { resolver: found }: { readonly resolver: Resolver },
  credential: string | null,
  path = "/",
  api = 0,
): { readonly resolved: Resolved; readonly client: Client } {
  const rules = found.apis[api]!;
  if (credential === null)
    return { resolved: resolveKeyless(found, rules, "GET", path), client: ALL_CLIENTS };
  const session = sessionOf(found, credential);
  if (session === null) throw new Error(`no key has the credential ${credential}`);
  const resolved = resolve(found, rules, session, "GET", path);
  if (resolved === null) throw new Error(`${credential} has no access`);
  return { resolved, client: session };
}

export function decide(
  on: Limiter,
  seconds: number,
  credential: string | null,
  path = "/",
  intent: Intent = "spend",
): Decision {
  const { resolved, client } = met(on, credential, path);
  return decideNow(on, prepare(on, resolved, atUs(seconds)), client, atUs(seconds), intent, 1);
}

export const inputOf = (
  on: Limiter,
  { resolved, client }: ReturnType<typeof met>,
  seconds: number,
  intent: Intent = "spend",
): DecisionInput => ({
  prepared: prepare(on, resolved, atUs(seconds)),
  client,
  atUs: atUs(seconds),
  intent,
  units: 1,
});
