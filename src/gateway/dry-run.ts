// What a request would meet, without spending or telling anything (MGT-C11). The same steps as for a
// request that is one, every question meant as "ask".
import { countedClient, budgetName, isQuota, type Scope } from "../core/budget.ts";
import { UNKNOWN_SENDER, type Client } from "../core/client.ts";
import type { Algorithm, Configuration } from "../core/config.ts";
import { conclude, retryAfterSeconds, UNLIMITED, type Decision } from "../core/decision.ts";
import { isOpen } from "../core/health.ts";
import { prepare, type Prepared } from "../core/limiter.ts";
import { unmatchedLimits, type Unmatched } from "../core/resolve/unmatched.ts";
import { inSequence } from "../core/sequence.ts";
import { localLevels, withoutStore } from "../core/steps.ts";
import {
  hasFailed,
  type Answer,
  type Level,
  type Reply,
  type Steps,
  type StoreFailure,
  type StoreOp,
} from "../core/store.ts";
import { ceilSeconds, microsToSeconds, SECOND, type Micros } from "../core/units.ts";
import { hasReached, isKeysRate, refusedBy, route } from "./handle.ts";
import type { Gateway } from "./gateway.ts";
import type { Outcome, Request } from "./outcome.ts";
import type { ReasonName } from "./refusals.ts";
import { entryPath } from "./routes.ts";
import { shadowsMet } from "./shadow.ts";
import { throttleOf } from "./throttle.ts";
import { whyRefused } from "./why-refused.ts";

export interface DryRunRequest {
  readonly method: string;
  readonly path: string;
  readonly key: string | null; // its public id
  readonly credential: string | null; // instead of the id
  /** Where it comes from, behind proxies; left out: nowhere that is known. What counts by the address then counts all such together. */
  readonly address?: string;
  readonly headers?: Readonly<Record<string, string>>; // by name in small letters
}

/** One budget as it stands, before this request. */
export interface BudgetView {
  readonly level: Scope;
  readonly budget: string;
  readonly algorithm: Algorithm;
  readonly rate: number;
  readonly per: number | null; // seconds; null: never renews
  readonly limit: number; // of one window as things stand: smoothed, or this gateway's share
  readonly remaining: number;
  readonly refuses: boolean;
  readonly retryAfter: number | "never" | null; // seconds; null: it would pass
  readonly reset: number | null; // Unix seconds; null: never
  readonly allowance: number | null; // whole part of A; null: not smoothed
  readonly because: readonly string[];
}

export interface DryRun {
  readonly passes: boolean;
  readonly status: number | null; // null: the upstream's
  readonly reason: ReasonName | null;
  readonly message: string | null; // as the client would read it
  readonly why: string; // as its operator wants to know it
  readonly retryAfter: number | null;
  readonly waits: { readonly interval: number; readonly times: number } | null; // throttled before that (LIM-C9)
  readonly api: string | null;
  readonly key: string | null;
  readonly path: string;
  readonly store: "here" | "answers" | "away" | "not asked";
  readonly matched: readonly BudgetView[]; // in the order judged
  readonly shadows: readonly BudgetView[]; // judged and never enforced (LIM-C13)
  readonly notMatched: readonly Unmatched[];
}

/** A copy that tells nobody, and whose probes of a lost store are not counted as the gateway's own. */
const quietly = (gateway: Gateway): Gateway => ({
  ...gateway,
  said: new Set(),
  limiter: { ...gateway.limiter, emit: null, health: { ...gateway.limiter.health } },
});

export function* dryRun(gateway: Gateway, asked: DryRunRequest): Steps<DryRun> {
  const quiet = quietly(gateway);
  const { limiter } = quiet;
  const { configuration } = limiter.resolver;
  const nowUs = quiet.clock();
  const request: Request = {
    method: asked.method.toUpperCase(),
    target: asked.path,
    credential:
      asked.key === null ? asked.credential : (credentialOf(configuration, asked.key) ?? NOBODYS),
    sender: {
      address: asked.address ?? UNKNOWN_SENDER.address,
      header: (name) => asked.headers?.[name] ?? null,
    },
  };
  const found = route(quiet, request, nowUs);
  if (!hasReached(found)) return said(quiet, request, found, NOT_ASKED);
  const { client } = found;
  const prepared = prepare(limiter, found.resolved, nowUs);
  const enforced = yield* look(quiet, prepared, client, nowUs);
  const looked = { ...enforced, shadows: yield* lookAtShadows(quiet, request, found, nowUs) };
  found.decision = looked.decision;
  if (looked.decision.refused !== null) found.refused = refusedBy(looked.decision);
  return said(quiet, request, found, looked);
}

/** No key has an empty credential. */
export const NOBODYS = "";

function credentialOf({ keys }: Configuration, id: string): string | null {
  for (const [credential, key] of keys) if (key.id === id) return credential;
  return null;
}

interface Looked {
  readonly decision: Decision;
  readonly matched: readonly BudgetView[];
  readonly store: DryRun["store"];
  readonly shadows: readonly BudgetView[];
}

const NOT_ASKED: Looked = { decision: UNLIMITED, matched: [], store: "not asked", shadows: [] };

function* look(
  { limiter }: Gateway,
  prepared: Prepared,
  client: Client,
  atUs: Micros,
): Steps<Looked> {
  const { levels } = prepared;
  if (levels.length === 0) return NOT_ASKED;
  const away = (): Looked => lookWithoutStore(limiter, prepared, client, atUs);
  const asksStore = limiter.storeIsRemote && levels.some(({ place }) => place === "store");
  if (asksStore && isOpen(limiter.health)) return away();
  const views: BudgetView[] = [];
  // A view of each level, also of quotas that a request asks together.
  const steps = inSequence({
    levels,
    client,
    atUs,
    intent: "ask",
    givesBack: false,
    isSplit: true,
  });
  let next = steps.next();
  while (next.done !== true) {
    const answer = yield* answered(limiter, next.value);
    const level = levels[views.length]!;
    if (!hasFailed(answer)) {
      const shown = isQuota(level.budget.scope)
        ? yield* asRate(limiter, level, client, atUs)
        : answer;
      if (!hasFailed(shown)) views.push(viewOf(level, client, shown, atUs));
    }
    next = steps.next(answer);
  }
  if (hasFailed(next.value) || views.length < levels.length) return away();
  const store = !limiter.storeIsRemote ? "here" : asksStore ? "answers" : "not asked";
  return { decision: conclude(levels, next.value, false), matched: views, store, shadows: [] };
}

/** What this gateway counts by itself needs nobody else. */
export function* answered({ atHand }: Gateway["limiter"], op: StoreOp): Steps<Answer> {
  if (op.op === "pipeline") return yield op;
  const level = op.op === "take" ? op.levels[0] : op.level;
  return level?.place === "gateway" ? atHand.perform(op) : yield op;
}

/** A quota shows nothing to clients (HDR-C2). The same count asked for as a key's limit does. */
export function* asRate(
  limiter: Gateway["limiter"],
  level: Level,
  client: Client,
  atUs: Micros,
): Steps<Reply | StoreFailure> {
  const shown: Level = { ...level, budget: { ...level.budget, scope: "key" } };
  const counted = countedClient(level.budget, client);
  return yield* answered(limiter, {
    op: "take",
    levels: [shown],
    client: counted,
    atUs,
    intent: "ask",
  });
}

/** What this gateway would decide on its own (ALG-C8). */
function lookWithoutStore(
  limiter: Gateway["limiter"],
  prepared: Prepared,
  client: Client,
  atUs: Micros,
): Looked {
  const isLocal = limiter.resolver.configuration.options.onStoreError === "local";
  const standIns = isLocal ? (localLevels(limiter, prepared, client) ?? []) : prepared.levels;
  const here = standIns.filter(({ place }) => place === "gateway");
  return {
    decision: withoutStore(limiter, prepared, client, atUs, "ask"),
    matched: here.map((level) => {
      const { budget } = level;
      const scope = isQuota(budget.scope) ? "key" : budget.scope;
      const levels = [{ ...level, budget: { ...budget, scope } }];
      const reply = limiter.atHand.perform({
        op: "take",
        levels,
        client: countedClient(budget, client),
        atUs,
        intent: "ask",
      });
      return viewOf(level, client, reply, atUs);
    }),
    store: "away",
    shadows: [],
  };
}

/** None while the store is away: then no shadow is judged. */
function* lookAtShadows(
  gateway: Gateway,
  request: Request,
  outcome: Outcome,
  atUs: Micros,
): Steps<readonly BudgetView[]> {
  const met = shadowsMet(gateway, request, outcome, atUs);
  const { limiter } = gateway;
  const views: BudgetView[] = [];
  for (const { level } of met?.levels ?? []) {
    if (met === null || (level.place === "store" && isOpen(limiter.health))) continue;
    const { client } = met;
    const op: StoreOp = { op: "take", levels: [level], client, atUs, intent: "ask" };
    const answer = yield* answered(limiter, op);
    if (!hasFailed(answer)) views.push(viewOf(level, client, answer, atUs));
  }
  return views;
}

export function viewOf(level: Level, client: Client, reply: Reply, atUs: Micros): BudgetView {
  const { budget, algorithm, rule } = level;
  const { rate, perUs } = budget.limit;
  const refuses = reply.refusedBy >= 0;
  return {
    level: budget.scope,
    budget: budgetName(budget, client),
    algorithm,
    rate,
    per: Number.isFinite(perUs) ? microsToSeconds(perUs) : null,
    limit: reply.limit,
    remaining: reply.remaining,
    refuses,
    retryAfter: refuses ? inWholeSeconds(reply.waitUs) : null,
    reset: Number.isFinite(reply.resetUs)
      ? Math.ceil(Math.max(reply.resetUs, atUs) / SECOND)
      : null,
    allowance: rule === null ? null : reply.allowance,
    because: budget.because,
  };
}

const inWholeSeconds = (waitUs: number): number | "never" =>
  Number.isFinite(waitUs) ? Math.max(1, ceilSeconds(waitUs as Micros)) : "never";

function said(gateway: Gateway, request: Request, outcome: Outcome, looked: Looked): DryRun {
  const { api, session, refused, path, decision } = outcome;
  const throttle = throttleOf(outcome);
  const mayWait = throttle !== null && decision !== null && isKeysRate(decision);
  return {
    passes: refused === null,
    status: refused?.status ?? null,
    reason: refused?.reason ?? null,
    message: refused?.message ?? null,
    why: whyRefused(gateway, outcome),
    retryAfter: decision === null ? null : retryAfterSeconds(decision),
    waits: mayWait
      ? { interval: microsToSeconds(throttle.intervalUs), times: throttle.retryLimit }
      : null,
    api: api?.id ?? null,
    key: session?.key.id ?? null,
    path,
    store: looked.store,
    matched: looked.matched,
    shadows: looked.shadows,
    notMatched: outcome.resolved === null ? [] : notMatched(gateway, request, outcome),
  };
}

function notMatched(
  { limiter: { resolver } }: Gateway,
  { method, target }: Request,
  { api, session, path }: Outcome,
): readonly Unmatched[] {
  const rules = resolver.apis.find(({ definition }) => definition === api);
  if (api === null || rules === undefined) return [];
  return unmatchedLimits({
    api,
    key: session?.key ?? null,
    merged: session?.profile.merged ?? null,
    policies: resolver.configuration.policies,
    method,
    path: entryPath(resolver.configuration.options, rules, target, path),
    matching: resolver.configuration.options,
  });
}
