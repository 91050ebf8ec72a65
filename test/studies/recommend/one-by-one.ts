// What a limit refuses of requests, decided one after the other as they arrive: nothing is searched, and no client is left
// out because a lower rate admits it.
import type { LimitSize, ReplayLimit } from "#src/studies/replay/candidates.ts";
import { startCandidate } from "#src/studies/replay/candidates.ts";
import type { RecommendedRule } from "#src/studies/recommend/recommendation.ts";
import { RefusalCurve } from "#src/studies/recommend/refusals.ts";
import { ratesUpTo } from "#src/studies/recommend/search.ts";
import { AS_LOGGED } from "#src/studies/replay/placements.ts";
import { namesOf, trafficOf, type SentRequest } from "./traffic.ts";

const { names } = namesOf(12);

export const limitOf = (rule: RecommendedRule, limit: LimitSize): ReplayLimit => ({
  kind: "limit",
  limit,
  ...rule,
});

/** Of one rate. */
export interface OwnRefusals {
  readonly goodRequests: number;
  readonly goodClients: number;
  readonly badRequests: number;
  readonly badClients: number;
  /** Refused requests by client, of which good ones. */
  readonly refusedOf: ReadonlyMap<number, { readonly good: number; readonly bad: number }>;
}

export function decideOneByOne(limit: ReplayLimit, requests: readonly SentRequest[]): OwnRefusals {
  const limiter = startCandidate(limit, { clients: { names }, targets: null });
  limiter.makeRoom(names.length);
  return countRefusals(requests, ({ atUs, client }) => limiter.decide(client, 0, atUs) > 0);
}

/** By several limits: one that refuses a request counts it as it counts refusals, and the others do not count it. */
export function decideTogether(
  limits: readonly ReplayLimit[],
  requests: readonly SentRequest[],
): OwnRefusals {
  const decided = new Map<number, readonly SentRequest[][]>(); // of each client, by each limit
  // Decides all earlier requests again, so that a limit that admits a request need not count it.
  const isRefused = (limit: ReplayLimit, earlier: readonly SentRequest[], last: SentRequest) => {
    const limiter = startCandidate(limit, { clients: { names }, targets: null });
    limiter.makeRoom(names.length);
    for (const { client, atUs } of earlier) limiter.decide(client, 0, atUs);
    return limiter.decide(last.client, 0, last.atUs) > 0;
  };
  return countRefusals(requests, (request) => {
    const own = decided.get(request.client) ?? limits.map(() => []);
    decided.set(request.client, own);
    const refusing = limits.findIndex((limit, at) => isRefused(limit, own[at]!, request));
    for (const [at, each] of own.entries()) if (refusing < 0 || refusing === at) each.push(request);
    return refusing >= 0;
  });
}

function countRefusals(
  requests: readonly SentRequest[],
  isRefused: (request: SentRequest) => boolean,
): OwnRefusals {
  const refusedOf = new Map<number, { good: number; bad: number }>();
  for (const request of requests) {
    if (!isRefused(request)) continue;
    const { client, isBad = false } = request;
    const own = refusedOf.get(client) ?? { good: 0, bad: 0 };
    own[isBad ? "bad" : "good"]++;
    refusedOf.set(client, own);
  }
  const counts = [...refusedOf.values()];
  return {
    refusedOf,
    goodRequests: counts.reduce((sum, { good }) => sum + good, 0),
    goodClients: counts.filter(({ good }) => good > 0).length,
    badRequests: counts.reduce((sum, { bad }) => sum + bad, 0),
    badClients: counts.filter(({ bad }) => bad > 0).length,
  };
}

/** What clients that lose no good request of the log would lose in as long a time, if they send more than the rate. */
export function countLongRun<Counts extends OwnRefusals>(
  refused: Counts,
  { rate, perUs }: LimitSize,
  requests: readonly SentRequest[],
  { logged = requests, isWholeSeconds = false } = {},
): Counts {
  const startUs = logged[0]!.atUs;
  const logUs = logged.at(-1)!.atUs - startUs;
  const periodUs = logUs + (isWholeSeconds ? 1_000_000 : 0);
  if (logUs < 0.9 * perUs) return refused;
  const whole = Math.max(1, Math.floor(periodUs / perUs));
  const good = requests.filter(({ isBad = false }) => !isBad);
  const lost = [...new Set(good.map(({ client }) => client))].flatMap((client) => {
    if ((refused.refusedOf.get(client)?.good ?? 0) > 0) return [];
    const own = good.filter((each) => each.client === client);
    const inWhole = own.filter(({ atUs }) => atUs < startUs + whole * perUs);
    const mean = (own.length * perUs) / Math.max(periodUs, perUs);
    const above = Math.min(mean, inWhole.length / whole) - rate;
    return above > 1e-9 ? [Math.ceil(above * Math.max(1, logUs / perUs) - 1e-9)] : [];
  });
  return {
    ...refused,
    goodRequests: lost.reduce((sum, each) => sum + each, refused.goodRequests),
    goodClients: refused.goodClients + lost.length,
  };
}

/** As a recommendation has it, before any rate is tried. */
export function curveOf(
  rule: RecommendedRule,
  perUs: LimitSize["perUs"],
  requests: readonly SentRequest[],
  most: number,
): RefusalCurve {
  const all = Int32Array.from(new Set(requests.map(({ client }) => client))).toSorted();
  const own = all.at(-1)! < names.length ? names : namesOf(all.at(-1)! + 1).names;
  const decided = { columns: trafficOf(requests).columns(AS_LOGGED, own.length), names: own };
  return new RefusalCurve((rate) => limitOf(rule, { rate, perUs }), decided, all, most);
}

/** The rates that every search begins with, each with what it refuses, until nothing is refused. */
export function decideTriedRates(
  rule: RecommendedRule,
  perUs: LimitSize["perUs"],
  requests: readonly SentRequest[],
  most: number,
): readonly (OwnRefusals & { readonly rate: number })[] {
  const tried: (OwnRefusals & { rate: number })[] = [];
  for (const rate of ratesUpTo(most)) {
    const refusals = decideOneByOne(limitOf(rule, { rate, perUs }), requests);
    tried.push({ rate, ...refusals });
    if (refusals.refusedOf.size === 0) break;
  }
  return tried;
}
