// The one rule of LIM-C1, on memory: every level is judged before any is spent, and the first refusal is
// the answer. A refused request is written only to the log that refused it (ALG-3). The script for a
// real store says the same in its own language; a property test holds the two together.
import * as counter from "../core/algorithm/counter.ts";
import * as debt from "../core/algorithm/debt.ts";
import { waitUnwritten, waitWritten } from "../core/algorithm/log.ts";
import * as stamps from "../core/algorithm/stamps.ts";
import * as twoWindows from "../core/algorithm/two-windows.ts";
import { isOfApi } from "../core/budget.ts";
import { client, type Client } from "../core/client.ts";
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
import { isTighter, type Intent, type Level, type Reply } from "../core/store.ts";
import type { Micros } from "../core/units.ts";
import { open, type CellTable, type LogTable, type Table } from "./table.ts";

/** A level and the table that counts it: looked up once, asked often. */
export interface Bound {
  readonly level: Level;
  readonly table: Table;
  readonly everybody: Client | null; // an API's budget is one for all (LIM-7), whoever asks
}

export const bind = (level: Level, table: Table): Bound => ({
  level,
  table,
  everybody: isOfApi(level.budget.scope) ? client("") : null,
});

const NO_CHANGES: Reply["changes"] = [];

/** The rows of the question at hand. No two levels of one question share a table, so none is swept meanwhile. */
const rowAt: number[] = [];

export function take(
  bound: readonly Bound[],
  asking: Client,
  atUs: Micros,
  intent: Intent,
  reply: Reply,
): Reply {
  let refused = -1;
  let longestUs = 0;
  reset(reply);
  for (let i = 0; i < bound.length; i++) {
    const { level, table, everybody } = bound[i]!;
    const row = open(table, everybody ?? asking, atUs);
    rowAt[i] = row;
    const waitUs =
      table.kind === "log"
        ? judgeLog(level, table, row, atUs, intent !== "ask" && refused < 0)
        : judge(level, table, row, atUs);
    if (waitUs === 0) continue;
    if (refused < 0) refused = i;
    if (waitUs > longestUs) longestUs = waitUs;
    if (refused === i) show(reply, i, level, limitOf(level, table, row), 0, atUs + waitUs);
  }
  reply.refusedBy = refused;
  reply.waitUs = longestUs;
  if (refused < 0) {
    for (let i = 0; i < bound.length; i++)
      spendAndTell(bound[i]!, i, rowAt[i]!, atUs, intent !== "ask", reply);
  } else {
    const { level, table, everybody } = bound[refused]!;
    if (table.kind === "log" && (intent === "spend" || (intent === "try" && everybody !== null)))
      writeLog(level, table, rowAt[refused]!, atUs, reply);
    if (level.budget.scope === "quota")
      for (let i = 0; i < refused; i++) tell(bound[i]!, i, rowAt[i]!, atUs, reply);
  }
  return reply;
}

function reset(reply: Reply): void {
  reply.shown = -1;
  reply.limit = -1;
  reply.remaining = -1;
  reply.resetUs = 0;
  reply.allowance = -1;
  reply.quotaLeft = -1;
  reply.changes = NO_CHANGES;
}

function judge(level: Level, table: CellTable, row: number, atUs: number): number {
  switch (table.kind) {
    case "counter":
      return counter.wait(table.cells, row, level.capacity, table.perUs, atUs);
    case "debt":
      return debt.wait(table.cells, row, level.budget.limit.rate, level.burst, table.perUs, atUs);
    case "two_windows":
      return twoWindows.wait(table.cells, row, level.budget.limit.rate, table.perUs, atUs);
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
  const moved = written ? step(level.rule, settled, stamps.countOf(log, row) + 1, atUs) : settled;
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

/** Spends one level, unless only asked, and says what that leaves of it. */
function spendAndTell(
  one: Bound,
  i: number,
  row: number,
  atUs: Micros,
  spends: boolean,
  reply: Reply,
): void {
  const { level, table } = one;
  if (spends) {
    switch (table.kind) {
      case "counter":
        counter.spend(table.cells, row, table.perUs, atUs, level.startsAtClock);
        break;
      case "debt":
        debt.spend(table.cells, row, level.budget.limit.rate, table.perUs, atUs);
        break;
      case "two_windows":
        twoWindows.spend(table.cells, row, table.perUs, atUs);
        break;
      case "log":
        writeLog(level, table, row, atUs, reply);
    }
  }
  tell(one, i, row, atUs, reply);
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
  const kth = stamps.newest(table.stamps, row, k);
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
function allowed(level: Level, table: LogTable, row: number): number {
  if (level.rule === null) return level.capacity;
  return wholeAllowance(table.allowances.get(row)?.allowance.value ?? level.rule.threshold);
}

/** Takes back what one level spent at `takenUs`, because a later one refused (LIM-C1). */
export function giveBack(one: Bound, asking: Client, takenUs: Micros): void {
  const { table } = one;
  const row = table.rows.byIdentity.get((one.everybody ?? asking).identity);
  if (row === undefined) return;
  switch (table.kind) {
    case "counter":
      counter.giveBack(table.cells, row, table.perUs, takenUs);
      return;
    case "debt":
      debt.giveBack(table.cells, row, table.perUs);
      return;
    case "two_windows":
      twoWindows.giveBack(table.cells, row, table.perUs, takenUs);
      return;
    case "log":
      stamps.remove(table.stamps, row, takenUs);
  }
}

// ---------------------------------------------------------------- what clients are told (HDR-C2)

/** Shows this level if it is the tightest so far. */
function tell({ level, table }: Bound, i: number, row: number, atUs: Micros, reply: Reply): void {
  const limit = limitOf(level, table, row);
  const left = leftOf(level, table, row, limit, atUs);
  if (level.rule !== null) reply.allowance = limit;
  if (level.budget.scope === "quota") reply.quotaLeft = left;
  else if (reply.shown < 0 || left <= reply.remaining) {
    const resetUs =
      left > 0 ? fullUs(table, row, level, atUs) : atUs + nextWait(level, table, row, limit, atUs);
    if (isTighter(reply, left, resetUs)) show(reply, i, level, limit, left, resetUs);
  }
}

function show(
  reply: Reply,
  i: number,
  level: Level,
  limit: number,
  left: number,
  resetUs: number,
): void {
  if (level.rule !== null) reply.allowance = limit;
  if (level.budget.scope === "quota") {
    reply.quotaLeft = left;
    return;
  }
  reply.shown = i;
  reply.limit = limit;
  reply.remaining = left;
  reply.resetUs = resetUs;
}

/** floor(A) where smoothed, as it is after this request. */
const limitOf = (level: Level, table: Table, row: number): number =>
  table.kind === "log" && level.rule !== null ? allowed(level, table, row) : level.capacity;

function leftOf(level: Level, table: Table, row: number, limit: number, atUs: number): number {
  switch (table.kind) {
    case "counter":
      return Math.max(0, limit - counter.used(table.cells, row, table.perUs, atUs));
    case "debt":
      return debt.remaining(
        table.cells,
        row,
        level.budget.limit.rate,
        level.burst,
        table.perUs,
        atUs,
      );
    case "two_windows":
      return twoWindows.remaining(table.cells, row, level.budget.limit.rate, table.perUs, atUs);
    case "log":
      return Math.max(0, limit - counted(level, table, row, atUs));
  }
}

/** A sentinel's answer comes before its write, and its log is not pruned for it. */
const counted = (level: Level, table: LogTable, row: number, atUs: number): number =>
  level.algorithm === "sentinel"
    ? stamps.countAfter(table.stamps, row, atUs - table.perUs) + 1
    : stamps.countOf(table.stamps, row);

/** When the budget is full again if nobody calls. */
function fullUs(table: Table, row: number, level: Level, atUs: number): number {
  switch (table.kind) {
    case "counter":
      return Math.max(atUs, counter.endUs(table.cells, row, table.perUs));
    case "debt":
      return Math.max(atUs, debt.paidOffUs(table.cells, row, level.budget.limit.rate));
    case "two_windows":
      return Math.max(atUs, twoWindows.emptyUs(table.cells, row, table.perUs));
    case "log":
      return Math.max(atUs, stamps.newest(table.stamps, row, 1) + table.perUs);
  }
}

const nextWait = (level: Level, table: Table, row: number, limit: number, atUs: number): number =>
  table.kind === "log"
    ? waitUnwritten(table.stamps, row, limit, table.perUs, atUs)
    : judge(level, table, row, atUs);
