// Decides by a remote store: replies take time and may not arrive (ALG-C8), and a decision may need several. The
// generators yield store operations, and their caller supplies the replies.
import { WITHOUT_STORE } from "./because.ts";
import { budgetName, isQuota } from "./budget.ts";
import { limiterEvent } from "./events.ts";
import { conclude, UNAVAILABLE, UNLIMITED, type Decision } from "./decision.ts";
import { gatewayCount, isOpen, isProbeDue, recordFailure, recordSuccess } from "./health.ts";
import { countActive } from "./fleet.ts";
import {
  decideNow,
  inTransactions,
  needsBackgroundWrite,
  optionsOf,
  type Limiter,
  type DecisionInput,
} from "./limiter.ts";
import { wholeAllowance } from "./smoothing.ts";
import { shareOf, withAlgorithm } from "./select.ts";
import { takeInSequence, runSequence } from "./sequence.ts";
import {
  hasFailed,
  type StoreResult,
  type Level,
  type Intent,
  type Reply,
  type StoreFailure,
  type StoreOp,
  type Steps,
} from "./store.ts";
import type { Client } from "./client.ts";
import type { Micros } from "../../kit/units.ts";

/** A decision, and the background writes that follow it. */
export interface LimiterResult {
  readonly decision: Decision;
  readonly background: readonly StoreOp[];
}

export function* decideSteps(limiter: Limiter, input: DecisionInput): Steps<LimiterResult> {
  return (
    decideLocally(limiter, input) ??
    decideByReply(limiter, input, yield* operationsFor(limiter, input))
  );
}

/** Decides if no limit applies, this gateway counts all levels, or the store is unreachable; else null. */
export function decideLocally(limiter: Limiter, input: DecisionInput): LimiterResult | null {
  const { prepared, client, atUs, intent, units } = input;
  const { levels } = prepared;
  if (levels.length === 0) return { decision: UNLIMITED, background: NO_WRITES };
  if (levels.every(({ place }) => place === "gateway")) {
    const decision = decideNow(limiter, prepared, client, atUs, intent, units);
    return { decision, background: NO_WRITES };
  }
  if (!isOpen(limiter.health)) return null;
  const background = isProbeDue(limiter.health, atUs)
    ? [probe(limiter, levels, client, atUs)]
    : NO_WRITES;
  return { decision: decideWithoutStore(limiter, input), background };
}

/** Decides by the store's reply, or by its failure. */
export function decideByReply(
  limiter: Limiter,
  input: DecisionInput,
  reply: Reply | StoreFailure,
): LimiterResult {
  if (hasFailed(reply))
    return { decision: decideWithoutStore(limiter, input), background: NO_WRITES };
  const { levels } = input.prepared;
  const decision = conclude(levels, reply, false);
  updateLastSeen(limiter, levels, reply, input.client);
  return { decision, background: marksAfter(limiter, input, decision) };
}

const NO_WRITES: LimiterResult["background"] = [];

function* operationsFor(limiter: Limiter, input: DecisionInput): Steps<Reply | StoreFailure> {
  const { prepared, client, atUs, intent, units } = input;
  const { levels } = prepared;
  if (prepared.isOneStep) return yield { op: "take", levels, client, atUs, intent, units };
  const givesBack = optionsOf(limiter).limitOrder === "api_first";
  const steps = takeInSequence({
    levels,
    client,
    atUs,
    intent,
    units,
    givesBack,
    inTransactions: inTransactions(limiter),
    isSplit: limiter.store.isSplit,
  });
  let next = steps.next();
  while (next.done !== true) next = steps.next(yield* performLocally(limiter, next.value));
  return next.value;
}

/** Performs an operation on a level that this gateway counts; yields any other operation. */
export function* performLocally({ localStore }: Limiter, op: StoreOp): Steps<StoreResult> {
  if (op.op === "pipeline") return yield op;
  const level = op.op === "take" ? op.levels[0] : op.level;
  return level?.place === "gateway" ? localStore.perform(op) : yield op;
}

function marksAfter(
  limiter: Limiter,
  input: DecisionInput,
  decision: Decision,
): readonly StoreOp[] {
  const { prepared, client, atUs, intent, units } = input;
  if (prepared.inBackground.length === 0 || intent === "evaluate") return NO_WRITES;
  const indexes = prepared.inBackground.filter((index) =>
    needsBackgroundWrite(prepared, index, decision, optionsOf(limiter), intent),
  );
  return indexes.map((index) => ({
    op: "mark",
    level: prepared.levels[index]!,
    client,
    atUs,
    units,
  }));
}

/** The operation that tests whether the store is reachable again, without spending. */
function probe(
  { store }: Limiter,
  levels: readonly Level[],
  client: Client,
  atUs: Micros,
): StoreOp {
  const remote = levels.filter(({ place }) => place === "store");
  const probed = store.isSplit ? remote.slice(0, 1) : remote;
  return { op: "take", levels: probed, client, atUs, intent: "evaluate", units: 1 };
}

// ---------------------------------------------------------------- fallback

const LAST_SEEN = 100_000;

/**
 * Retains the allowances and quotas of this reply, all that a fallback needs. Drops the oldest value above `LAST_SEEN`.
 * If another level refused, the reply has no value for this level, and the earlier value remains.
 */
function updateLastSeen(
  limiter: Limiter,
  levels: readonly Level[],
  reply: Reply,
  client: Client,
): void {
  for (const level of levels) {
    const value = fallbackValue(level, reply);
    if (value < 0) continue;
    const name = budgetName(level.budget, client);
    limiter.lastSeen.delete(name);
    limiter.lastSeen.set(name, value);
    if (limiter.lastSeen.size > LAST_SEEN)
      for (const [oldest] of limiter.lastSeen) if (limiter.lastSeen.delete(oldest)) break;
  }
}

/** The allowance or quota that a fallback needs; -1: it needs none for this level, or the reply has none. */
function fallbackValue({ rule, budget: { scope } }: Level, reply: Reply): number {
  if (rule !== null) return reply.allowance;
  if (scope === "quota") return reply.quotaLeft;
  return scope === "quota-api" ? reply.quotaAtApiLeft : -1;
}

/** Decides as `on_store_error` requires (ALG-C8). */
export function decideWithoutStore(limiter: Limiter, input: DecisionInput): Decision {
  switch (optionsOf(limiter).onStoreError) {
    case "allow":
      return decideLocalLevels(limiter, input) ?? { ...UNLIMITED, fallback: true };
    case "deny": {
      const decision = decideLocalLevels(limiter, input, "evaluate");
      return decision === null || decision.refused === null ? UNAVAILABLE : decision;
    }
    case "local": {
      const levels = localLevels(limiter, input);
      return levels === null ? UNAVAILABLE : decideInGateway(limiter, input, levels, input.intent);
    }
  }
}

/** The levels to decide by while the store is unreachable; null: the share of this gateway is unknown. */
export function localLevels(
  limiter: Limiter,
  { prepared: { levels }, client }: DecisionInput,
): readonly Level[] | null {
  const share = limiter.health.hasReplied
    ? (limiter.health.frozenCount ?? limiter.preparedFor) // n is not frozen if only a part of the store is lost
    : optionsOf(limiter).expectedGateways;
  return share === null
    ? null
    : levels.map((level) =>
        level.place === "gateway" ? level : localLevel(limiter, level, client, share),
      );
}

/** Decides by the levels that this gateway counts, which are spent even while the store is unreachable (ALG-C4). */
function decideLocalLevels(
  limiter: Limiter,
  input: DecisionInput,
  intent: Intent = input.intent,
): Decision | null {
  const levels = input.prepared.levels.filter(({ place }) => place === "gateway");
  return levels.length === 0 ? null : decideInGateway(limiter, input, levels, intent);
}

/** Decides in one step, because every level is counted here; with `key_first` level by level (LIM-C1). */
function decideInGateway(
  limiter: Limiter,
  { client, atUs, units }: Omit<DecisionInput, "intent">,
  levels: readonly Level[],
  intent: Intent,
): Decision {
  const input = { levels, client, atUs, intent, units };
  if (optionsOf(limiter).limitOrder === "key_first")
    return { ...runSequence(limiter.localStore, input), fallback: true };
  const reply = limiter.localStore.perform({ op: "take", ...input });
  return conclude(levels, reply, true);
}

/** Replaces a level of the unreachable store by one that this gateway counts, with its share and its own window. */
function localLevel(limiter: Limiter, level: Level, client: Client, gateways: number): Level {
  const total = totalWithoutStore(limiter, level, client);
  const capacity = isQuota(level.budget.scope)
    ? Math.floor(total / gateways)
    : shareOf(total, gateways);
  const current = limiter.locals.get(level);
  if (current?.capacity === capacity && current.shownLimit === Math.floor(total)) return current;
  const local = asLocal(level, capacity, Math.floor(total));
  limiter.locals.set(level, local);
  return local;
}

/** How much all gateways may admit together without the store: the rate, or the last allowance or quota. */
function totalWithoutStore({ lastSeen }: Limiter, level: Level, client: Client): number {
  const { budget, rule } = level;
  if (rule === null && !isQuota(budget.scope)) return budget.limit.rate;
  const value = lastSeen.get(budgetName(budget, client));
  return value ?? (rule === null ? 0 : wholeAllowance(rule.threshold));
}

const asLocal = (level: Level, capacity: number, shownLimit: number): Level => ({
  ...withAlgorithm(level, "drl"),
  budget: {
    ...level.budget,
    space: `fallback/${level.budget.space}`,
    because: [...level.budget.because, WITHOUT_STORE],
  },
  capacity,
  shownLimit,
  rule: null,
  startsAtClock: false,
  place: "gateway",
});

// ---------------------------------------------------------------- health

/** Call it for each operation that the store has replied to or failed to reply to, including probes. */
export function updateHealth(limiter: Limiter, hasFailedNow: boolean, nowUs: Micros): void {
  const { health } = limiter;
  const { drlExpiryUs } = optionsOf(limiter);
  const gateways = gatewayCount(health, countActive(limiter.fleet, nowUs, drlExpiryUs), nowUs);
  const hasChanged = hasFailedNow
    ? recordFailure(health, gateways, nowUs)
    : recordSuccess(health, nowUs, drlExpiryUs);
  if (hasChanged)
    limiter.emit?.(limiterEvent(hasFailedNow ? "StoreUnavailable" : "StoreRecovered", nowUs, null));
}

/** `updateHealth` for a result. `lost`: nothing was sent, so the result shows nothing about the store. */
export function updateHealthByResult(limiter: Limiter, answer: StoreResult, nowUs: Micros): void {
  if (!hasFailed(answer) || answer.failed !== "lost")
    updateHealth(limiter, hasFailed(answer), nowUs);
}
