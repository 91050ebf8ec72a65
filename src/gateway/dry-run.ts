// Computes the result that a request would have, without spending and without events (MGT-C11). It takes the same steps
// as a real request, with the intent "evaluate".
import { budgetName, type Scope } from "../limiter/core/budget.ts";
import { UNKNOWN_SENDER, type Client } from "../limiter/core/client.ts";
import type { Algorithm } from "../limiter/core/algorithms.ts";
import type { Configuration } from "../limiter/core/config.ts";
import { retryAfterSeconds } from "../limiter/core/decision.ts";
import { evaluate, evaluateLevel, type Evaluation } from "../limiter/core/evaluate.ts";
import { isOpen } from "../limiter/core/health.ts";
import { prepare } from "../limiter/core/limiter.ts";
import { listUnmatched, type Unmatched } from "../limiter/core/resolve/unmatched.ts";
import { hasFailed, type Level, type Reply, type Steps } from "../limiter/core/store.ts";
import { micros, microsToSeconds, SECOND, waitSeconds, type Micros } from "../kit/units.ts";
import { isKeysRate, refusalBy } from "./begin.ts";
import type { Gateway } from "./gateway.ts";
import type { RequestOutcome, GatewayRequest } from "./outcome.ts";
import type { ReasonName } from "./refusals.ts";
import { reachesLimiter, route } from "./route.ts";
import { entryPath } from "./routes.ts";
import { shadowsMet } from "./shadow.ts";
import { throttleOf } from "./throttle.ts";
import { whyRefused } from "./why-refused.ts";

export interface DryRunRequest {
  readonly method: string;
  readonly path: string;
  readonly key: string | null; // public id of a key
  readonly credential: string | null; // the secret, instead of the id
  /** The client's address, as proxies report it. All requests without an address share one budget by address. */
  readonly address?: string;
  readonly headers?: Readonly<Record<string, string>>; // by name in lower case
}

/** The state of one budget before this request. */
export interface BudgetView {
  readonly level: Scope;
  readonly budget: string;
  readonly algorithm: Algorithm;
  readonly rate: number;
  readonly per: number | null; // seconds; null: never renews
  readonly limit: number; // the present limit: an allowance, or this gateway's share
  readonly remaining: number;
  readonly refuses: boolean;
  readonly retryAfter: number | "never" | null; // seconds; null: this budget would admit the request
  readonly delay: number | null; // seconds until the request's turn (ALG-C10); null: it would not wait
  readonly reset: number | null; // Unix seconds; null: never
  readonly allowance: number | null; // whole part of the allowance; null: not smoothed
  readonly because: readonly string[];
}

export interface DryRun {
  readonly passes: boolean;
  readonly status: number | null; // null: the upstream sends the response
  readonly reason: ReasonName | null;
  readonly message: string | null; // for the client; null: no refusal
  readonly why: string; // the explanation for the operator
  readonly retryAfter: number | null;
  readonly waits: { readonly interval: number; readonly times: number } | null; // throttling (LIM-C9); null: none
  readonly delay: number | null; // seconds until the request's turn at every level (ALG-C10); null: it would not wait
  readonly api: string | null;
  readonly key: string | null;
  readonly path: string;
  readonly store: "here" | "answers" | "away" | "unused";
  readonly matched: readonly BudgetView[]; // in the order evaluated
  readonly shadows: readonly BudgetView[]; // shadow limits (LIM-C13)
  readonly notMatched: readonly Unmatched[];
}

/** A copy of the gateway without listeners. Its probes of the store do not postpone the gateway's own probes. */
const quietCopy = (gateway: Gateway): Gateway => ({
  ...gateway,
  emitted: new Set(),
  limiter: { ...gateway.limiter, emit: null, health: { ...gateway.limiter.health } },
});

export function* dryRun(gateway: Gateway, input: DryRunRequest): Steps<DryRun> {
  const quiet = quietCopy(gateway);
  const { limiter } = quiet;
  const { configuration } = limiter.resolver;
  const nowUs = quiet.clock();
  const request: GatewayRequest = {
    method: input.method.toUpperCase(),
    target: input.path,
    credential:
      input.key === null
        ? input.credential
        : (credentialOf(configuration, input.key) ?? UNKNOWN_CREDENTIAL),
    sender: {
      address: input.address ?? UNKNOWN_SENDER.address,
      header: (name) => input.headers?.[name] || null, // an empty header is treated as missing, as in a request
    },
  };
  const outcome = route(quiet, request, nowUs);
  if (!reachesLimiter(outcome)) return viewOfRun(quiet, request, outcome, NO_BUDGETS);
  const { client, cost } = outcome;
  const prepared = prepare(limiter, outcome.resolved, nowUs);
  const evaluation = yield* evaluate(limiter, { prepared, client, atUs: nowUs, units: cost });
  const { decision } = evaluation;
  outcome.decision = decision;
  if (decision.refused !== null) outcome.refused = refusalBy(decision);
  return viewOfRun(quiet, request, outcome, {
    store: STORES[evaluation.store],
    matched: evaluation.levels.map(({ level, reply }) => viewOf(level, client, reply, nowUs)),
    shadows: yield* viewsOfShadows(quiet, request, outcome, nowUs),
  });
}

/** A credential that no key has. */
export const UNKNOWN_CREDENTIAL = "";

function credentialOf({ keys }: Configuration, id: string): string | null {
  for (const [credential, key] of keys) if (key.id === id) return credential;
  return null;
}

interface Budgets {
  readonly store: DryRun["store"];
  readonly matched: readonly BudgetView[];
  readonly shadows: readonly BudgetView[];
}

const NO_BUDGETS: Budgets = { store: "unused", matched: [], shadows: [] };

const STORES: Readonly<Record<Evaluation["store"], DryRun["store"]>> = {
  unused: "unused",
  local: "here",
  reached: "answers",
  unreachable: "away",
};

/** Evaluates the shadow limits of a request, and returns their budgets except those in an unreachable store. */
function* viewsOfShadows(
  gateway: Gateway,
  request: GatewayRequest,
  outcome: RequestOutcome,
  atUs: Micros,
): Steps<readonly BudgetView[]> {
  const met = shadowsMet(gateway, request, outcome, atUs);
  const { limiter } = gateway;
  const views: BudgetView[] = [];
  for (const { level } of met?.levels ?? []) {
    if (met === null || (level.place === "store" && isOpen(limiter.health))) continue;
    const { client } = met;
    const reply = yield* evaluateLevel(limiter, { level, client, atUs, units: outcome.cost });
    if (!hasFailed(reply)) views.push(viewOf(level, client, reply, atUs));
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
    retryAfter: refuses ? secondsOrNever(reply.waitUs) : null,
    delay: refuses ? null : secondsOfDelay(reply.delayUs),
    reset: Number.isFinite(reply.resetUs)
      ? Math.ceil(Math.max(reply.resetUs, atUs) / SECOND)
      : null,
    allowance: rule === null ? null : reply.allowance,
    because: budget.because,
  };
}

const secondsOfDelay = (delayUs: number): number | null =>
  delayUs === 0 ? null : microsToSeconds(micros(delayUs));

const secondsOrNever = (waitUs: number): number | "never" =>
  Number.isFinite(waitUs) ? waitSeconds(waitUs) : "never";

function viewOfRun(
  gateway: Gateway,
  request: GatewayRequest,
  outcome: RequestOutcome,
  budgets: Budgets,
): DryRun {
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
    delay: decision === null ? null : secondsOfDelay(decision.delayUs),
    api: api?.id ?? null,
    key: session?.key.id ?? null,
    path,
    ...budgets,
    notMatched: outcome.resolved === null ? [] : notMatched(gateway, request, outcome),
  };
}

function notMatched(
  { limiter: { resolver } }: Gateway,
  { method, target }: GatewayRequest,
  { api, session, path }: RequestOutcome,
): readonly Unmatched[] {
  const rules = resolver.apis.find(({ definition }) => definition === api);
  if (api === null || rules === undefined) return [];
  return listUnmatched({
    api,
    key: session?.key ?? null,
    merged: session?.profile.merged ?? null,
    policies: resolver.configuration.policies,
    method,
    path: entryPath(resolver.configuration.options, rules, target, path),
    matching: resolver.configuration.options,
  });
}
