// A candidate: a limit with an algorithm, or a world. It decides with the gateway's limiter, with counters in memory.
import { specCalled } from "../../limiter/spec/by-algorithm.ts";
import type { Algorithm } from "../../limiter/core/algorithms.ts";
import type { Budget } from "../../limiter/core/budget.ts";
import { client, type Client } from "../../limiter/core/client.ts";
import type { GatewayOptions } from "../../limiter/core/config.ts";
import { newDecision } from "../../limiter/core/decision.ts";
import { decideNow, limiter, LOCAL_STORE_TRAITS, prepare } from "../../limiter/core/limiter.ts";
import type { Resolved } from "../../limiter/core/resolve/resolved.ts";
import { resolver } from "../../limiter/core/resolve/resolver.ts";
import { levelOf } from "../../limiter/core/select.ts";
import { optionsFrom } from "../../limiter/world/options.ts";
import type { ReadRule } from "../../lab/implementations/reading.ts";
import { formatDuration, micros, type Micros } from "../../kit/units.ts";
import { localStore, memoryStore } from "../../limiter/store/memory.ts";
import { runByNumber } from "../../limiter/store/numbered-runs.ts";
import type { CandidateLimiter, RequestNames } from "./candidate-limiter.ts";
import { chargeAfter, meterBefore, ONE_UNIT, type ChargeMeter } from "./charges.ts";
import { FREE_LOG, type ChargeTime } from "./choices.ts";
import { countersOf, spreadOver, type Fleet } from "./fleet.ts";
import { limitInRequests, startRules, type RulesCandidate } from "./rules.ts";
import { startWorld, type WorldCandidate } from "./worlds.ts";
import {
  makeRoom,
  levelByNumber,
  takeByNumber,
  type NumberedLevel,
} from "../../limiter/store/numbered.ts";

export interface LimitSize {
  readonly rate: number;
  readonly perUs: Micros;
}

/** One limit for each client, by an algorithm or by the profile of another limiter. */
export interface ReplayLimit {
  readonly kind: "limit";
  readonly limit: LimitSize;
  readonly by: { readonly kind: "algorithm" | "profile"; readonly name: string };
  readonly options: GatewayOptions;
  /** When units are spent; left out: each request costs 1. */
  readonly charge?: ChargeTime;
}

export type Candidate = (ReplayLimit | WorldCandidate | RulesCandidate) & {
  /** The instances that it runs on. Left out: one. */
  readonly fleet?: Fleet;
};

/** The algorithms that are replayed by default. Every other algorithm counts like one of these. */
export const USUAL_ALGORITHMS: readonly Algorithm[] = [
  "fixed_window",
  "sliding_log",
  "sliding_window_counter",
  "token_bucket",
];

/** `free_log` in a world. */
export const FREE_LOG_FIELDS = "algorithm: sliding_log, imitate: { refused: free }";
const FREE_LOG_OPTIONS = { algorithm: "sliding_log", imitate: { refused: "free" } };

export const freeLogRule = (): Pick<ReplayLimit, "by" | "options"> => ({
  by: { kind: "algorithm", name: FREE_LOG },
  options: optionsFrom(FREE_LOG_OPTIONS),
});

/** Writes a limit, such as `100/1m`. */
export const limitText = ({ rate, perUs }: LimitSize): string => `${rate}/${shortDuration(perUs)}`;

/** The limit of a rule in the words of its file, or in requests. */
export const textOfRule = (rule: Pick<ReadRule, "limit" | "cost" | "written">): string =>
  rule.written ?? limitText(limitInRequests(rule));

export const candidateText = (candidate: Candidate): string =>
  candidate.kind !== "limit"
    ? candidate.file
    : `${limitText(candidate.limit)} ${candidate.by.name}`;

const UNITS = [
  ["h", 3_600_000_000],
  ["m", 60_000_000],
  ["s", 1_000_000],
] as const;

export function shortDuration(us: Micros): string {
  const unit = UNITS.find(([, unitUs]) => us % unitUs === 0 && us > 0);
  return unit === undefined ? formatDuration(us) : `${us / unit[1]}${unit[0]}`;
}

/** Starts a limiter with new counters. `meter` null: the units that it charges are not measured. */
export function startCandidate(
  candidate: Candidate,
  names: RequestNames,
  meter: ChargeMeter | null = null,
): CandidateLimiter {
  const shared = memoryStore();
  const start = (): CandidateLimiter =>
    candidate.kind === "rules"
      ? startRules(candidate, names, (rule, own) =>
          countersOf(kindOf(candidate), candidate.fleet, rule) === 1 ? shared : own,
        )
      : startInstance(candidate, names, meter);
  const instances = countersOfCandidate(candidate);
  if (instances === 1) return start();
  return spreadOver(Array.from({ length: instances }, start), candidate.fleet!, names);
}

function startInstance(
  candidate: Exclude<Candidate, RulesCandidate>,
  names: RequestNames,
  meter: ChargeMeter | null,
): CandidateLimiter {
  if (candidate.kind === "world") return startWorld(candidate, names);
  const { limit, options, charge } = candidate;
  const budget = budgetOf(limit);
  const level = levelByNumber(levelOf(options, budget, 1));
  if (charge === "after") return chargeAfter(requireNumbered(level), meter);
  const limiting =
    level === null ? ordinaryLimiter(options, budget, names) : limiterByNumber(level);
  return meter === null ? limiting : meterBefore(limiting, meter);
}

/** The program of a configuration, or `limit` or `world`. */
export const kindOf = (candidate: Candidate): string =>
  candidate.kind === "rules" ? candidate.configuration.kind : candidate.kind;

/** How many instances count at least one limit apart. */
const countersOfCandidate = (candidate: Candidate): number =>
  candidate.kind === "rules"
    ? Math.max(
        1,
        ...candidate.configuration.rules.map((rule) =>
          countersOf(candidate.configuration.kind, candidate.fleet, rule),
        ),
      )
    : countersOf(candidate.kind, candidate.fleet);

/** Whether a client's decisions depend only on its own requests, each of which costs 1. */
export const countsClientsAlone = (candidate: Candidate): boolean =>
  candidate.kind === "limit" &&
  candidate.charge === undefined &&
  countersOfCandidate(candidate) === 1 &&
  levelByNumber(levelOf(candidate.options, budgetOf(candidate.limit), 1)) !== null;

/** Why the limit cannot charge after a request; null: it can. */
export function whyNotAfter({ limit, options }: Omit<ReplayLimit, "kind">): string | null {
  const level = levelOf(options, budgetOf(limit), 1);
  if (level.traits.delays) return "lets requests wait for their turns";
  return levelByNumber(level) === null ? "is written after each decision" : null;
}

const budgetOf = (limit: LimitSize): Budget => ({
  space: "replay",
  scope: "key",
  limit: { ...limit, smoothing: null },
  because: [],
});

function requireNumbered(level: NumberedLevel | null): NumberedLevel {
  if (level === null) throw new Error("this candidate cannot charge after");
  return level;
}

function limiterByNumber(level: NumberedLevel): CandidateLimiter {
  const run = runByNumber(level);
  return {
    decide: (id, _, atUs, charge) => takeByNumber(level, id, micros(atUs), charge?.units),
    makeRoom: (clients) => makeRoom(level, clients),
    delayUs: level.bound.counting.delay === undefined ? null : () => level.reply.delayUs,
    ...(run === null ? {} : { decideAll: run }),
  };
}

/** The limiter of the gateway, for algorithms that need more than one row of numbers for each client. */
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
    decide: (id, _, atUs, { units } = ONE_UNIT) => {
      const one = (own[id] ??= client(clients.names[id]!));
      const decision = decideNow(inner, prepared, one, micros(atUs), "spend", units, into);
      return decision.refused === null ? 0 : decision.retryAfterUs;
    },
    delayUs: prepared.levels[0]!.traits.delays ? () => into.delayUs : null,
    makeRoom: () => {},
  };
}

/**
 * The most that an algorithm can admit in any window, whatever its clients send (LIM-C11). Null for an algorithm that
 * requests which overlap can exceed.
 */
export function mostPossible(
  limit: LimitSize,
  { algorithm, burst }: { readonly algorithm: string; readonly burst: number | "rate" },
  gateways: number,
): number | null {
  const spec = specCalled(algorithm === FREE_LOG ? "sliding_log" : algorithm);
  if (spec === undefined || spec.overshootsBy !== null) return null;
  const { most } = spec.mostInWindow({
    ...limit,
    gateways,
    burst,
    queue: "rate",
    fixedWindowStart: "first_request",
  });
  return most * (spec.countedBy === "gateway" ? gateways : 1);
}
