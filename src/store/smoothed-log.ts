// A log whose limit moves: floor(A) attempts may lie in a window (SMO).
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
import type { Micros } from "../core/units.ts";
import { seek, type Bound, type Counting } from "./counting.ts";
import { removeStamp, write } from "../algorithms/sliding-log/memory.ts";
import type { LogTable } from "./table.ts";
import { tell } from "./tell.ts";

export const ruleOf = ({ level }: Bound<LogTable>): SmoothingRule => {
  if (level.rule === null) throw new Error(`${level.budget.space} has no allowance to move`);
  return level.rule;
};

function settled(one: Bound<LogTable>, atUs: Micros): ReturnType<typeof settle> {
  const { table, row } = one;
  const { stamps: log, perUs } = table;
  const newest = (k: number): number => stamps.newest(log, row, k);
  return settle(ruleOf(one), table.allowances.get(row) ?? null, newest, perUs, atUs);
}

/** A as it will be when this request has been written. */
export const allowanceBehind = (one: Bound<LogTable>, atUs: Micros): AllowanceUpdate =>
  step(ruleOf(one), settled(one, atUs), countedAt(one, atUs) + 1, atUs);

/** Attempts in the window: a log that was not pruned for this answer holds older ones too. */
export const countedAt = ({ table, row }: Bound<LogTable>, atUs: Micros): number =>
  stamps.countAfter(table.stamps, row, atUs - table.perUs);

/** How many attempts a window may hold, by A as the last write left it. */
export const wholeStanding = (one: Bound<LogTable>, atUs: Micros): number =>
  wholeAllowance(valueBeforeFalls(ruleOf(one), one.table.allowances.get(one.row), atUs));

/** A as this question found it, made-up falls included: a dry run keeps none of it, and shows the same. */
function moved(one: Bound<LogTable>): AllowanceUpdate {
  if (one.moved === null) throw new Error(`${one.level.budget.space} is told before it is judged`);
  return one.moved;
}

const wholeMoved = (one: Bound<LogTable>): number => wholeAllowance(moved(one).allowance.value);

/** HDR-C1: what is left of the window under A, or of the hold-off and then of the window one step up. */
function waitUnder(
  one: Bound<LogTable>,
  allowance: AllowanceRecord,
  atUs: Micros,
  written: boolean,
): number {
  const { table, row } = one;
  const { stamps: log, perUs } = table;
  const k = wholeAllowance(allowance.value);
  const now = (written ? waitWritten : waitUnwritten)(log, row, k, perUs, atUs);
  if (now === 0) return 0;
  // Refused, so that this attempt stands in the window whatever A will be.
  const above = wholeAllowance(nextAllowance(ruleOf(one), allowance));
  const raised = (written ? waitForNext : waitUnwritten)(log, row, above, perUs, atUs);
  return Math.min(now, Math.max(allowance.holdUntilUs - atUs, raised));
}

export function keep(
  one: Bound<LogTable>,
  { allowance, changes }: AllowanceUpdate,
  atUs: Micros,
  reply: Reply,
): void {
  const { level, table, row } = one;
  table.allowances.set(row, afterAttempt(ruleOf(one), allowance, table.perUs, atUs));
  if (changes.length > 0)
    reply.changes = changes.map((change: AllowanceChange) => ({ level, change }));
}

function writeAndMove(one: Bound<LogTable>, atUs: Micros, reply: Reply): void {
  const { table, row } = one;
  write(one, atUs);
  keep(one, moved(one), atUs, reply);
  stamps.prune(table.stamps, row, atUs - table.perUs);
}

export const SMOOTHED_LOG: Counting<LogTable> = {
  judge: (one, atUs, written) => {
    // Nothing is forgotten yet: a fall that is not kept now is looked at again later.
    one.moved = written ? allowanceBehind(one, atUs) : settled(one, atUs);
    return waitUnder(one, one.moved.allowance, atUs, written);
  },
  spend: (one, index, atUs, reply) => {
    writeAndMove(one, atUs, reply);
    tell(one, index, atUs, reply);
  },
  writeRefused: writeAndMove,
  limit: wholeMoved,
  left: (one, atUs) => Math.max(0, wholeMoved(one) - countedAt(one, atUs)),
  fullUs: ({ table, row }, atUs) =>
    Math.max(atUs, stamps.newest(table.stamps, row, 1) + table.perUs),
  nextWait: (one, atUs) => waitUnder(one, moved(one).allowance, atUs, false),
  giveBack: removeStamp,
};

/** One step of A on its own, for the form whose other operations are not atomic (ALG-C6, SMO-C6). */
export function allowanceStep(
  one: Bound<LogTable>,
  asking: Client,
  atUs: Micros,
  reply: Reply,
): Reply {
  seek(one, asking, atUs);
  keep(one, allowanceBehind(one, atUs), atUs, reply);
  reply.allowance = wholeStanding(one, atUs);
  reply.resetUs = one.table.allowances.get(one.row)!.absentFromUs;
  return reply;
}
