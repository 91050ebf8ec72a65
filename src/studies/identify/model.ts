// Limiters of the core that simulate a behaviour: with one limit, several limits, or a pause after a refusal.
import { client, type Client } from "../../limiter/core/client.ts";
import { newDecision, type Decision } from "../../limiter/core/decision.ts";
import {
  decideNow,
  limiter,
  LOCAL_STORE_TRAITS,
  prepare,
  type Limiter,
} from "../../limiter/core/limiter.ts";
import type { StoreTraits } from "../../limiter/core/limiter.ts";
import type { Resolved } from "../../limiter/core/resolve/resolved.ts";
import { resolver } from "../../limiter/core/resolve/resolver.ts";
import type { LocalStore } from "../../limiter/core/store.ts";
import { micros } from "../../kit/units.ts";
import { counters, type Counters } from "../../limiter/store/copy.ts";
import { localStore, memoryStore } from "../../limiter/store/memory.ts";
import { DEFAULT_OPTIONS } from "../../limiter/world/options.ts";
import type { LimitOptions } from "./gateway-options.ts";

/** The options of Weir's gateway, and the numbers of the only limit. */
export interface LimitConfiguration extends LimitOptions {
  readonly rate: number;
  readonly perUs: number;
}

export const PLAIN_LIMIT = {
  burst: 1,
  queue: "rate",
  fixedWindowStart: "first_request",
  sentinelMark: "sliding",
  imitation: null,
} as const satisfies Partial<LimitConfiguration>;

/** A limiter whose only limit is that of the key. All requests share `resolved`. */
export interface SingleLimit {
  readonly limiter: Limiter;
  readonly resolved: Resolved;
  readonly store: LocalStore;
}

export function createSingleLimit(
  { rate, perUs, ...options }: LimitConfiguration,
  traits: StoreTraits = LOCAL_STORE_TRAITS,
): SingleLimit {
  const rules = resolver({
    apis: new Map(),
    policies: new Map(),
    keys: new Map(),
    options: { ...DEFAULT_OPTIONS, ...options },
    shadow: null,
  });
  const limit = { rate, perUs: micros(perUs), smoothing: null };
  const key = { space: "limit", scope: "key", limit, because: [] } as const;
  const store = localStore(memoryStore(), memoryStore());
  return {
    limiter: limiter(rules, store, traits, null),
    resolved: { id: 0, api: null, key, quota: null, quotaAtApi: null },
    store,
  };
}

/** The state of a model: the counters of each limit, and the end of a pause in which all requests are refused. */
export interface LimitState {
  readonly counters: readonly Counters[];
  readonly pausedUntilUs: number;
}

/** Creates limiters, each with new counters or with a copy of the counters of an earlier limiter. */
export interface LimitModel {
  readonly begin: (state: LimitState | null) => RunningLimit;
}

export interface RunningLimit {
  /** Decides a request of the only client and updates the counters. The decision is valid until the next call. */
  readonly decide: (atUs: number) => Decision;
  /** Returns the counters. This limiter must not be used afterwards. */
  readonly end: () => LimitState;
}

interface RunningPart {
  readonly decide: (atUs: number, intent: "spend" | "evaluate") => Decision;
  readonly counters: Counters;
}

type Part = (known: Counters | null) => RunningPart;

function createPart(configuration: LimitConfiguration): Part {
  const { limiter: first, resolved } = createSingleLimit(configuration);
  // With one gateway the levels never change, so they are prepared once. Each running limit has its own counters.
  const prepared = prepare(first, resolved, micros(0));
  const unused = counters(prepared.levels);
  return (known) => {
    const own = (known ?? unused).copy();
    const bound = { ...prepared, bound: own.levels };
    const alone: Client = client("alone");
    const draft = newDecision();
    return {
      decide: (atUs, intent) =>
        decideNow(first, bound, alone, micros(Math.round(atUs)), intent, 1, draft),
      counters: own,
    };
  };
}

export function createLimitModel(configuration: LimitConfiguration): LimitModel {
  const begin = createPart(configuration);
  return {
    begin: (state) => {
      const part = begin(state?.counters[0] ?? null);
      return {
        decide: (atUs) => part.decide(atUs, "spend"),
        end: () => ({ counters: [part.counters], pausedUntilUs: 0 }),
      };
    },
  };
}

/** A model with several limits. A request that one limit refuses spends nothing of the others. */
export function createJointModel(configurations: readonly LimitConfiguration[]): LimitModel {
  const begins = configurations.map(createPart);
  return {
    begin: (state) => {
      const parts = begins.map((begin, index) => begin(state?.counters[index] ?? null));
      return {
        decide: (atUs) => {
          const refusing = parts.find((part) => part.decide(atUs, "evaluate").refused !== null);
          if (refusing !== undefined) return refusing.decide(atUs, "spend");
          return parts.map((part) => part.decide(atUs, "spend"))[0]!;
        },
        end: () => ({ counters: parts.map((part) => part.counters), pausedUntilUs: 0 }),
      };
    },
  };
}

/** A model with a pause: a refusal begins it, and until its end all requests are refused and none is counted. */
export function createPausingModel(configuration: LimitConfiguration, pauseUs: number): LimitModel {
  const begin = createPart(configuration);
  return {
    begin: (state) => {
      const part = begin(state?.counters[0] ?? null);
      let untilUs = state?.pausedUntilUs ?? 0;
      const paused = newDecision();
      return {
        decide: (atUs) => {
          if (atUs >= untilUs) {
            const decision = part.decide(atUs, "spend");
            if (decision.refused === null) return decision;
            untilUs = atUs + pauseUs;
          }
          return Object.assign(paused, { refused: "rate", retryAfterUs: untilUs - atUs });
        },
        end: () => ({ counters: [part.counters], pausedUntilUs: untilUs }),
      };
    },
  };
}
