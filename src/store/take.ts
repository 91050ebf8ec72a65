// The one rule of LIM-C1, on memory: every level is judged before any is spent, and the first refusal is
// the answer. A refused request is written only to the log that refused it (ALG-3). The script for a
// real store says the same in its own language; a property test holds the two together.
import * as counter from "../core/algorithm/counter.ts";
import * as debt from "../core/algorithm/debt.ts";
import { waitUnwritten, waitWritten } from "../core/algorithm/log.ts";
import * as stamps from "../core/algorithm/stamps.ts";
import * as twoWindows from "../core/algorithm/two-windows.ts";
import { isOfApi } from "../core/budget.ts";
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
import type { Intent, Level, Reply } from "../core/store.ts";
import type { Micros } from "../core/units.ts";
import { open, type LogTable, type Table } from "./table.ts";

/** A level and the table that counts it: looked up once, asked often. */
export interface Bound {
  readonly level: Level;
  readonly table: Table;
  readonly ofApi: boolean;
}

export const bind = (level: Level, table: Table): Bound => ({
  level,
  table,
  ofApi: isOfApi(level.budget.scope),
});

const NO_CHANGES: Reply["changes"] = [];

/** The rows of the question at hand. No two levels of one question share a table, so none is swept meanwhile. */
const rowAt: number[] = [];

export function take(
  bound: readonly Bound[],
  identity: string,
  atUs: Micros,
  intent: Intent,
  reply: Reply,
): Reply {
  reply.refusedBy = -1;
  reply.changes = NO_CHANGES;
  for (let i = 0; i < bound.length; i++) {
    const one = bound[i]!;
    const row = open(one.table, one.ofApi ? "" : identity, atUs);
    rowAt[i] = row;
    const refusedAbove = reply.refusedBy >= 0;
    const written = intent !== "ask" && !refusedAbove;
    const waitUs =
      one.table.kind === "log"
        ? judgeLog(one.level, one.table, row, atUs, written)
        : judge(one.level, one.table, row, atUs);
    reply.waitUs[i] = waitUs;
    if (waitUs > 0 && !refusedAbove) reply.refusedBy = i;
  }
  if (intent !== "ask") {
    const refused = reply.refusedBy;
    if (refused < 0)
      for (let i = 0; i < bound.length; i++) spend(bound[i]!, rowAt[i]!, atUs, reply);
    else if (intent === "spend" || bound[refused]!.ofApi)
      write(bound[refused]!, rowAt[refused]!, atUs, reply);
  }
  for (let i = 0; i < bound.length; i++) describe(bound[i]!, i, rowAt[i]!, atUs, reply);
  return reply;
}

function judge(level: Level, table: Exclude<Table, LogTable>, row: number, atUs: number): number {
  switch (table.kind) {
    case "counter":
      return counter.wait(table, row, level.capacity, table.perUs, atUs);
    case "debt":
      return debt.wait(table, row, level.budget.limit.rate, level.burst, table.perUs, atUs);
    case "two_windows":
      return twoWindows.wait(table, row, level.budget.limit.rate, table.perUs, atUs);
  }
}

/** The step that A would take, kept until the request is known to be written to this budget. */
interface Pending {
  row: number;
  table: LogTable | null;
  moved: Moved | null;
}
const pending: Pending = { row: -1, table: null, moved: null };

function judgeLog(
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
  const settled = settleRow(level.rule, table, row, atUs);
  stamps.prune(log, row, atUs - perUs);
  const moved = written ? step(level.rule, settled, log.count[row]! + 1, atUs) : settled;
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
  const waitAt = written ? waitWritten : waitUnwritten;
  const now = waitAt(log, row, wholeAllowance(allowance.value), perUs, atUs);
  if (now === 0) return 0;
  const raised = waitAt(log, row, wholeAllowance(nextAllowance(rule, allowance)), perUs, atUs);
  return Math.min(now, Math.max(allowance.holdUntilUs - atUs, raised, 1));
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
  return Math.max(1, waitWritten(table.stamps, row, k, table.perUs, atUs));
}

const allowanceBehind = (rule: SmoothingRule, table: LogTable, row: number, atUs: Micros): Moved =>
  step(
    rule,
    settleRow(rule, table, row, atUs),
    stamps.countAfter(table.stamps, row, atUs - table.perUs) + 1,
    atUs,
  );

function spend(one: Bound, row: number, atUs: Micros, reply: Reply): void {
  const { level, table } = one;
  switch (table.kind) {
    case "counter":
      counter.spend(table, row, table.perUs, atUs, level.startsAtClock);
      return;
    case "debt":
      debt.spend(table, row, level.budget.limit.rate, table.perUs, atUs);
      return;
    case "two_windows":
      twoWindows.spend(table, row, table.perUs, atUs);
      return;
    case "log":
      writeLog(level, table, row, atUs, reply);
  }
}

/** A refusal leaves a trace in logs alone. */
function write(one: Bound, row: number, atUs: Micros, reply: Reply): void {
  if (one.table.kind === "log") writeLog(one.level, one.table, row, atUs, reply);
}

function writeLog(level: Level, table: LogTable, row: number, atUs: Micros, reply: Reply): void {
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
export function mark(one: Bound, identity: string, atUs: Micros, reply: Reply): Reply {
  reply.refusedBy = -1;
  reply.changes = NO_CHANGES;
  const { level, table } = one;
  if (table.kind !== "log") throw new Error(`a sentinel's budget is a log, not a ${table.kind}`);
  const row = open(table, one.ofApi ? "" : identity, atUs);
  if (level.rule !== null)
    keep(level, level.rule, table, row, allowanceBehind(level.rule, table, row, atUs), atUs, reply);
  stamps.prune(table.stamps, row, atUs - table.perUs);
  stamps.insert(table.stamps, row, atUs);
  const k = allowed(level, table, row);
  const kth = stamps.newest(table.stamps, row, k);
  if (level.fixedMark) {
    if (kth > 0 && (table.marks.get(row) ?? 0) <= atUs) table.marks.set(row, atUs + table.perUs);
  } else if (kth > 0) table.marks.set(row, kth + table.perUs);
  else table.marks.delete(row);
  return reply;
}

/** One step of A on its own, for the form whose other operations are not atomic (ALG-C6, SMO-C6). */
export function allowanceStep(one: Bound, identity: string, atUs: Micros, reply: Reply): Reply {
  const { level, table } = one;
  if (table.kind !== "log" || level.rule === null)
    throw new Error(`${level.budget.space} has no allowance to move`);
  const row = open(table, one.ofApi ? "" : identity, atUs);
  keep(level, level.rule, table, row, allowanceBehind(level.rule, table, row, atUs), atUs, reply);
  reply.limit[0] = allowed(level, table, row);
  return reply;
}

/** How many attempts a window may hold: floor(A) where smoothed, else the capacity. */
function allowed(level: Level, table: LogTable, row: number): number {
  if (level.rule === null) return level.capacity;
  return wholeAllowance(table.allowances.get(row)?.allowance.value ?? level.rule.threshold);
}

/** Takes back what one level spent at `takenUs`, because a later one refused (LIM-C1). */
export function giveBack(one: Bound, identity: string, takenUs: Micros): void {
  const { table } = one;
  const row = table.rows.byIdentity.get(one.ofApi ? "" : identity);
  if (row === undefined) return;
  switch (table.kind) {
    case "counter":
      counter.giveBack(table, row, table.perUs, takenUs);
      return;
    case "debt":
      debt.giveBack(table, row, table.perUs);
      return;
    case "two_windows":
      twoWindows.giveBack(table, row, table.perUs, takenUs);
      return;
    case "log":
      stamps.remove(table.stamps, row, takenUs);
  }
}

/** What a client may be told of a level (HDR-C2), after the decision. */
function describe(one: Bound, i: number, row: number, atUs: Micros, reply: Reply): void {
  const { level, table } = one;
  const limit = table.kind === "log" ? allowed(level, table, row) : level.capacity;
  reply.limit[i] = limit;
  const waitUs = reply.waitUs[i]!;
  if (waitUs > 0) {
    reply.remaining[i] = 0;
    reply.resetUs[i] = atUs + waitUs;
    return;
  }
  const left = leftOf(level, table, row, limit, atUs);
  reply.remaining[i] = left;
  reply.resetUs[i] =
    left > 0 ? fullUs(table, row, level, atUs) : atUs + nextWait(level, table, row, limit, atUs);
}

function leftOf(level: Level, table: Table, row: number, limit: number, atUs: number): number {
  switch (table.kind) {
    case "counter":
      return Math.max(0, limit - counter.used(table, row, table.perUs, atUs));
    case "debt":
      return debt.remaining(table, row, level.budget.limit.rate, level.burst, table.perUs, atUs);
    case "two_windows":
      return twoWindows.remaining(table, row, level.budget.limit.rate, table.perUs, atUs);
    case "log":
      return Math.max(0, limit - counted(level, table, row, atUs));
  }
}

/** A sentinel's answer comes before its write, and its log is not pruned for it. */
const counted = (level: Level, table: LogTable, row: number, atUs: number): number =>
  level.algorithm === "sentinel"
    ? stamps.countAfter(table.stamps, row, atUs - table.perUs) + 1
    : table.stamps.count[row]!;

/** When the budget is full again if nobody calls. */
function fullUs(table: Table, row: number, level: Level, atUs: number): number {
  switch (table.kind) {
    case "counter":
      return Math.max(atUs, counter.endUs(table, row, table.perUs));
    case "debt":
      return Math.max(atUs, debt.paidOffUs(table, row, level.budget.limit.rate));
    case "two_windows":
      return Math.max(atUs, twoWindows.emptyUs(table, row, table.perUs));
    case "log":
      return Math.max(atUs, stamps.newest(table.stamps, row, 1) + table.perUs);
  }
}

const nextWait = (level: Level, table: Table, row: number, limit: number, atUs: number): number =>
  table.kind === "log"
    ? waitUnwritten(table.stamps, row, limit, table.perUs, atUs)
    : judge(level, table, row, atUs);
