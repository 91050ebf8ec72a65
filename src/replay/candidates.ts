// A candidate: a limit and what counts it. It decides by the limiter that gateways have, with counters in memory.
import type { Budget } from "../core/budget.ts";
import { client, type Client } from "../core/client.ts";
import type { GatewayOptions } from "../core/config.ts";
import { newDecision } from "../core/decision.ts";
import { decideNow, limiter, LOCAL_STORE_TRAITS, prepare } from "../core/limiter.ts";
import type { Resolved } from "../core/resolve/resolved.ts";
import { resolver } from "../core/resolve/resolver.ts";
import { levelOf } from "../core/select.ts";
import { formatDuration, micros, type Micros } from "../core/units.ts";
import { localStore, memoryStore } from "../store/memory.ts";
import type { CandidateLimiter, RequestNames } from "./candidate-limiter.ts";
import { startWorld, type WorldCandidate } from "./worlds.ts";
import { makeRoom, levelByNumber, takeByNumber, type NumberedLevel } from "../store/numbered.ts";

export interface LimitSize {
  readonly rate: number;
  readonly perUs: Micros;
}

/** One limit for each client, by an algorithm or a profile of a limiter of others. */
export interface ReplayLimit {
  readonly kind: "limit";
  readonly limit: LimitSize;
  readonly by: { readonly kind: "algorithm" | "profile"; readonly name: string };
  readonly options: GatewayOptions;
}

export type Candidate = ReplayLimit | WorldCandidate;

/** `100/1m`. */
export const limitText = ({ rate, perUs }: LimitSize): string => `${rate}/${shortDuration(perUs)}`;

export const candidateText = (candidate: Candidate): string =>
  candidate.kind === "world"
    ? candidate.file
    : `${limitText(candidate.limit)} ${candidate.by.name}`;

const UNITS = [
  ["h", 3_600_000_000],
  ["m", 60_000_000],
  ["s", 1_000_000],
] as const;

function shortDuration(us: Micros): string {
  const unit = UNITS.find(([, unitUs]) => us % unitUs === 0 && us > 0);
  return unit === undefined ? formatDuration(us) : `${us / unit[1]}${unit[0]}`;
}

/** A limiter with counters of its own. */
export function startCandidate(candidate: Candidate, names: RequestNames): CandidateLimiter {
  if (candidate.kind === "world") return startWorld(candidate, names);
  const { limit, options } = candidate;
  const budget: Budget = {
    space: "replay",
    scope: "key",
    limit: { ...limit, smoothing: null },
    because: [],
  };
  const level = levelByNumber(levelOf(options, budget, 1));
  return level === null ? ordinaryLimiter(options, budget, names) : limiterByNumber(level);
}

function limiterByNumber(level: NumberedLevel): CandidateLimiter {
  return {
    decide: (id, _, atUs) => takeByNumber(level, id, micros(atUs)),
    delayUs: level.bound.counting.delay === undefined ? null : () => level.reply.delayUs,
    makeRoom: (clients) => makeRoom(level, clients),
  };
}

/** As a gateway has it, for what needs more than the row of a client. */
function ordinaryLimiter(
  options: GatewayOptions,
  key: Budget,
  { clients }: RequestNames,
): CandidateLimiter {
  const own: Client[] = [];
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
    decide: (id, _, atUs) => {
      const one = (own[id] ??= client(clients.names[id]!));
      const decision = decideNow(inner, prepared, one, micros(atUs), "spend", 1, into);
      return decision.refused === null ? 0 : decision.retryAfterUs;
    },
    delayUs: prepared.levels[0]!.traits.delays ? () => into.delayUs : null,
    makeRoom: () => {},
  };
}
