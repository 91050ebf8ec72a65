// Evaluates the levels of a question one by one and spends nothing: each level's reply, and the decision that they make.
import { countedClient, isQuota } from "./budget.ts";
import type { Client } from "./client.ts";
import { conclude, UNLIMITED, type Decision } from "./decision.ts";
import { isOpen } from "./health.ts";
import { optionsOf, type Limiter, type Question } from "./limiter.ts";
import { inSequence } from "./sequence.ts";
import { answerLocally, localLevels, withoutStore } from "./steps.ts";
import { hasFailed, type Level, type Reply, type Steps, type StoreFailure } from "./store.ts";
import type { Micros } from "./units.ts";

export interface LevelReply {
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
  { prepared, client, atUs }: Omit<Question, "intent">,
): Steps<Evaluation> {
  const { levels } = prepared;
  const question: Question = { prepared, client, atUs, intent: "ask" };
  const usesStore = limiter.store.isRemote && levels.some(({ place }) => place === "store");
  if (levels.length === 0) return { decision: UNLIMITED, levels: [], store: "unused" };
  if (usesStore && isOpen(limiter.health)) return yield* evaluateWithoutStore(limiter, question);
  const replies: LevelReply[] = [];
  // `isSplit` gives each level a reply of its own, also quotas that a request spends together.
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
    const level = levels[replies.length]!;
    const answer = yield* answerLocally(limiter, next.value);
    if (!hasFailed(answer)) {
      const reply = isQuota(level.budget.scope)
        ? yield* evaluateLevel(limiter, level, client, atUs)
        : answer;
      if (!hasFailed(reply)) replies.push({ level, reply });
    }
    next = steps.next(answer);
  }
  if (hasFailed(next.value) || replies.length < levels.length)
    return yield* evaluateWithoutStore(limiter, question);
  const decision = conclude(levels, next.value, false);
  const store = !limiter.store.isRemote ? "local" : usesStore ? "reached" : "unused";
  return { decision, levels: replies, store };
}

/** A reply of a quota shows nothing to clients (HDR-C2), so its count is read as a key's limit reads it. */
export function* evaluateLevel(
  limiter: Limiter,
  level: Level,
  client: Client,
  atUs: Micros,
): Steps<Reply | StoreFailure> {
  const { budget } = level;
  const shown: Level = isQuota(budget.scope)
    ? { ...level, budget: { ...budget, scope: "key" } }
    : level;
  return yield* answerLocally(limiter, {
    op: "take",
    levels: [shown],
    client: countedClient(budget, client),
    atUs,
    intent: "ask",
  });
}

/** What this gateway decides alone (ALG-C8), with the replies of those levels that it counts then. */
function* evaluateWithoutStore(limiter: Limiter, question: Question): Steps<Evaluation> {
  const { prepared, client, atUs } = question;
  const isLocal = optionsOf(limiter).onStoreError === "local";
  const levels = isLocal ? (localLevels(limiter, question) ?? []) : prepared.levels;
  const replies: LevelReply[] = [];
  for (const level of levels) {
    if (level.place !== "gateway") continue;
    const reply = yield* evaluateLevel(limiter, level, client, atUs);
    if (!hasFailed(reply)) replies.push({ level, reply });
  }
  return { decision: withoutStore(limiter, question), levels: replies, store: "unreachable" };
}
