// The sentinel (ALG-C5): a mark says until when everything is refused. What counts is written behind the
// answer, and sets the mark anew.
import { waitForNext, waitUnwritten } from "../sliding-log/rule.ts";
import * as stamps from "../sliding-log/stamps.ts";
import type { Client } from "../../core/client.ts";
import { wholeAllowance } from "../../core/smoothing.ts";
import { NO_CHANGES, type Reply } from "../../core/store.ts";
import type { Micros } from "../../core/units.ts";
import { seek, type Bound, type Counting } from "../../store/counting.ts";
import { removeStamp } from "../sliding-log/memory.ts";
import { allowanceBehind, countedAt, keep, wholeStanding } from "../../store/smoothed-log.ts";
import type { LogTable } from "../../store/table.ts";
import { tellLeft } from "../../store/tell.ts";

/** How many attempts a window may hold: floor(A) where smoothed, else the capacity. */
const allowed = (one: Bound<LogTable>, atUs: Micros): number =>
  one.level.rule === null ? one.level.capacity : wholeStanding(one, atUs);

const leftOf = (one: Bound<LogTable>, atUs: Micros): number =>
  Math.max(0, allowed(one, atUs) - countedAt(one, atUs));

const fullUs = ({ table, row }: Bound<LogTable>, atUs: number): number =>
  Math.max(atUs, stamps.newest(table.stamps, row, 1) + table.perUs);

/** The write behind this answer marks; a fixed mark always lasts one window. */
const nextWait = (one: Bound<LogTable>, atUs: Micros): number => {
  const { level, table, row } = one;
  return level.fixedMark
    ? table.perUs
    : waitForNext(table.stamps, row, allowed(one, atUs), table.perUs, atUs);
};

/** By the mark alone, or by the log where the mark was written under another limit (MGT-C5). */
function waitNow(one: Bound<LogTable>, atUs: Micros): number {
  const { level, table, row } = one;
  const mark = table.marks.get(row);
  if (mark === undefined) return 0; // nothing has been written yet
  const whole = allowed(one, atUs);
  return level.fixedMark || mark.whole === whole
    ? Math.max(0, mark.untilUs - atUs)
    : waitUnwritten(table.stamps, row, whole, table.perUs, atUs);
}

export const SENTINEL: Counting<LogTable> = {
  judge: (one, atUs, written) => {
    const { level, table, row } = one;
    if (level.capacity < 1) return Number.POSITIVE_INFINITY;
    const waitUs = waitNow(one, atUs);
    if (waitUs === 0 || !written || level.fixedMark) return waitUs;
    // What the write behind this answer will make of the mark, the refused attempt included.
    const k =
      level.rule === null
        ? level.capacity
        : wholeAllowance(allowanceBehind(one, atUs).allowance.value);
    return Math.max(1, waitForNext(table.stamps, row, k, table.perUs, atUs));
  },
  spend: (one, index, atUs, reply) => {
    // Nothing is written yet, but this request counts.
    const left = Math.max(0, leftOf(one, atUs) - 1);
    const resetUs =
      left > 0 ? Math.max(fullUs(one, atUs), atUs + one.table.perUs) : atUs + nextWait(one, atUs);
    tellLeft(one, index, left, resetUs, atUs, reply);
  },
  writeRefused: () => {},
  limit: allowed,
  left: leftOf,
  fullUs,
  nextWait,
  giveBack: removeStamp,
};

/** Behind the answer, as one step: the attempt is written and the mark set anew. */
export function mark(one: Bound<LogTable>, asking: Client, atUs: Micros, reply: Reply): Reply {
  reply.refusedBy = -1;
  reply.changes = NO_CHANGES;
  seek(one, asking, atUs);
  const { level, table, row } = one;
  if (level.rule !== null) keep(one, allowanceBehind(one, atUs), atUs, reply);
  stamps.prune(table.stamps, row, atUs - table.perUs);
  stamps.insert(table.stamps, row, atUs);
  table.marks.set(row, { untilUs: markedUntil(one, atUs), whole: allowed(one, atUs) });
  return reply;
}

function markedUntil(one: Bound<LogTable>, atUs: Micros): number {
  const { level, table, row } = one;
  const k = allowed(one, atUs);
  // Without a rule the limit admits nothing, whatever the mark. With one, the client is blocked until A has moved.
  if (k < 1 && level.rule === null) return 0;
  const kth = k < 1 ? Number.POSITIVE_INFINITY : stamps.newest(table.stamps, row, k);
  if (!level.fixedMark) return Math.max(0, kth + table.perUs);
  const untilUs = table.marks.get(row)?.untilUs ?? 0;
  return kth > 0 && untilUs <= atUs ? atUs + table.perUs : untilUs;
}
