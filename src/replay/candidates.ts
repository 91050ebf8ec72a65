// A candidate: a limit and what counts it. It decides by the limiter that gateways have, with counters in memory.
import type { Budget } from "../core/budget.ts";
import type { Client } from "../core/client.ts";
import type { GatewayOptions } from "../core/config.ts";
import { newDecision } from "../core/decision.ts";
import { decideNow, limiter, LOCAL_STORE_TRAITS, prepare } from "../core/limiter.ts";
import type { Resolved } from "../core/resolve/resolved.ts";
import { resolver } from "../core/resolve/resolver.ts";
import { levelOf } from "../core/select.ts";
import { formatDuration, micros, type Micros } from "../core/units.ts";
import { localStore, memoryStore } from "../store/memory.ts";
import { makeRoom, numberedLevel, takeByNumber, type NumberedLevel } from "../store/numbered.ts";

export interface LimitSize {
  readonly rate: number;
  readonly perUs: Micros;
}

export interface Candidate {
  readonly limit: LimitSize;
  /** An algorithm, or a profile of a limiter of others. */
  readonly by: { readonly kind: "algorithm" | "profile"; readonly name: string };
  readonly options: GatewayOptions;
}

/** `100/1m`. */
export const limitText = ({ rate, perUs }: LimitSize): string => `${rate}/${shortDuration(perUs)}`;

export const candidateText = ({ limit, by }: Candidate): string => `${limitText(limit)} ${by.name}`;

const UNITS = [
  ["h", 3_600_000_000],
  ["m", 60_000_000],
  ["s", 1_000_000],
] as const;

function shortDuration(us: Micros): string {
  const unit = UNITS.find(([, unitUs]) => us % unitUs === 0 && us > 0);
  return unit === undefined ? formatDuration(us) : `${us / unit[1]}${unit[0]}`;
}

/** Decides the next request of a client, by its number. Returns how long it would have to wait; 0: it is admitted. */
export interface CandidateLimiter {
  readonly decide: (id: number, client: Client, atUs: number) => number;
  /** How long the last request waits for its turn, if it was admitted. Null: no admitted request waits. */
  readonly delayUs: (() => number) | null;
  /** Before a request of a client with a larger number than before. */
  readonly makeRoom: (clients: number) => void;
}

/** A limiter with this limit for each client, and counters of its own. */
export function startCandidate({ limit, options }: Candidate): CandidateLimiter {
  const budget: Budget = {
    space: "replay",
    scope: "key",
    limit: { ...limit, smoothing: null },
    because: [],
  };
  const level = numberedLevel(levelOf(options, budget, 1));
  return level === null ? ordinaryLimiter(options, budget) : numberedLimiter(level);
}

function numberedLimiter(level: NumberedLevel): CandidateLimiter {
  return {
    decide: (id, _, atUs) => takeByNumber(level, id, micros(atUs)),
    delayUs: level.bound.counting.delay === undefined ? null : () => level.reply.delayUs,
    makeRoom: (clients) => makeRoom(level, clients),
  };
}

/** As a gateway has it, for what needs more than the row of a client. */
function ordinaryLimiter(options: GatewayOptions, key: Budget): CandidateLimiter {
  const configuration = {
    apis: new Map(),
    policies: new Map(),
    keys: new Map(),
    options,
    shadow: null,
  };
  const resolved: Resolved = { id: 0, api: null, key, quota: null, quotaAtApi: null };
  const store = localStore(memoryStore(), memoryStore());
  const inner = limiter(resolver(configuration), store, LOCAL_STORE_TRAITS, null);
  const prepared = prepare(inner, resolved, micros(0));
  const into = newDecision();
  return {
    decide: (_, client, atUs) => {
      const decision = decideNow(inner, prepared, client, micros(atUs), "spend", 1, into);
      return decision.refused === null ? 0 : decision.retryAfterUs;
    },
    delayUs: prepared.levels[0]!.traits.delays ? () => into.delayUs : null,
    makeRoom: () => {},
  };
}
