// One gateway's limiter: resolve, ask, decide. Here is the short way, for a store that answers at once;
// steps.ts has the long way, where an answer takes time, may fail, or comes in several parts.
import { isOfApi } from "./budget.ts";
import type { GatewayOptions } from "./config.ts";
import {
  conclude,
  UNLIMITED,
  type Decision,
  type DecisionDraft,
  type LimiterEvent,
} from "./decision.ts";
import { countAt, fleetOfOne, type Fleet } from "./fleet.ts";
import { gatewaysKnown, healthy, type Health } from "./health.ts";
import type { Resolved, Resolver } from "./resolve/resolved.ts";
import { levelOf } from "./select.ts";
import { isSentAsCommands, runSequence } from "./sequence.ts";
import {
  emptyReply,
  type Intent,
  type Level,
  type Question,
  type Reply,
  type StoreAtHand,
} from "./store.ts";
import type { Client } from "./client.ts";
import type { Micros } from "./units.ts";

export interface Limiter {
  resolver: Resolver;
  readonly atHand: StoreAtHand; // what is counted in this process: everything, or DRL and the fallback alone
  readonly storeIsRemote: boolean;
  storeHasTransactions: boolean; // beside scripts, and so a log may be written in one (ALG-C7)
  storeIsSplit: boolean; // a cluster: no two budgets are surely in one place, and so never one step (LIM-C1)
  readonly fleet: Fleet;
  readonly health: Health;
  readonly emit: ((event: LimiterEvent) => void) | null; // null: nobody listens, so no event is made
  prepared: (Prepared | undefined)[]; // by Resolved
  preparedFor: number; // gateways
  readonly reply: Reply;
  readonly lastSeen: Map<string, number>; // allowance or quota left, by budget name: what a fallback goes by
  readonly locals: WeakMap<Level, Level>; // what a fallback last made of a level: one serves many requests
}

export interface Prepared {
  readonly resolved: Resolved;
  readonly levels: readonly Level[];
  readonly question: Question;
  readonly sentinels: readonly number[]; // levels written behind the answer
  readonly isOneStep: boolean; // all levels in one question, judged before any is spent (LIM-C1)
}

export const limiter = (
  resolver: Resolver,
  atHand: StoreAtHand,
  storeIsRemote: boolean,
  emit: Limiter["emit"],
): Limiter => ({
  resolver,
  atHand,
  storeIsRemote,
  storeHasTransactions: false,
  storeIsSplit: false,
  fleet: fleetOfOne(),
  health: healthy(),
  emit,
  prepared: [],
  preparedFor: 0,
  reply: emptyReply(),
  lastSeen: new Map(),
  locals: new WeakMap(),
});

/** `store_transaction: multi`, where the store can. */
export const inTransactions = (limiter: Limiter): boolean =>
  limiter.storeHasTransactions && optionsOf(limiter).storeTransaction === "multi";

export const optionsOf = (limiter: Limiter): GatewayOptions =>
  limiter.resolver.configuration.options;

/** A new configuration governs the next request; what was spent stays in the store (MGT-C5). */
export function configure(limiter: Limiter, next: Resolver): void {
  limiter.resolver = next;
  limiter.prepared = [];
}

/** n as ALG-C1 and ALG-C4 mean it, at this moment. */
export function gatewaysAt(limiter: Limiter, nowUs: Micros): number {
  const heard = countAt(limiter.fleet, nowUs, optionsOf(limiter).drlExpiryUs);
  return gatewaysKnown(limiter.health, heard, nowUs);
}

export function prepare(limiter: Limiter, resolved: Resolved, nowUs: Micros): Prepared {
  const gateways = gatewaysAt(limiter, nowUs);
  if (gateways !== limiter.preparedFor) {
    limiter.prepared = [];
    limiter.preparedFor = gateways;
  }
  const known = limiter.prepared[resolved.id];
  // A request that waits may come back with what an earlier configuration resolved under the same number.
  if (known?.resolved === resolved) return known;
  return (limiter.prepared[resolved.id] = made(limiter, resolved, gateways));
}

function made(limiter: Limiter, resolved: Resolved, gateways: number): Prepared {
  const options = optionsOf(limiter);
  const { api, key, quota, quotaAtApi } = resolved;
  const order =
    options.limitOrder === "key_first"
      ? [key, quota, quotaAtApi, api]
      : [api, key, quota, quotaAtApi];
  const levels = order.flatMap((budget) =>
    budget === null ? [] : [levelOf(options, budget, gateways)],
  );
  const sentinels = levels.flatMap((level, index) =>
    level.algorithm === "sentinel" ? [index] : [],
  );
  const together =
    levels.every(({ place }) => place === levels[0]!.place) || !limiter.storeIsRemote;
  const inOneCall =
    !limiter.storeIsRemote ||
    levels.every((level) => !isSentAsCommands(level, inTransactions(limiter)));
  const inOnePlace = levels.length < 2 || !limiter.storeIsSplit;
  return {
    resolved,
    levels,
    question: limiter.atHand.bind(levels),
    sentinels,
    isOneStep: together && inOneCall && inOnePlace && options.limitOrder === "api_first",
  };
}

/** Decides at once. Only for a limiter whose store is at hand. */
export function decideNow(
  limiter: Limiter,
  resolved: Resolved,
  client: Client,
  nowUs: Micros,
  intent: Intent,
  into?: DecisionDraft,
): Decision {
  const prepared = prepare(limiter, resolved, nowUs);
  const { levels } = prepared;
  if (levels.length === 0) return UNLIMITED;
  const decision = prepared.isOneStep
    ? conclude(levels, prepared.question.take(client, nowUs, intent, limiter.reply), false, into)
    : runSequence(limiter.atHand, levels, client, nowUs, intent);
  return prepared.sentinels.length === 0 || intent === "ask"
    ? decision
    : writeMarks(limiter, prepared, client, nowUs, intent, decision);
}

/**
 * Whether a sentinel writes this attempt: when every level admitted, and when it refused itself, unless
 * the request waits and asks again (LIM-C9). With the key asked first also when a later level refused,
 * because there each is spent as it admits (LIM-C1).
 */
export function isWrittenBehind(
  { levels }: Prepared,
  index: number,
  { refused, level }: Decision,
  { limitOrder }: GatewayOptions,
  intent: Intent,
): boolean {
  if (refused === null || level === null) return refused === null;
  if (levels[index] === level) return intent === "spend" || isOfApi(level.budget.scope);
  return limitOrder === "key_first" && index < levels.indexOf(level);
}

/** Behind the answer, but before anybody else asks: what a sentinel has to write (ALG-C5). */
function writeMarks(
  limiter: Limiter,
  prepared: Prepared,
  client: Client,
  nowUs: Micros,
  intent: Intent,
  decision: Decision,
): Decision {
  let { changes } = decision;
  for (const index of prepared.sentinels) {
    if (!isWrittenBehind(prepared, index, decision, optionsOf(limiter), intent)) continue;
    const reply = prepared.question.mark(index, client, nowUs, limiter.reply);
    if (reply.changes.length > 0) changes = [...changes, ...reply.changes];
  }
  return changes === decision.changes ? decision : { ...decision, changes };
}
