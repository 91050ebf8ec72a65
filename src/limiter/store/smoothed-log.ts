// A log with smoothing: a window holds as many attempts as the whole allowance, and the allowance changes (SMO).
import { waitForNext, waitUnwritten, waitWritten } from "../algorithms/sliding-log/rule.ts";
import * as stamps from "../algorithms/sliding-log/stamps.ts";
import type { Client } from "../core/client.ts";
import {
  afterAttempt,
  nextAllowance,
  settle,
  valueBeforeFalls,
  step,
  wholeAllowance,
  type AllowanceRecord,
  type AllowanceChange,
  type AllowanceUpdate,
  type SmoothingRule,
} from "../core/smoothing.ts";
import type { Reply } from "../core/store.ts";
import type { Micros } from "../../kit/units.ts";
import { seek, type BoundLevel, type Counting } from "./counting.ts";
import { removeStamps, write } from "../algorithms/sliding-log/memory.ts";
import type { LogTable } from "./table.ts";
import { showBudget } from "./shown-budget.ts";

const ruleOf = ({ level }: BoundLevel<LogTable>): SmoothingRule => {
  if (level.rule === null) throw new Error(`${level.budget.space} has no allowance to move`);
  return level.rule;
};

function settleAllowance(bound: BoundLevel<LogTable>, atUs: Micros): ReturnType<typeof settle> {
  const { table, row } = bound;
  const { stamps: log, perUs } = table;
  const newest = (k: number): number => stamps.newest(log, row, k);
  return settle(ruleOf(bound), table.allowances.get(row) ?? null, newest, perUs, atUs);
}

/** The allowance after this request is written. */
export const allowanceAfterWrite = (
  bound: BoundLevel<LogTable>,
  atUs: Micros,
  units: number,
): AllowanceUpdate =>
  step(ruleOf(bound), settleAllowance(bound, atUs), attemptsInWindow(bound, atUs) + units, atUs);

/** Units in the window. The log may hold older timestamps, because this request has not removed them. */
export const attemptsInWindow = ({ table, row }: BoundLevel<LogTable>, atUs: Micros): number =>
  stamps.countAfter(table.stamps, row, atUs - table.perUs);

/** How many attempts a window may hold, by the allowance at the last write. */
export const currentWholeAllowance = (bound: BoundLevel<LogTable>, atUs: Micros): number =>
  wholeAllowance(valueBeforeFalls(ruleOf(bound), bound.table.allowances.get(bound.row), atUs));

/** The change of the allowance that `evaluate` has computed, with overdue falls. A dry run does not store it. */
function requireStep(bound: BoundLevel<LogTable>): AllowanceUpdate {
  if (bound.moved === null)
    throw new Error(`${bound.level.budget.space} was not evaluated before it was shown`);
  return bound.moved;
}

const wholeAllowanceOfStep = (bound: BoundLevel<LogTable>): number =>
  wholeAllowance(requireStep(bound).allowance.value);

/** How long until the request fits under the allowance or, after the hold-off, under the next higher one (HDR-C1). */
function waitUnder(
  bound: BoundLevel<LogTable>,
  allowance: AllowanceRecord,
  atUs: Micros,
  isWritten: boolean,
  units: number,
): number {
  const { table, row } = bound;
  const { stamps: log, perUs } = table;
  const k = wholeAllowance(allowance.value);
  const now = (isWritten ? waitWritten : waitUnwritten)(log, row, k, perUs, atUs, units);
  if (now === 0) return 0;
  // A refused attempt that is written is in the window for any later allowance too.
  const above = wholeAllowance(nextAllowance(ruleOf(bound), allowance));
  const raised = isWritten
    ? waitForNext(log, row, above, perUs, atUs, units, units)
    : waitUnwritten(log, row, above, perUs, atUs, units);
  return Math.min(now, Math.max(allowance.holdUntilUs - atUs, raised));
}

export function storeAllowance(
  bound: BoundLevel<LogTable>,
  { allowance, changes }: AllowanceUpdate,
  atUs: Micros,
  reply: Reply,
): void {
  const { level, table, row } = bound;
  table.allowances.set(row, afterAttempt(ruleOf(bound), allowance, table.perUs, atUs));
  if (changes.length > 0)
    reply.changes = changes.map((change: AllowanceChange) => ({ level, change }));
}

function writeAndMove(
  bound: BoundLevel<LogTable>,
  atUs: Micros,
  reply: Reply,
  units: number,
): void {
  const { table, row } = bound;
  write(bound, atUs, units);
  storeAllowance(bound, requireStep(bound), atUs, reply);
  stamps.prune(table.stamps, row, atUs - table.perUs);
}

export const SMOOTHED_LOG: Counting<LogTable> = {
  evaluate: (bound, atUs, isWritten, units) => {
    // Old timestamps are not removed yet: a fall of the allowance that is not stored now is computed from them later.
    bound.moved = isWritten
      ? allowanceAfterWrite(bound, atUs, units)
      : settleAllowance(bound, atUs);
    return waitUnder(bound, bound.moved.allowance, atUs, isWritten, units);
  },
  spend: (bound, index, atUs, reply, units) => {
    writeAndMove(bound, atUs, reply, units);
    showBudget(bound, index, atUs, reply);
  },
  writeRefused: writeAndMove,
  limit: wholeAllowanceOfStep,
  remaining: (bound, atUs) =>
    Math.max(0, wholeAllowanceOfStep(bound) - attemptsInWindow(bound, atUs)),
  fullUs: ({ table, row }, atUs) =>
    Math.max(atUs, stamps.newest(table.stamps, row, 1) + table.perUs),
  nextWait: (bound, atUs) => waitUnder(bound, requireStep(bound).allowance, atUs, false, 1),
  giveBack: removeStamps,
};

/** Changes the allowance by one step, for the algorithm with single commands (ALG-C6, SMO-C6). */
export function stepAllowance(
  bound: BoundLevel<LogTable>,
  client: Client,
  atUs: Micros,
  reply: Reply,
  units: number,
): Reply {
  seek(bound, client, atUs);
  storeAllowance(bound, allowanceAfterWrite(bound, atUs, units), atUs, reply);
  reply.allowance = currentWholeAllowance(bound, atUs);
  reply.resetUs = bound.table.allowances.get(bound.row)!.absentFromUs;
  return reply;
}
