// Evaluates the levels of a request without spending. Returns the reply of each level and the resulting decision.
import { budgetClient, isQuota } from "./budget.ts";
import type { Client } from "./client.ts";
import { conclude, UNLIMITED, type Decision } from "./decision.ts";
import { isOpen } from "./health.ts";
import { optionsOf, type Limiter, type DecisionInput } from "./limiter.ts";
import { takeInSequence } from "./sequence.ts";
import { performLocally, localLevels, decideWithoutStore } from "./steps.ts";
import { hasFailed, type Level, type Reply, type Steps, type StoreFailure } from "./store.ts";
import type { Micros } from "../../kit/units.ts";

interface LevelReply {
  readonly level: Level;
  readonly reply: Reply;
}

export interface Evaluation {
  readonly decision: Decision;
  readonly levels: readonly LevelReply[]; // in the order evaluated
  readonly store: "unused" | "local" | "reached" | "unreachable";
}

export function* evaluate(
  limiter: Limiter,
  { prepared, client, atUs, units }: Omit<DecisionInput, "intent">,
): Steps<Evaluation> {
  const { levels } = prepared;
  const input: DecisionInput = { prepared, client, atUs, intent: "evaluate", units };
  const usesStore = limiter.store.isRemote && levels.some(({ place }) => place === "store");
  if (levels.length === 0) return { decision: UNLIMITED, levels: [], store: "unused" };
  if (usesStore && isOpen(limiter.health)) return yield* evaluateWithoutStore(limiter, input);
  const replies: LevelReply[] = [];
  // `isSplit` gives each level its own step and reply. Without it, the quotas of a request share one step.
  const steps = takeInSequence({
    levels,
    client,
    atUs,
    intent: "evaluate",
    units,
    givesBack: false,
    isSplit: true,
  });
  let next = steps.next();
  while (next.done !== true) {
    const level = levels[replies.length]!;
    const answer = yield* performLocally(limiter, next.value);
    if (!hasFailed(answer)) {
      const reply = isQuota(level.budget.scope)
        ? yield* evaluateLevel(limiter, { level, client, atUs, units })
        : answer;
      if (!hasFailed(reply)) replies.push({ level, reply });
    }
    next = steps.next(answer);
  }
  if (hasFailed(next.value) || replies.length < levels.length)
    return yield* evaluateWithoutStore(limiter, input);
  const decision = conclude(levels, next.value, false);
  const store = !limiter.store.isRemote ? "local" : usesStore ? "reached" : "unused";
  return { decision, levels: replies, store };
}

/** The input for the evaluation of one level. */
interface LevelInput {
  readonly level: Level;
  readonly client: Client;
  readonly atUs: Micros;
  readonly units: number;
}

/** Evaluates one level; a quota as if it were a limit of a key, because its own reply has no header values (HDR-C2). */
export function* evaluateLevel(
  limiter: Limiter,
  { level, client, atUs, units }: LevelInput,
): Steps<Reply | StoreFailure> {
  const { budget } = level;
  const shown: Level = isQuota(budget.scope)
    ? { ...level, budget: { ...budget, scope: "key" } }
    : level;
  return yield* performLocally(limiter, {
    op: "take",
    levels: [shown],
    client: budgetClient(budget, client),
    atUs,
    intent: "evaluate",
    units,
  });
}

/** The decision without the store (ALG-C8), and the replies of the levels whose budgets this gateway stores. */
function* evaluateWithoutStore(limiter: Limiter, input: DecisionInput): Steps<Evaluation> {
  const { prepared, client, atUs, units } = input;
  const isLocal = optionsOf(limiter).onStoreError === "local";
  const levels = isLocal ? (localLevels(limiter, input) ?? []) : prepared.levels;
  const replies: LevelReply[] = [];
  for (const level of levels) {
    if (level.place !== "gateway") continue;
    const reply = yield* evaluateLevel(limiter, { level, client, atUs, units });
    if (!hasFailed(reply)) replies.push({ level, reply });
  }
  return { decision: decideWithoutStore(limiter, input), levels: replies, store: "unreachable" };
}
