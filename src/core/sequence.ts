// Levels one after the other, where they cannot be one step (LIM-C1): API first, each spent as it
// admits, and given back when a later one refuses. `limit_order: key_first` gives upstream's order, in
// which nothing is given back.
import { isOfApi, isQuota } from "./budget.ts";
import { conclude, type Decision } from "./decision.ts";
import {
  emptyReply,
  hasFailed,
  isTighter,
  type Answer,
  type Intent,
  type Level,
  type LevelsQuestion,
  type LogCommand,
  type Reply,
  type StoreAtHand,
  type StoreFailure,
  type StoreOp,
  type Steps,
} from "./store.ts";
import type { Client } from "./client.ts";
import type { Micros } from "./units.ts";

export interface Sequence extends LevelsQuestion {
  readonly givesBack: boolean;
  readonly inTransactions?: boolean; // sliding logs are written as commands that nobody falls between (ALG-C7)
  readonly isSplit?: boolean; // no two budgets are surely in one place (LIM-C1)
}

/** A script judges and then writes; commands write, and whoever sent them judges by what was there before. */
export const isSentAsCommands = ({ traits }: Level, inTransactions: boolean): boolean =>
  traits.sentAsCommands === "always" ||
  (inTransactions && traits.sentAsCommands === "in_transactions");

/** Asks level by level; a failure of the store before any refusal ends it, with what was taken given back. */
export function* inSequence(sequence: Sequence): Steps<Reply | StoreFailure> {
  const { levels, client, atUs, intent, inTransactions = false, isSplit = false } = sequence;
  const all = emptyReply();
  let before = 0;
  for (const step of stepsOf(levels, isSplit)) {
    const asked: Intent = all.refusedBy >= 0 ? "ask" : intent;
    const answer = yield* one(step, client, atUs, asked, inTransactions);
    if (hasFailed(answer)) {
      // A refusal stands, and has given back already: who comes after it was only asked how long it would wait.
      if (all.refusedBy >= 0) return all;
      if (intent !== "ask") yield* undo(sequence, before, isHere);
      return answer;
    }
    add(all, before, step[0], answer);
    if (answer.refusedBy >= 0 && all.refusedBy < 0) {
      all.refusedBy = before + answer.refusedBy;
      if (intent !== "ask") yield* undo(sequence, before);
    }
    before += step.length;
  }
  return all;
}

type Step = readonly [Level, ...Level[]];

/** One level each, but for quotas: those are judged and spent together wherever they are in one place (LIM-C9). */
function stepsOf(levels: readonly Level[], isSplit: boolean): readonly Step[] {
  const steps: [Level, ...Level[]][] = [];
  for (const level of levels) {
    const last = steps.at(-1);
    const isBeside =
      !isSplit &&
      last !== undefined &&
      [level, last[0]].every(({ budget }) => isQuota(budget.scope));
    if (isBeside) last.push(level);
    else steps.push([level]);
  }
  return steps;
}

/** The answer of one step into that of all: what take does for levels that are judged together. */
function add(all: Reply, index: number, { budget }: Level, answer: Reply): void {
  if (answer.changes.length > 0) all.changes = [...all.changes, ...answer.changes];
  all.waitUs = Math.max(all.waitUs, answer.waitUs);
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

/** What is counted here is judged again by whoever judges without the store, in whatever order. */
const isHere = ({ place }: Level): boolean => place === "gateway";

/** Gives back what the levels before this one have taken. One that is written in the background has taken nothing yet. */
function* undo(
  { givesBack, levels, client, atUs }: Sequence,
  before: number,
  always: (level: Level) => boolean = () => false,
): Steps<void> {
  for (const level of levels.slice(0, before)) {
    if (!level.traits.isWrittenInBackground && (givesBack || always(level)))
      yield { op: "give_back", level, client, atUs };
  }
}

function* one(
  step: Step,
  client: Client,
  atUs: Micros,
  intent: Intent,
  inTransactions: boolean,
): Steps<Answer> {
  const [level] = step;
  if (!isSentAsCommands(level, inTransactions) || intent === "ask")
    return yield { op: "take", levels: step, client, atUs, intent };
  return yield* pipelined(level, client, atUs, intent);
}

/**
 * The sliding log as single commands (ALG-7, ALG-C6). The attempt is added whatever the count says. Where
 * it may wait and ask again, it is not to be written when it is refused (LIM-C9): it looks before it comes,
 * and takes itself back if others were quicker.
 */
function* pipelined(level: Level, client: Client, atUs: Micros, intent: Intent): Steps<Answer> {
  const look: StoreOp = { op: "take", levels: [level], client, atUs, intent: "ask" };
  const mayWait = intent === "try" && !isOfApi(level.budget.scope);
  if (mayWait) {
    const looked = yield look;
    if (hasFailed(looked) || looked.refusedBy === 0) return looked;
  }
  const reply = emptyReply();
  let k = level.capacity;
  let hasFallsToCome = false;
  if (level.rule !== null) {
    const moved = yield { op: "allowance", level, client, atUs };
    if (hasFailed(moved)) return moved;
    k = moved.allowance;
    reply.allowance = k;
    reply.changes = moved.changes;
    hasFallsToCome = moved.resetUs === Number.POSITIVE_INFINITY;
  }
  const command = (op: LogCommand["op"]): LogCommand => ({ op, level, client, atUs });
  const expire = hasFallsToCome ? { ...command("expire"), hasFallsToCome } : command("expire");
  const commands = [command("prune"), command("count"), command("add"), expire];
  const isTransaction = level.traits.sentAsCommands === "in_transactions";
  const answer = yield isTransaction
    ? { op: "pipeline", commands, isTransaction }
    : { op: "pipeline", commands };
  if (hasFailed(answer)) return answer;
  const refused = answer.count + 1 > k;
  if (refused && mayWait) yield { op: "give_back", level, client, atUs };
  reply.refusedBy = refused ? 0 : -1;
  reply.shown = 0;
  reply.limit = k;
  reply.remaining = refused ? 0 : k - answer.count - 1;
  reply.resetUs = atUs + level.budget.limit.perUs;
  if (reply.remaining > 0) return reply;
  // Only who has nothing left needs to know the stamp that has to leave first.
  const asked = yield look;
  if (hasFailed(asked)) return asked;
  if (refused) reply.waitUs = Math.max(1, asked.waitUs);
  reply.resetUs = atUs + asked.waitUs;
  return reply;
}

/** The same computation over a store in this process, without a pause between two operations. */
export function runSequence(atHand: StoreAtHand, question: LevelsQuestion): Decision {
  const steps = inSequence({ ...question, givesBack: false });
  let next = steps.next();
  while (next.done !== true) next = steps.next(answerNow(atHand, next.value));
  if (hasFailed(next.value)) throw new Error("a store at hand does not fail");
  return conclude(question.levels, next.value, false);
}

export function answerNow(atHand: StoreAtHand, op: StoreOp): Reply {
  if (op.op !== "pipeline") return atHand.perform(op);
  const reply = emptyReply();
  for (const command of op.commands) {
    const answer = atHand.perform(command);
    if (command.op === "count") reply.count = answer.count;
  }
  return reply;
}
