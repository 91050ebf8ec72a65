// One gateway's limiter: decisions in one call, for a local store. steps.ts has decisions over a remote store, whose
// replies take time, may fail, or have several parts.
import { isOfApi } from "./budget.ts";
import type { GatewayOptions } from "./config.ts";
import { conclude, UNLIMITED, type Decision, type DecisionDraft } from "./decision.ts";
import type { LimiterEvent } from "./events.ts";
import { countActive, fleetOfOne, type ActiveGateways } from "./fleet.ts";
import { gatewayCount, initialHealth, type Health } from "./health.ts";
import type { Resolved, Resolver } from "./resolve/resolved.ts";
import { levelOf } from "./select.ts";
import { isSentAsCommands, runSequence } from "./sequence.ts";
import {
  emptyReply,
  type BoundLevels,
  type Intent,
  type Level,
  type Reply,
  type LocalStore,
} from "./store.ts";
import type { Client } from "./client.ts";
import type { Micros } from "../../kit/units.ts";

/** The properties of a store that change how the limiter uses it. */
export interface StoreTraits {
  readonly isRemote: boolean; // it is in another process
  readonly hasTransactions: boolean; // it has transactions besides scripts, for logs as commands (ALG-C7)
  readonly isSplit: boolean; // a cluster: two budgets may be on two nodes, so no step evaluates both (LIM-C1)
}

export const LOCAL_STORE_TRAITS: StoreTraits = {
  isRemote: false,
  hasTransactions: false,
  isSplit: false,
};
export const REMOTE_STORE_TRAITS: StoreTraits = { ...LOCAL_STORE_TRAITS, isRemote: true };

export interface Limiter {
  resolver: Resolver;
  readonly localStore: LocalStore; // counts in this process: everything, or only DRL and fallbacks
  readonly store: StoreTraits;
  readonly fleet: ActiveGateways;
  readonly health: Health;
  readonly emit: ((event: LimiterEvent) => void) | null; // null: no listener, so no event is built
  prepared: (Prepared | undefined)[]; // by the id of a `Resolved`
  preparedFor: number; // the number of gateways when `prepared` was built
  readonly reply: Reply;
  readonly lastSeen: Map<string, number>; // last allowance, or units left of a quota, by budget name: for fallbacks
  readonly locals: WeakMap<Level, Level>; // by level, the level that replaces it in a fallback
}

export interface Prepared {
  readonly resolved: Resolved;
  readonly levels: readonly Level[];
  readonly bound: BoundLevels;
  readonly inBackground: readonly number[]; // levels that are written after the decision
  readonly isOneStep: boolean; // one store operation evaluates all levels before it spends any (LIM-C1)
}

/** The input of a decision: the levels, the client, the time, whether to spend, and the cost in units. */
export interface DecisionInput {
  readonly prepared: Prepared;
  readonly client: Client;
  readonly atUs: Micros;
  readonly intent: Intent;
  readonly units: number;
}

export const limiter = (
  resolver: Resolver,
  localStore: LocalStore,
  store: StoreTraits,
  emit: Limiter["emit"],
): Limiter => ({
  resolver,
  localStore,
  store,
  fleet: fleetOfOne(),
  health: initialHealth(),
  emit,
  prepared: [],
  preparedFor: 0,
  reply: emptyReply(),
  lastSeen: new Map(),
  locals: new WeakMap(),
});

/** Whether logs are written by `store_transaction: multi`, which not every store supports. */
export const inTransactions = (limiter: Limiter): boolean =>
  limiter.store.hasTransactions && optionsOf(limiter).storeTransaction === "multi";

export const optionsOf = (limiter: Limiter): GatewayOptions =>
  limiter.resolver.configuration.options;

/** The next request meets the new configuration; spent budgets stay in the store (MGT-C5). */
export function configure(limiter: Limiter, next: Resolver): void {
  limiter.resolver = next;
  limiter.prepared = [];
}

/** n of ALG-C1 and ALG-C4 at this time, the number of active gateways. */
export function gatewaysAt(limiter: Limiter, nowUs: Micros): number {
  const active = countActive(limiter.fleet, nowUs, optionsOf(limiter).drlExpiryUs);
  return gatewayCount(limiter.health, active, nowUs);
}

export function prepare(limiter: Limiter, resolved: Resolved, nowUs: Micros): Prepared {
  const gateways = gatewaysAt(limiter, nowUs);
  if (gateways !== limiter.preparedFor) {
    limiter.prepared = [];
    limiter.preparedFor = gateways;
  }
  const current = limiter.prepared[resolved.id];
  // A throttled request may try again after a reload, when another `Resolved` has the same id.
  if (current?.resolved === resolved) return current;
  return (limiter.prepared[resolved.id] = buildPrepared(limiter, resolved, gateways));
}

function buildPrepared(limiter: Limiter, resolved: Resolved, gateways: number): Prepared {
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
  const isTogether = levels.every(({ place }) => place === levels[0]!.place) || !isRemote;
  const isOneCall =
    !isRemote || levels.every((level) => !isSentAsCommands(level, inTransactions(limiter)));
  const isOneNode = levels.length < 2 || !isSplit;
  return {
    resolved,
    levels,
    bound: limiter.localStore.bind(levels),
    inBackground,
    isOneStep: isTogether && isOneCall && isOneNode && options.limitOrder === "api_first",
  };
}

/**
 * Decides in one call, if all levels are counted in this process. The fields of a `DecisionInput` are separate
 * arguments, because an object for each request makes a decision by a fixed window 16 % slower (`npm run bench:core`).
 */
export function decideNow(
  limiter: Limiter,
  prepared: Prepared,
  client: Client,
  atUs: Micros,
  intent: Intent,
  units: number,
  into?: DecisionDraft,
): Decision {
  const { levels } = prepared;
  if (levels.length === 0) return UNLIMITED;
  const decision = prepared.isOneStep
    ? conclude(levels, prepared.bound.take(client, atUs, intent, limiter.reply, units), false, into)
    : runSequence(limiter.localStore, { levels, client, atUs, intent, units });
  return prepared.inBackground.length === 0 || intent === "evaluate"
    ? decision
    : writeMarks(limiter, { prepared, client, atUs, intent, units }, decision);
}

/**
 * Whether a sentinel writes this attempt: if every level admitted it, or if the sentinel itself refused it. It does not
 * write a refused request that is throttled, because that one tries again (LIM-C9). With `limit_order: key_first` a
 * level is spent before the next one is evaluated, so an attempt that a later level refused is written too (LIM-C1).
 */
export function needsBackgroundWrite(
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

/** Performs the sentinel's writes after the decision, before the next request (ALG-C5). */
function writeMarks(limiter: Limiter, input: DecisionInput, decision: Decision): Decision {
  const { prepared, client, atUs, intent, units } = input;
  let { changes } = decision;
  for (const index of prepared.inBackground) {
    if (!needsBackgroundWrite(prepared, index, decision, optionsOf(limiter), intent)) continue;
    const reply = prepared.bound.mark(index, client, atUs, limiter.reply, units);
    if (reply.changes.length > 0) changes = [...changes, ...reply.changes];
  }
  return changes === decision.changes ? decision : { ...decision, changes };
}
