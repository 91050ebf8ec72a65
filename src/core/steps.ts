// The long way to a decision: the store is elsewhere, so an answer takes time, may not come (ALG-C8), or
// comes in several parts. Whoever runs the steps supplies the answers.
import { WITHOUT_STORE } from "./because.ts";
import { budgetName, isQuota } from "./budget.ts";
import { limiterEvent } from "./events.ts";
import { conclude, UNAVAILABLE, UNLIMITED, type Decision } from "./decision.ts";
import { gatewaysKnown, isOpen, isProbeDue, noteFailure, noteSuccess } from "./health.ts";
import { countAt } from "./fleet.ts";
import {
  decideNow,
  inTransactions,
  isWrittenBehind,
  optionsOf,
  type Limiter,
  type Question,
} from "./limiter.ts";
import { wholeAllowance } from "./smoothing.ts";
import { shareOf, withAlgorithm } from "./select.ts";
import { inSequence, runSequence } from "./sequence.ts";
import {
  hasFailed,
  type Answer,
  type Level,
  type LevelsQuestion,
  type Reply,
  type StoreFailure,
  type StoreOp,
  type Steps,
} from "./store.ts";
import type { Client } from "./client.ts";
import type { Micros } from "./units.ts";

/** A decision, and the background writes that follow it. */
export interface Decided {
  readonly decision: Decision;
  readonly background: readonly StoreOp[];
}

export function* decideSteps(limiter: Limiter, question: Question): Steps<Decided> {
  return (
    decideLocally(limiter, question) ??
    decideByReply(limiter, question, yield* operationsFor(limiter, question))
  );
}

/** Decides without waiting for the store: nothing limits, all levels are counted here, or the store is unreachable. */
export function decideLocally(limiter: Limiter, question: Question): Decided | null {
  const { prepared, client, atUs } = question;
  const { levels } = prepared;
  if (levels.length === 0) return { decision: UNLIMITED, background: NOTHING };
  if (levels.every(({ place }) => place === "gateway")) {
    const decision = decideNow(limiter, prepared, client, atUs, question.intent);
    return { decision, background: NOTHING };
  }
  if (!isOpen(limiter.health)) return null;
  const background = isProbeDue(limiter.health, atUs)
    ? [probe(limiter, levels, client, atUs)]
    : NOTHING;
  return { decision: withoutStore(limiter, question), background };
}

/** Decides by the store's reply, or by its failure. */
export function decideByReply(
  limiter: Limiter,
  question: Question,
  reply: Reply | StoreFailure,
): Decided {
  if (hasFailed(reply)) return { decision: withoutStore(limiter, question), background: NOTHING };
  const { levels } = question.prepared;
  const decision = conclude(levels, reply, false);
  remember(limiter, levels, reply, question.client);
  return { decision, background: marksAfter(limiter, question, decision) };
}

const NOTHING: Decided["background"] = [];

function* operationsFor(limiter: Limiter, question: Question): Steps<Reply | StoreFailure> {
  const { prepared, client, atUs, intent } = question;
  const { levels } = prepared;
  if (prepared.isOneStep) return yield { op: "take", levels, client, atUs, intent };
  const givesBack = optionsOf(limiter).limitOrder === "api_first";
  const steps = inSequence({
    levels,
    client,
    atUs,
    intent,
    givesBack,
    inTransactions: inTransactions(limiter),
    isSplit: limiter.store.isSplit,
  });
  let next = steps.next();
  while (next.done !== true) next = steps.next(yield* answerLocally(limiter, next.value));
  return next.value;
}

/** Performs an operation on a level that this gateway counts; yields every other. */
export function* answerLocally({ atHand }: Limiter, op: StoreOp): Steps<Answer> {
  if (op.op === "pipeline") return yield op;
  const level = op.op === "take" ? op.levels[0] : op.level;
  return level?.place === "gateway" ? atHand.perform(op) : yield op;
}

function marksAfter(limiter: Limiter, question: Question, decision: Decision): readonly StoreOp[] {
  const { prepared, client, atUs, intent } = question;
  if (prepared.inBackground.length === 0 || intent === "ask") return NOTHING;
  const written = prepared.inBackground.filter((index) =>
    isWrittenBehind(prepared, index, decision, optionsOf(limiter), intent),
  );
  return written.map((index) => ({ op: "mark", level: prepared.levels[index]!, client, atUs }));
}

/** Tests whether the store is reachable again and spends nothing. */
function probe(
  { store }: Limiter,
  levels: readonly Level[],
  client: Client,
  atUs: Micros,
): StoreOp {
  const remote = levels.filter(({ place }) => place === "store");
  const probed = store.isSplit ? remote.slice(0, 1) : remote;
  return { op: "take", levels: probed, client, atUs, intent: "ask" };
}

// ---------------------------------------------------------------- what a gateway remembers and falls back to

const LAST_SEEN = 100_000;

/**
 * Allowances and quota left as last seen here: all that a fallback may go by. Oldest out first. Where
 * another level refused, the store says nothing of this one, and what was seen before stands.
 */
function remember(limiter: Limiter, levels: readonly Level[], reply: Reply, client: Client): void {
  for (const level of levels) {
    const seen = seenOf(level, reply);
    if (seen < 0) continue;
    const name = budgetName(level.budget, client);
    limiter.lastSeen.delete(name);
    limiter.lastSeen.set(name, seen);
    if (limiter.lastSeen.size > LAST_SEEN)
      for (const [oldest] of limiter.lastSeen) if (limiter.lastSeen.delete(oldest)) break;
  }
}

/** -1: nothing is said of this level, or nothing that a fallback needs. */
function seenOf({ rule, budget: { scope } }: Level, reply: Reply): number {
  if (rule !== null) return reply.allowance;
  if (scope === "quota") return reply.quotaLeft;
  return scope === "quota-api" ? reply.quotaAtApiLeft : -1;
}

/** Decides by `on_store_error` (ALG-C8). */
export function withoutStore(limiter: Limiter, question: Question): Decision {
  switch (optionsOf(limiter).onStoreError) {
    case "allow":
      return decideLocalLevels(limiter, question) ?? { ...UNLIMITED, fallback: true };
    case "deny": {
      const decision = decideLocalLevels(limiter, { ...question, intent: "ask" });
      return decision === null || decision.refused === null ? UNAVAILABLE : decision;
    }
    case "local": {
      const levels = localLevels(limiter, question);
      return levels === null ? UNAVAILABLE : decideInGateway(limiter, { ...question, levels });
    }
  }
}

/** The levels that replace those of an unreachable store; null: this gateway's share is unknown. */
export function localLevels(
  limiter: Limiter,
  { prepared: { levels }, client }: Question,
): readonly Level[] | null {
  const share = limiter.health.everReached
    ? (limiter.health.frozenCount ?? limiter.preparedFor) // where a part is lost, nothing is frozen
    : optionsOf(limiter).expectedGateways;
  return share === null
    ? null
    : levels.map((level) =>
        level.place === "gateway" ? level : localLevel(limiter, level, client, share),
      );
}

/** Levels that this gateway counts need no store, and are spent while it is unreachable (ALG-C4). */
function decideLocalLevels(limiter: Limiter, question: Question): Decision | null {
  const levels = question.prepared.levels.filter(({ place }) => place === "gateway");
  return levels.length === 0 ? null : decideInGateway(limiter, { ...question, levels });
}

/** One step, because every level is counted here; or the key first where `limit_order` is `key_first` (LIM-C1). */
function decideInGateway(
  limiter: Limiter,
  { levels, client, atUs, intent }: LevelsQuestion,
): Decision {
  const question = { levels, client, atUs, intent };
  if (optionsOf(limiter).limitOrder === "key_first")
    return { ...runSequence(limiter.atHand, question), fallback: true };
  const reply = limiter.atHand.perform({ op: "take", ...question });
  return conclude(levels, reply, true);
}

/** This gateway's share of a budget that it cannot reach, counted here in a window of its own. */
function localLevel(limiter: Limiter, level: Level, client: Client, gateways: number): Level {
  const whole = wholeWithoutStore(limiter, level, client);
  const capacity = isQuota(level.budget.scope)
    ? Math.floor(whole / gateways)
    : shareOf(whole, gateways);
  const known = limiter.locals.get(level);
  if (known?.capacity === capacity && known.shownLimit === Math.floor(whole)) return known;
  const made = asLocal(level, capacity, Math.floor(whole));
  limiter.locals.set(level, made);
  return made;
}

/** What a budget admits as far as is known here: the rate of a limit that is neither smoothed nor a quota. */
function wholeWithoutStore({ lastSeen }: Limiter, level: Level, client: Client): number {
  const { budget, rule } = level;
  if (rule === null && !isQuota(budget.scope)) return budget.limit.rate;
  const seen = lastSeen.get(budgetName(budget, client));
  return seen ?? (rule === null ? 0 : wholeAllowance(rule.threshold));
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

// ---------------------------------------------------------------- what whoever runs the steps must report

/** To be called for each operation that the store answered or failed to answer, probes included. */
export function noteAnswer(limiter: Limiter, hasFailedNow: boolean, nowUs: Micros): void {
  const { health } = limiter;
  const { drlExpiryUs } = optionsOf(limiter);
  const known = gatewaysKnown(health, countAt(limiter.fleet, nowUs, drlExpiryUs), nowUs);
  const changed = hasFailedNow
    ? noteFailure(health, known, nowUs)
    : noteSuccess(health, nowUs, drlExpiryUs);
  if (changed)
    limiter.emit?.(limiterEvent(hasFailedNow ? "StoreUnavailable" : "StoreRecovered", nowUs, null));
}

/** The same of an answer. What was not asked because it is lost tells nothing of the store. */
export function noteAnswered(limiter: Limiter, answer: Answer, nowUs: Micros): void {
  if (!hasFailed(answer) || answer.failed !== "lost") noteAnswer(limiter, hasFailed(answer), nowUs);
}
