// The long way to a decision: the store is elsewhere, so an answer takes time, may not come (ALG-C8), or
// comes in several parts. Whoever runs the steps supplies the answers.
import { WITHOUT_STORE } from "./because.ts";
import { budgetName, isQuota } from "./budget.ts";
import { conclude, UNAVAILABLE, UNLIMITED, type Decision } from "./decision.ts";
import { gatewaysKnown, isOpen, isProbeDue, noteFailure, noteSuccess } from "./health.ts";
import { countAt } from "./fleet.ts";
import {
  decideNow,
  inTransactions,
  isWrittenBehind,
  optionsOf,
  prepare,
  type Limiter,
  type Prepared,
} from "./limiter.ts";
import { wholeAllowance } from "./smoothing.ts";
import { shareOf } from "./select.ts";
import { inSequence, runSequence } from "./sequence.ts";
import {
  hasFailed,
  type Answer,
  type Intent,
  type Level,
  type Reply,
  type StoreFailure,
  type StoreOp,
  type Steps,
} from "./store.ts";
import type { Resolved } from "./resolve/resolved.ts";
import type { Client } from "./client.ts";
import type { Micros } from "./units.ts";

/** What is sent to the store behind the answer; nobody waits for it. */
export interface Decided {
  readonly decision: Decision;
  readonly behind: readonly StoreOp[];
}

export function* decideSteps(
  limiter: Limiter,
  resolved: Resolved,
  client: Client,
  nowUs: Micros,
  intent: Intent,
): Steps<Decided> {
  const prepared = prepare(limiter, resolved, nowUs);
  const unasked = decideUnasked(limiter, prepared, client, nowUs, intent);
  if (unasked !== null) return unasked;
  const reply = yield* asked(limiter, prepared, client, nowUs, intent);
  return decideAnswered(limiter, prepared, client, nowUs, intent, reply);
}

/** What is decided before anything is sent: where nothing limits, or all is counted here, or nobody would answer. */
export function decideUnasked(
  limiter: Limiter,
  prepared: Prepared,
  client: Client,
  nowUs: Micros,
  intent: Intent,
): Decided | null {
  const { levels, resolved } = prepared;
  if (levels.length === 0) return { decision: UNLIMITED, behind: NOTHING };
  if (levels.every(({ place }) => place === "gateway"))
    return { decision: decideNow(limiter, resolved, client, nowUs, intent), behind: NOTHING };
  if (!isOpen(limiter.health)) return null;
  const behind = isProbeDue(limiter.health, nowUs)
    ? [probe(limiter, levels, client, nowUs)]
    : NOTHING;
  return { decision: withoutStore(limiter, prepared, client, nowUs, intent), behind };
}

/** What follows from the store's answer, or from none. */
export function decideAnswered(
  limiter: Limiter,
  prepared: Prepared,
  client: Client,
  nowUs: Micros,
  intent: Intent,
  reply: Reply | StoreFailure,
): Decided {
  if (hasFailed(reply))
    return { decision: withoutStore(limiter, prepared, client, nowUs, intent), behind: NOTHING };
  const decision = conclude(prepared.levels, reply, false);
  remember(limiter, prepared.levels, reply, client);
  return { decision, behind: marksBehind(limiter, prepared, decision, client, nowUs, intent) };
}

const NOTHING: Decided["behind"] = [];

function* asked(
  limiter: Limiter,
  prepared: Prepared,
  client: Client,
  atUs: Micros,
  intent: Intent,
): Steps<Reply | StoreFailure> {
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
    isSplit: limiter.storeIsSplit,
  });
  let next = steps.next();
  while (next.done !== true) next = steps.next(yield* answered(limiter, next.value));
  return next.value;
}

/** What is counted in this gateway is answered here; the rest goes out. */
function* answered(limiter: Limiter, op: StoreOp): Steps<Answer> {
  const level =
    op.op === "take" ? op.levels[0] : op.op === "pipeline" ? op.commands[0]?.level : op.level;
  return level?.place === "gateway" && op.op !== "pipeline" ? limiter.atHand.perform(op) : yield op;
}

function marksBehind(
  limiter: Limiter,
  prepared: Prepared,
  decision: Decision,
  client: Client,
  atUs: Micros,
  intent: Intent,
): readonly StoreOp[] {
  if (prepared.sentinels.length === 0 || intent === "ask") return NOTHING;
  const written = prepared.sentinels.filter((index) =>
    isWrittenBehind(prepared, index, decision, optionsOf(limiter), intent),
  );
  return written.map((index) => ({ op: "mark", level: prepared.levels[index]!, client, atUs }));
}

/** Looks whether the store is back without spending anything. */
function probe(
  { storeIsSplit }: Limiter,
  levels: readonly Level[],
  client: Client,
  atUs: Micros,
): StoreOp {
  const there = levels.filter(({ place }) => place === "store");
  const asked = storeIsSplit ? there.slice(0, 1) : there;
  return { op: "take", levels: asked, client, atUs, intent: "ask" };
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

/** `on_store_error` (ALG-C8). */
export function withoutStore(
  limiter: Limiter,
  prepared: Prepared,
  client: Client,
  nowUs: Micros,
  intent: Intent,
): Decision {
  const options = optionsOf(limiter);
  switch (options.onStoreError) {
    case "allow":
      return (
        whatIsHere(limiter, prepared, client, nowUs, intent) ?? { ...UNLIMITED, fallback: true }
      );
    case "deny": {
      const here = whatIsHere(limiter, prepared, client, nowUs, "ask");
      return here === null || here.refused === null ? UNAVAILABLE : here;
    }
    case "local": {
      const levels = localLevels(limiter, prepared, client);
      return levels === null ? UNAVAILABLE : decideHere(limiter, levels, client, nowUs, intent);
    }
  }
}

/** What stands in for the levels of a store that is away; null: nobody knows this gateway's share. */
export function localLevels(
  limiter: Limiter,
  { levels }: Prepared,
  client: Client,
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

/** What is counted in this gateway needs no store, and is counted while there is none (ALG-C4). */
function whatIsHere(
  limiter: Limiter,
  { levels }: Prepared,
  client: Client,
  nowUs: Micros,
  intent: Intent,
): Decision | null {
  const here = levels.filter(({ place }) => place === "gateway");
  return here.length === 0 ? null : decideHere(limiter, here, client, nowUs, intent);
}

/** As one step, which it is when everything is counted here; or key first, where that is asked for (LIM-C1). */
function decideHere(
  limiter: Limiter,
  levels: readonly Level[],
  client: Client,
  atUs: Micros,
  intent: Intent,
): Decision {
  if (optionsOf(limiter).limitOrder === "key_first")
    return { ...runSequence(limiter.atHand, levels, client, atUs, intent), fallback: true };
  const reply = limiter.atHand.perform({ op: "take", levels, client, atUs, intent });
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
  ...level,
  budget: {
    ...level.budget,
    space: `fallback/${level.budget.space}`,
    because: [...level.budget.because, WITHOUT_STORE],
  },
  algorithm: "drl",
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
    limiter.emit?.({
      event: hasFailedNow ? "StoreUnavailable" : "StoreRecovered",
      stampUs: nowUs,
      key: null,
      api: null,
      budget: null,
      value: null,
      path: null,
    });
}

/** The same of an answer. What was not asked because it is lost tells nothing of the store. */
export function noteAnswered(limiter: Limiter, answer: Answer, nowUs: Micros): void {
  if (!hasFailed(answer) || answer.failed !== "lost") noteAnswer(limiter, hasFailed(answer), nowUs);
}
