// A limiter over a store at hand, and what its clients ask it, in few words.
import { type Client, ALL_CLIENTS } from "../../src/core/client.ts";
import type { Decision } from "../../src/core/decision.ts";
import type { LimiterEvent } from "../../src/core/events.ts";
import {
  decideNow,
  limiter,
  LOCAL_STORE_TRAITS,
  prepare,
  type Limiter,
  type DecisionInput,
  type StoreTraits,
} from "../../src/core/limiter.ts";
import { readConfiguration } from "../../src/world/read.ts";
import { resolve, resolveKeyless, resolver, sessionOf } from "../../src/core/resolve/resolver.ts";
import type { Resolved, Resolver } from "../../src/core/resolve/resolved.ts";
import type { Intent } from "../../src/core/store.ts";
import { micros, secondsToMicros } from "../../src/core/units.ts";
import type { Configuration } from "../../src/core/config.ts";
import { localStore, memoryStore } from "../../src/store/memory.ts";

/** A year into the epoch, so that nothing lies before its beginning. */
const START_US = micros(365 * 24 * 3600 * 1_000_000);
export const atUs = (seconds: number) => micros(START_US + secondsToMicros(seconds));

export function configured(raw: unknown): Configuration {
  const { configuration, problems } = readConfiguration(raw);
  if (configuration === null) throw new Error(JSON.stringify(problems));
  return configuration;
}

export const resolverOf = (raw: unknown): Resolver => resolver(configured(raw));

export interface Setting {
  readonly store?: StoreTraits;
  readonly shared?: ReturnType<typeof memoryStore>;
}

export interface Made {
  readonly limiter: Limiter;
  readonly events: LimiterEvent[];
}

export function limiterOf(raw: unknown, setting: Setting = {}): Made {
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

/** The budgets that a request of this credential meets at the first API; null: of nobody, where it is keyless. */
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
  if (session === null) throw new Error(`nobody has the credential ${credential}`);
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
  return decideNow(on, prepare(on, resolved, atUs(seconds)), client, atUs(seconds), intent);
}

export const questionOf = (
  on: Limiter,
  { resolved, client }: ReturnType<typeof met>,
  seconds: number,
  intent: Intent = "spend",
): DecisionInput => ({
  prepared: prepare(on, resolved, atUs(seconds)),
  client,
  atUs: atUs(seconds),
  intent,
});
