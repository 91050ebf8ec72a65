// Budgets that are counted by a log (ALG-C2): judged, smoothed, marked, written.
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
import { NO_CHANGES, type Level, type Reply } from "../core/store.ts";
import type { Micros } from "../core/units.ts";
import type { Bound } from "./bound.ts";
import { open, type LogTable } from "./table.ts";

/** The step that A would take, kept until the request is known to be written to this budget. */
interface Pending {
  row: number;
  table: LogTable | null;
  moved: Moved | null;
}
const pending: Pending = { row: -1, table: null, moved: null };

export function judgeLog(
  level: Level,
  table: LogTable,
  row: number,
  atUs: Micros,
  written: boolean,
): number {
  pending.table = null;
  const { stamps: log, perUs } = table;
  if (level.algorithm === "sentinel") return judgeMark(level, table, row, atUs, written);
  if (level.rule === null) {
    stamps.prune(log, row, atUs - perUs);
    return written
      ? waitWritten(log, row, level.capacity, perUs, atUs)
      : waitUnwritten(log, row, level.capacity, perUs, atUs);
  }
  // Nothing is forgotten yet: a fall that is not kept now is looked at again later.
  const moved = written
    ? allowanceBehind(level.rule, table, row, atUs)
    : settleRow(level.rule, table, row, atUs);
  pending.row = row;
  pending.table = table;
  pending.moved = moved;
  return smoothedWait(level.rule, moved.allowance, log, row, perUs, atUs, written);
}

function settleRow(
  rule: SmoothingRule,
  table: LogTable,
  row: number,
  atUs: Micros,
): ReturnType<typeof settle> {
  const log = table.stamps;
  const attempts = (afterUs: number, untilUs: number): number =>
    stamps.countAfter(log, row, afterUs) - stamps.countAfter(log, row, untilUs);
  return settle(rule, table.allowances.get(row)?.allowance ?? null, attempts, table.perUs, atUs);
}

/** HDR-C1: what is left of the window under A, or of the hold-off and then of the window one step up. */
function smoothedWait(
  rule: SmoothingRule,
  allowance: Allowance,
  log: stamps.StampRows,
  row: number,
  perUs: number,
  atUs: number,
  written: boolean,
): number {
  const k = wholeAllowance(allowance.value);
  const now = (written ? waitWritten : waitUnwritten)(log, row, k, perUs, atUs);
  if (now === 0) return 0;
  // Refused, so that this attempt stands in the window whatever A will be.
  const above = wholeAllowance(nextAllowance(rule, allowance));
  const raised = (written ? waitForNext : waitUnwritten)(log, row, above, perUs, atUs);
  return Math.min(now, Math.max(allowance.holdUntilUs - atUs, raised));
}

function judgeMark(
  level: Level,
  table: LogTable,
  row: number,
  atUs: Micros,
  written: boolean,
): number {
  if (level.capacity < 1) return Number.POSITIVE_INFINITY;
  const until = table.marks.get(row) ?? 0;
  if (until <= atUs) return 0;
  if (!written || level.fixedMark) return until - atUs;
  // What the write behind this answer will make of the mark, the refused attempt included.
  const k =
    level.rule === null
      ? level.capacity
      : wholeAllowance(allowanceBehind(level.rule, table, row, atUs).allowance.value);
  return Math.max(1, waitForNext(table.stamps, row, k, table.perUs, atUs));
}

const allowanceBehind = (rule: SmoothingRule, table: LogTable, row: number, atUs: Micros): Moved =>
  step(
    rule,
    settleRow(rule, table, row, atUs),
    stamps.countAfter(table.stamps, row, atUs - table.perUs) + 1,
    atUs,
  );

/** Neither smoothed nor written behind the answer: once written, its count is all there is to tell. */
export const isPlainLog = ({ rule, algorithm }: Level): boolean =>
  rule === null && algorithm !== "sentinel";

/** When a plain log with nothing left lets the next one pass, or else when it is empty again. */
export const resetUs = (
  { capacity }: Level,
  { stamps: log, perUs }: LogTable,
  row: number,
  count: number,
): number => stamps.newest(log, row, count < capacity ? 1 : capacity) + perUs;

export function writeLog(
  level: Level,
  table: LogTable,
  row: number,
  atUs: Micros,
  reply: Reply,
): void {
  if (level.algorithm === "sentinel") return; // written behind the answer
  stamps.insert(table.stamps, row, atUs);
  if (level.algorithm === "bounded_log") bound(level, table, row);
  if (
    level.rule !== null &&
    pending.table === table &&
    pending.row === row &&
    pending.moved !== null
  ) {
    keep(level, level.rule, table, row, pending.moved, atUs, reply);
    stamps.prune(table.stamps, row, atUs - table.perUs);
  }
}

function bound(level: Level, table: LogTable, row: number): void {
  const most = Math.max(level.capacity, table.bounds.get(row) ?? 0);
  table.bounds.set(row, most);
  stamps.trim(table.stamps, row, most);
}

function keep(
  level: Level,
  rule: SmoothingRule,
  table: LogTable,
  row: number,
  moved: Moved,
  atUs: Micros,
  reply: Reply,
): void {
  const { value, holdUntilUs, lastUs } = moved.allowance;
  table.allowances.set(row, {
    rule,
    allowance: { value, holdUntilUs, lastUs: Math.max(lastUs, atUs) },
  });
  if (moved.changes.length > 0)
    reply.changes = moved.changes.map((change: AllowanceChange) => ({ level, change }));
}

/** Behind a sentinel's answer, as one step: the attempt is written and the mark set anew (ALG-C5). */
export function mark(one: Bound, asking: Client, atUs: Micros, reply: Reply): Reply {
  reply.refusedBy = -1;
  reply.changes = NO_CHANGES;
  const { level, table } = one;
  if (table.kind !== "log") throw new Error(`a sentinel's budget is a log, not a ${table.kind}`);
  const row = open(table, one.everybody ?? asking, atUs);
  if (level.rule !== null)
    keep(level, level.rule, table, row, allowanceBehind(level.rule, table, row, atUs), atUs, reply);
  stamps.prune(table.stamps, row, atUs - table.perUs);
  stamps.insert(table.stamps, row, atUs);
  const k = allowed(level, table, row);
  // Who may do nothing is blocked until A has moved, as by the log.
  const kth = k < 1 ? Number.POSITIVE_INFINITY : stamps.newest(table.stamps, row, k);
  if (level.fixedMark) {
    if (kth > 0 && (table.marks.get(row) ?? 0) <= atUs) table.marks.set(row, atUs + table.perUs);
  } else if (kth > 0) table.marks.set(row, kth + table.perUs);
  else table.marks.delete(row);
  return reply;
}

/** One step of A on its own, for the form whose other operations are not atomic (ALG-C6, SMO-C6). */
export function allowanceStep(one: Bound, asking: Client, atUs: Micros, reply: Reply): Reply {
  const { level, table } = one;
  if (table.kind !== "log" || level.rule === null)
    throw new Error(`${level.budget.space} has no allowance to move`);
  const row = open(table, one.everybody ?? asking, atUs);
  keep(level, level.rule, table, row, allowanceBehind(level.rule, table, row, atUs), atUs, reply);
  reply.allowance = allowed(level, table, row);
  return reply;
}

/** How many attempts a window may hold: floor(A) where smoothed, else the capacity. */
export function allowed(level: Level, table: LogTable, row: number): number {
  if (level.rule === null) return level.capacity;
  return wholeAllowance(table.allowances.get(row)?.allowance.value ?? level.rule.threshold);
}

/** When the next request would pass, this one counted (HDR-C2). A sentinel writes it only behind the answer. */
export function waitAfter(level: Level, table: LogTable, row: number, atUs: Micros): number {
  const { stamps: log, perUs } = table;
  const k = allowed(level, table, row);
  if (level.algorithm === "sentinel")
    return level.fixedMark ? perUs : waitForNext(log, row, k, perUs, atUs);
  return level.rule === null
    ? waitUnwritten(log, row, k, perUs, atUs)
    : smoothedWait(
        level.rule,
        settleRow(level.rule, table, row, atUs).allowance,
        log,
        row,
        perUs,
        atUs,
        false,
      );
}
