// One gateway's limiter: resolve, ask, decide. Here is the short way, for a store that answers at once;
// steps.ts has the long way, where an answer takes time, may fail, or comes in several parts.
import { isOfApi } from "./budget.ts";
import type { GatewayOptions } from "./config.ts";
import { conclude, UNLIMITED, type Decision, type DecisionDraft } from "./decision.ts";
import type { LimiterEvent } from "./events.ts";
import { countAt, fleetOfOne, type Fleet } from "./fleet.ts";
import { gatewaysKnown, healthy, type Health } from "./health.ts";
import type { Resolved, Resolver } from "./resolve/resolved.ts";
import { levelOf } from "./select.ts";
import { isSentAsCommands, runSequence } from "./sequence.ts";
import {
  emptyReply,
  type BoundLevels,
  type Intent,
  type Level,
  type Reply,
  type StoreAtHand,
} from "./store.ts";
import type { Client } from "./client.ts";
import type { Micros } from "./units.ts";

/** The properties of a store that change how the limiter uses it. */
export interface StoreTraits {
  readonly isRemote: boolean; // in another process
  readonly hasTransactions: boolean; // in addition to scripts, so that a log may be written in one (ALG-C7)
  readonly isSplit: boolean; // a cluster: two budgets may be on two nodes, so they are never one step (LIM-C1)
}

export const LOCAL_STORE: StoreTraits = {
  isRemote: false,
  hasTransactions: false,
  isSplit: false,
};
export const REMOTE_STORE: StoreTraits = { ...LOCAL_STORE, isRemote: true };

export interface Limiter {
  resolver: Resolver;
  readonly atHand: StoreAtHand; // what is counted in this process: everything, or DRL and the fallback alone
  readonly store: StoreTraits;
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
  readonly bound: BoundLevels;
  readonly inBackground: readonly number[]; // levels that are written after the decision
  readonly isOneStep: boolean; // one store operation evaluates all levels before it spends any (LIM-C1)
}

/** What the limiter decides: which levels, for whom, when, and whether they are spent. */
export interface Question {
  readonly prepared: Prepared;
  readonly client: Client;
  readonly atUs: Micros;
  readonly intent: Intent;
}

export const limiter = (
  resolver: Resolver,
  atHand: StoreAtHand,
  store: StoreTraits,
  emit: Limiter["emit"],
): Limiter => ({
  resolver,
  atHand,
  store,
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
  limiter.store.hasTransactions && optionsOf(limiter).storeTransaction === "multi";

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
  const inBackground = levels.flatMap((level, index) =>
    level.traits.isWrittenInBackground ? [index] : [],
  );
  const { isRemote, isSplit } = limiter.store;
  const together = levels.every(({ place }) => place === levels[0]!.place) || !isRemote;
  const inOneCall =
    !isRemote || levels.every((level) => !isSentAsCommands(level, inTransactions(limiter)));
  const inOnePlace = levels.length < 2 || !isSplit;
  return {
    resolved,
    levels,
    bound: limiter.atHand.bind(levels),
    inBackground,
    isOneStep: together && inOneCall && inOnePlace && options.limitOrder === "api_first",
  };
}

/**
 * Decides in one call. Only for levels that are all counted in this process. It takes the parts of a `Question`, because
 * an object for each request makes a decision by a fixed window 16 % slower (`npm run bench:core`).
 */
export function decideNow(
  limiter: Limiter,
  prepared: Prepared,
  client: Client,
  atUs: Micros,
  intent: Intent,
  into?: DecisionDraft,
): Decision {
  const { levels } = prepared;
  if (levels.length === 0) return UNLIMITED;
  const decision = prepared.isOneStep
    ? conclude(levels, prepared.bound.take(client, atUs, intent, limiter.reply), false, into)
    : runSequence(limiter.atHand, { levels, client, atUs, intent });
  return prepared.inBackground.length === 0 || intent === "ask"
    ? decision
    : writeMarks(limiter, { prepared, client, atUs, intent }, decision);
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
function writeMarks(limiter: Limiter, question: Question, decision: Decision): Decision {
  const { prepared, client, atUs, intent } = question;
  let { changes } = decision;
  for (const index of prepared.inBackground) {
    if (!isWrittenBehind(prepared, index, decision, optionsOf(limiter), intent)) continue;
    const reply = prepared.bound.mark(index, client, atUs, limiter.reply);
    if (reply.changes.length > 0) changes = [...changes, ...reply.changes];
  }
  return changes === decision.changes ? decision : { ...decision, changes };
}
