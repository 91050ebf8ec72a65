// A log whose limit moves: floor(A) attempts may lie in a window (SMO).
import { waitForNext, waitUnwritten, waitWritten } from "../core/algorithm/log.ts";
import * as stamps from "../core/algorithm/stamps.ts";
import type { Client } from "../core/client.ts";
import {
  nextAllowance,
  settle,
  step,
  wholeAllowance,
  type Allowance,
  type AllowanceChange,
  type Moved,
  type SmoothingRule,
} from "../core/smoothing.ts";
import type { Reply } from "../core/store.ts";
import type { Micros } from "../core/units.ts";
import { seek, type Bound, type Counting } from "./counting.ts";
import { removeStamp, write } from "./plain-log.ts";
import type { LogTable } from "./table.ts";
import { tell } from "./tell.ts";

const ruleOf = ({ level }: Bound<LogTable>): SmoothingRule => {
  if (level.rule === null) throw new Error(`${level.budget.space} has no allowance to move`);
  return level.rule;
};

function settled(one: Bound<LogTable>, atUs: Micros): ReturnType<typeof settle> {
  const { table, row } = one;
  const { stamps: log, perUs } = table;
  const attempts = (afterUs: number, untilUs: number): number =>
    stamps.countAfter(log, row, afterUs) - stamps.countAfter(log, row, untilUs);
  return settle(ruleOf(one), table.allowances.get(row)?.allowance ?? null, attempts, perUs, atUs);
}

/** A as it will be when this request has been written. */
export const allowanceBehind = (one: Bound<LogTable>, atUs: Micros): Moved =>
  step(ruleOf(one), settled(one, atUs), countedAt(one, atUs) + 1, atUs);

/** Attempts in the window: a log that was not pruned for this answer holds older ones too. */
export const countedAt = ({ table, row }: Bound<LogTable>, atUs: Micros): number =>
  stamps.countAfter(table.stamps, row, atUs - table.perUs);

/** How many attempts a window may hold, by what is kept of A. */
export const wholeKept = (one: Bound<LogTable>): number =>
  wholeAllowance(one.table.allowances.get(one.row)?.allowance.value ?? ruleOf(one).threshold);

/** HDR-C1: what is left of the window under A, or of the hold-off and then of the window one step up. */
function waitUnder(
  one: Bound<LogTable>,
  allowance: Allowance,
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

export function keep(one: Bound<LogTable>, moved: Moved, atUs: Micros, reply: Reply): void {
  const { level, table, row } = one;
  const { value, holdUntilUs, lastUs } = moved.allowance;
  table.allowances.set(row, {
    rule: ruleOf(one),
    allowance: { value, holdUntilUs, lastUs: Math.max(lastUs, atUs) },
  });
  if (moved.changes.length > 0)
    reply.changes = moved.changes.map((change: AllowanceChange) => ({ level, change }));
}

function writeAndMove(one: Bound<LogTable>, atUs: Micros, reply: Reply): void {
  const { table, row, moved } = one;
  if (moved === null) throw new Error(`${table.perUs} us at ${row}: written before it was judged`);
  write(one, atUs);
  keep(one, moved, atUs, reply);
  stamps.prune(table.stamps, row, atUs - table.perUs);
}

/** When the next request would pass, this one written. */
export const waitAfter = (one: Bound<LogTable>, atUs: Micros): number =>
  waitUnder(one, settled(one, atUs).allowance, atUs, false);

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
  limit: wholeKept,
  left: (one, atUs) => Math.max(0, wholeKept(one) - countedAt(one, atUs)),
  fullUs: ({ table, row }, atUs) =>
    Math.max(atUs, stamps.newest(table.stamps, row, 1) + table.perUs),
  nextWait: waitAfter,
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
  reply.allowance = wholeKept(one);
  return reply;
}
