// The sentinel (ALG-C5): while a mark is active every attempt is refused. A background write adds the attempt to the
// log and renews the mark.
import { waitForNext, waitUnwritten } from "../sliding-log/rule.ts";
import * as stamps from "../sliding-log/stamps.ts";
import type { Client } from "../../core/client.ts";
import { wholeAllowance } from "../../core/smoothing.ts";
import { NO_CHANGES, type Reply } from "../../core/store.ts";
import type { Micros } from "../../../kit/units.ts";
import { seek, type BoundLevel, type Counting } from "../../store/counting.ts";
import { removeStamps } from "../sliding-log/memory.ts";
import {
  allowanceAfterWrite,
  attemptsInWindow,
  storeAllowance,
  currentWholeAllowance,
} from "../../store/smoothed-log.ts";
import type { LogTable } from "../../store/table.ts";
import { showRemaining } from "../../store/shown-budget.ts";

/** The capacity at a time: the whole allowance if the limit is smoothed, else the capacity of the level. */
const capacityAt = (one: BoundLevel<LogTable>, atUs: Micros): number =>
  one.level.rule === null ? one.level.capacity : currentWholeAllowance(one, atUs);

const remainingAt = (one: BoundLevel<LogTable>, atUs: Micros): number =>
  Math.max(0, capacityAt(one, atUs) - attemptsInWindow(one, atUs));

const fullUs = ({ table, row }: BoundLevel<LogTable>, atUs: number): number =>
  Math.max(atUs, stamps.newest(table.stamps, row, 1) + table.perUs);

/** The length of the mark that the background write of this attempt sets. A fixed mark always lasts one window. */
const nextWait = (one: BoundLevel<LogTable>, atUs: Micros, units = 1): number => {
  const { level, table, row } = one;
  return level.fixedMark
    ? table.perUs
    : waitForNext(table.stamps, row, capacityAt(one, atUs), table.perUs, atUs, units, 1);
};

/**
 * Returns the wait; 0: the attempt fits. For one unit the mark decides, unless it was written under another limit
 * (MGT-C5). Otherwise the log decides: a mark ends when one unit fits, which may be too early for several units.
 */
function waitNow(one: BoundLevel<LogTable>, atUs: Micros, units: number): number {
  const { level, table, row } = one;
  const mark = table.marks.get(row);
  if (mark === undefined && units === 1) return 0; // no attempt has been written yet
  const whole = capacityAt(one, atUs);
  const markedUs = mark === undefined ? 0 : Math.max(0, mark.untilUs - atUs);
  if (units === 1 && (level.fixedMark || mark?.whole === whole)) return markedUs;
  const loggedUs = waitUnwritten(table.stamps, row, whole, table.perUs, atUs, units);
  return level.fixedMark ? Math.max(markedUs, loggedUs) : loggedUs;
}

export const SENTINEL: Counting<LogTable> = {
  evaluate: (one, atUs, written, units) => {
    const { level, table, row } = one;
    if (level.capacity < units) return Number.POSITIVE_INFINITY;
    const waitUs = waitNow(one, atUs, units);
    if (waitUs === 0 || !written || level.fixedMark) return waitUs;
    // The background write sets a new mark, which counts this refused attempt; the wait is the length of that mark.
    const k =
      level.rule === null
        ? level.capacity
        : wholeAllowance(allowanceAfterWrite(one, atUs, units).allowance.value);
    return Math.max(1, waitForNext(table.stamps, row, k, table.perUs, atUs, units, units));
  },
  spend: (one, index, atUs, reply, units) => {
    // The background write has not added this request yet, but the reply counts it.
    const left = Math.max(0, remainingAt(one, atUs) - units);
    const resetUs =
      left > 0
        ? Math.max(fullUs(one, atUs), atUs + one.table.perUs)
        : atUs + nextWait(one, atUs, units);
    showRemaining(one, index, left, resetUs, atUs, reply);
  },
  writeRefused: () => {},
  limit: capacityAt,
  remaining: remainingAt,
  fullUs,
  nextWait: (one, atUs) => nextWait(one, atUs),
  giveBack: removeStamps,
};

/** The background write, in one step: adds the attempt and renews the mark. */
export function mark(
  one: BoundLevel<LogTable>,
  client: Client,
  atUs: Micros,
  reply: Reply,
  units: number,
): Reply {
  reply.refusedBy = -1;
  reply.changes = NO_CHANGES;
  seek(one, client, atUs);
  const { level, table, row } = one;
  if (level.rule !== null) storeAllowance(one, allowanceAfterWrite(one, atUs, units), atUs, reply);
  stamps.prune(table.stamps, row, atUs - table.perUs);
  stamps.insert(table.stamps, row, atUs, units);
  table.marks.set(row, { untilUs: markUntilUs(one, atUs), whole: capacityAt(one, atUs) });
  return reply;
}

function markUntilUs(one: BoundLevel<LogTable>, atUs: Micros): number {
  const { level, table, row } = one;
  const k = capacityAt(one, atUs);
  // An unsmoothed limit of 0 refuses without a mark. With smoothing, the mark lasts until the allowance changes.
  if (k < 1 && level.rule === null) return 0;
  const kth = k < 1 ? Number.POSITIVE_INFINITY : stamps.newest(table.stamps, row, k);
  if (!level.fixedMark) return Math.max(0, kth + table.perUs);
  const untilUs = table.marks.get(row)?.untilUs ?? 0;
  return kth > 0 && untilUs <= atUs ? atUs + table.perUs : untilUs;
}
