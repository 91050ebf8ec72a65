// Levels and questions as the limiter would make them, in few words.
import type { Scope } from "#src/limiter/core/budget.ts";
import { client, type Client } from "#src/limiter/core/client.ts";
import type { Algorithm } from "#src/limiter/core/algorithms.ts";
import type { GatewayOptions } from "#src/limiter/core/config.ts";
import type { Imitation } from "#src/limiter/core/imitation.ts";
import { limitOf, type Smoothing } from "#src/limiter/core/limit.ts";
import { DEFAULT_OPTIONS } from "#src/limiter/world/options.ts";
import { levelOf } from "#src/limiter/core/select.ts";
import { type Intent, type Level, type Reply } from "#src/limiter/core/store.ts";
import { micros, secondsToMicros } from "#src/kit/units.ts";
import { memoryStore, perform, type MemoryStore } from "#src/limiter/store/memory.ts";

export interface LevelParts {
  readonly rate: number;
  readonly per: number; // seconds
  readonly scope?: Scope;
  readonly smoothing?: Smoothing;
  readonly options?: Partial<GatewayOptions>;
  readonly gateways?: number;
}

export function level(algorithm: Algorithm, parts: LevelParts): Level {
  const { rate, per, scope = "key", smoothing = null, options = {}, gateways = 1 } = parts;
  const limit = limitOf(rate, per, smoothing);
  const budget = { space: `${scope}/${limit.perUs}us`, scope, limit, because: [] };
  return levelOf({ ...DEFAULT_OPTIONS, ...options, algorithm }, budget, gateways);
}

export const NO_IMITATION: Imitation = {
  clockResolutionUs: null,
  refused: null,
  windowStart: null,
  windowEnd: null,
  lastOfWindow: null,
  tokens: null,
  weights: null,
  savedTurns: null,
  changedLimit: null,
  lifetime: null,
  levels: null,
  blockUs: null,
  keys: null,
};

export const smoothing = (
  threshold: number,
  step: number,
  trigger: number,
  delay: number,
): Smoothing => ({ threshold, step, trigger, delayUs: secondsToMicros(delay) });

export interface StoreRequests {
  readonly store: MemoryStore;
  readonly at: (seconds: number, ...levels: readonly Level[]) => Reply;
  readonly as: (
    client: Client,
    seconds: number,
    intent: Intent,
    ...levels: readonly Level[]
  ) => Reply;
}

/** A year into the epoch, so that no time is before its beginning. */
const START_US = micros(365 * 24 * 3600 * 1_000_000);
export const atUs = (seconds: number) => micros(START_US + secondsToMicros(seconds));

/** Requests to a store of its own, as alice or as another client; every reply is a new object. */
export function requestsTo(store = memoryStore()): StoreRequests {
  const alice = client("alice");
  const as: StoreRequests["as"] = (sender, seconds, intent, ...levels) => ({
    ...perform(store, {
      op: "take",
      levels,
      client: sender,
      atUs: atUs(seconds),
      intent,
      units: 1,
    }),
  });
  return {
    store,
    as,
    at: (seconds, ...levels) => {
      const reply = as(alice, seconds, "spend", ...levels);
      const marked = levels.filter(({ algorithm }) => algorithm === "sentinel");
      const refuser = reply.refusedBy < 0 ? null : levels[reply.refusedBy];
      for (const each of marked)
        if (refuser === null || refuser === each)
          perform(store, { op: "mark", level: each, client: alice, atUs: atUs(seconds), units: 1 });
      return reply;
    },
  };
}
