// Evaluates and spends levels one after the other, if one store operation cannot take all (LIM-C1): API levels first.
// A level is spent when it admits, and refunded if a later level refuses. With `limit_order: key_first`, the order of
// Tyk, key levels are first and nothing is refunded.
import { isOfApi, isQuota } from "./budget.ts";
import { conclude, type Decision } from "./decision.ts";
import {
  emptyReply,
  hasFailed,
  isTighter,
  type StoreResult,
  type Intent,
  type Level,
  type LevelsInput,
  type LogCommand,
  type Reply,
  type LocalStore,
  type StoreFailure,
  type StoreOp,
  type Steps,
} from "./store.ts";

export interface Sequence extends LevelsInput {
  readonly givesBack: boolean;
  readonly inTransactions?: boolean; // sliding logs are written as a transaction of commands (ALG-C7)
  readonly isSplit?: boolean; // two budgets may be on two nodes (LIM-C1)
}

/** Whether single commands write to a level and the gateway evaluates the count. If false, a script does both. */
export const isSentAsCommands = ({ traits }: Level, inTransactions: boolean): boolean =>
  traits.sentAsCommands === "always" ||
  (inTransactions && traits.sentAsCommands === "in_transactions");

/** One reply for all levels. If the store fails before a refusal, refunds earlier levels and returns the failure. */
export function* takeInSequence(sequence: Sequence): Steps<Reply | StoreFailure> {
  const { levels, isSplit = false, intent } = sequence;
  const all = emptyReply();
  let before = 0;
  for (const step of stepsOf(levels, isSplit)) {
    const stepIntent: Intent = all.refusedBy >= 0 ? "evaluate" : intent;
    const answer = yield* takeStep(sequence, step, stepIntent);
    if (hasFailed(answer)) {
      // The refusal is final, and its refunds are done: later levels are evaluated only for their waits.
      if (all.refusedBy >= 0) return all;
      if (intent !== "evaluate") yield* refundBefore(sequence, before, isLocal);
      return answer;
    }
    addReply(all, before, step[0], answer);
    if (answer.refusedBy >= 0 && all.refusedBy < 0) {
      all.refusedBy = before + answer.refusedBy;
      if (intent !== "evaluate") yield* refundBefore(sequence, before);
    }
    before += step.length;
  }
  return all;
}

type Step = readonly [Level, ...Level[]];

/** A step for each level. Quotas on one node are one step, so that they are evaluated and spent together (LIM-C9). */
function stepsOf(levels: readonly Level[], isSplit: boolean): readonly Step[] {
  const steps: [Level, ...Level[]][] = [];
  for (const level of levels) {
    const last = steps.at(-1);
    const isNextQuota =
      !isSplit &&
      last !== undefined &&
      [level, last[0]].every(({ budget }) => isQuota(budget.scope));
    if (isNextQuota) last.push(level);
    else steps.push([level]);
  }
  return steps;
}

/** Adds the reply of one step to the total reply, as `take` does for levels of one step. */
function addReply(all: Reply, index: number, { budget }: Level, answer: Reply): void {
  if (answer.changes.length > 0) all.changes = [...all.changes, ...answer.changes];
  all.waitUs = Math.max(all.waitUs, answer.waitUs);
  all.delayUs = Math.max(all.delayUs, answer.delayUs);
  all.allowance = Math.max(all.allowance, answer.allowance);
  all.quotaLeft = Math.max(all.quotaLeft, answer.quotaLeft);
  all.quotaAtApiLeft = Math.max(all.quotaAtApiLeft, answer.quotaAtApiLeft);
  const isFirstRefusal = answer.refusedBy >= 0 && all.refusedBy < 0;
  if (isQuota(budget.scope) || all.refusedBy >= 0) return;
  if (!isFirstRefusal && !isTighter(all, answer.remaining, answer.resetUs)) return;
  all.shown = index;
  all.limit = answer.limit;
  all.remaining = answer.remaining;
  all.resetUs = answer.resetUs;
}

/** True if this gateway counts the level. It is refunded, since `on_store_error: local` evaluates it again. */
const isLocal = ({ place }: Level): boolean => place === "gateway";

/** Refunds the levels before index `before`. A level that is written in the background has spent nothing yet. */
function* refundBefore(
  { givesBack, levels, client, atUs, units }: Sequence,
  before: number,
  always: (level: Level) => boolean = () => false,
): Steps<void> {
  for (const level of levels.slice(0, before)) {
    if (!level.traits.isWrittenInBackground && (givesBack || always(level)))
      yield { op: "give_back", level, client, atUs, units };
  }
}

function* takeStep(
  { client, atUs, units, inTransactions = false }: Sequence,
  step: Step,
  intent: Intent,
): Steps<StoreResult> {
  const [level] = step;
  const input = { levels: step, client, atUs, intent, units };
  if (!isSentAsCommands(level, inTransactions) || intent === "evaluate")
    return yield { op: "take", ...input };
  return yield* takeByCommands(level, input);
}

/**
 * The sliding log as single commands (ALG-7, ALG-C6): the attempt is added whatever the count is. A throttled attempt
 * must not be written if refused (LIM-C9): it is evaluated first, and refunded if the count refuses it later.
 */
function* takeByCommands(
  level: Level,
  { client, atUs, intent, units }: LevelsInput,
): Steps<StoreResult> {
  const evaluationOf = (cost: number): StoreOp => ({
    op: "take",
    levels: [level],
    client,
    atUs,
    intent: "evaluate",
    units: cost,
  });
  const mayWait = intent === "try" && !isOfApi(level.budget.scope);
  if (mayWait) {
    const current = yield evaluationOf(units);
    if (hasFailed(current) || current.refusedBy === 0) return current;
  }
  const reply = emptyReply();
  let k = level.capacity;
  let hasFallsToCome = false;
  if (level.rule !== null) {
    const smoothed = yield { op: "allowance", level, client, atUs, units };
    if (hasFailed(smoothed)) return smoothed;
    k = smoothed.allowance;
    reply.allowance = k;
    reply.changes = smoothed.changes;
    hasFallsToCome = smoothed.resetUs === Number.POSITIVE_INFINITY;
  }
  const command = (op: LogCommand["op"]): LogCommand => ({ op, level, client, atUs, units });
  const expire = hasFallsToCome ? { ...command("expire"), hasFallsToCome } : command("expire");
  const commands = [command("prune"), command("count"), command("add"), expire];
  const isTransaction = level.traits.sentAsCommands === "in_transactions";
  const answer = yield isTransaction
    ? { op: "pipeline", commands, isTransaction }
    : { op: "pipeline", commands };
  if (hasFailed(answer)) return answer;
  const refused = answer.count + units > k;
  const isRefunded = refused && mayWait;
  if (isRefunded) yield { op: "give_back", level, client, atUs, units };
  reply.refusedBy = refused ? 0 : -1;
  reply.shown = 0;
  reply.limit = k;
  reply.remaining = Math.max(0, k - answer.count - (isRefunded ? 0 : units));
  reply.resetUs = atUs + level.budget.limit.perUs;
  if (reply.remaining > 0 && !refused) return reply;
  // The next expiring timestamp is needed only if the attempt is refused or nothing remains after it.
  const evaluated = yield evaluationOf(refused ? units : 1);
  if (hasFailed(evaluated)) return evaluated;
  if (refused) reply.waitUs = Math.max(1, evaluated.waitUs);
  reply.resetUs = atUs + evaluated.waitUs;
  return reply;
}

/** Decides by levels of a local store, one level after the other, without waiting. */
export function runSequence(localStore: LocalStore, input: LevelsInput): Decision {
  const steps = takeInSequence({ ...input, givesBack: false });
  let next = steps.next();
  while (next.done !== true) next = steps.next(performNow(localStore, next.value));
  if (hasFailed(next.value)) throw new Error("a local store does not fail");
  return conclude(input.levels, next.value, false);
}

export function performNow(localStore: LocalStore, op: StoreOp): Reply {
  if (op.op !== "pipeline") return localStore.perform(op);
  const reply = emptyReply();
  for (const command of op.commands) {
    const answer = localStore.perform(command);
    if (command.op === "count") reply.count = answer.count;
  }
  return reply;
}
