// The one rule of LIM-C1, on memory: every level is judged before any is spent, and the first refusal is
// the answer. A refused request is written only to the log that refused it (ALG-3). The script for a
// real store says the same in its own language; a property test holds the two together.
import * as counter from "../core/algorithm/counter.ts";
import { countOf, remove } from "../core/algorithm/stamps.ts";
import type { Client } from "../core/client.ts";
import { NO_CHANGES, type Intent, type Reply } from "../core/store.ts";
import type { Micros } from "../core/units.ts";
import type { Bound } from "./bound.ts";
import { giveBackCells, judgeCells, spendCells } from "./cell-budget.ts";
import { isPlainLog, judgeLog, resetUs, writeLog } from "./log-budget.ts";
import { open } from "./table.ts";
import { showRefusal, tell, tellCounted } from "./tell.ts";

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
  let ownWaitUs = 0;
  let longestUs = 0;
  reset(reply);
  for (let i = 0; i < bound.length; i++) {
    const { level, table, everybody } = bound[i]!;
    const row = open(table, everybody ?? asking, atUs);
    rowAt[i] = row;
    const waitUs =
      table.kind === "log"
        ? judgeLog(level, table, row, atUs, intent !== "ask" && refused < 0)
        : judgeCells(level, table, row, atUs);
    if (waitUs === 0) continue;
    if (refused < 0) {
      refused = i;
      ownWaitUs = waitUs;
    }
    if (waitUs > longestUs) longestUs = waitUs;
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
    showRefusal(bound[refused]!, refused, rowAt[refused]!, atUs + ownWaitUs, reply);
    if (level.budget.scope === "quota")
      for (let i = 0; i < refused; i++) tell(bound[i]!, i, rowAt[i]!, atUs, false, reply);
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
  if (spends && table.kind === "counter") {
    const count = counter.spend(table.cells, row, table.perUs, atUs, level.startsAtClock);
    tellCounted(one, i, count, counter.endUs(table.cells, row, table.perUs), reply);
    return;
  }
  if (spends) {
    if (table.kind === "log") {
      writeLog(level, table, row, atUs, reply);
      if (isPlainLog(level)) {
        const count = countOf(table.stamps, row);
        tellCounted(one, i, count, resetUs(level, table, row, count), reply);
        return;
      }
    } else spendCells(level, table, row, atUs);
  }
  tell(one, i, row, atUs, spends, reply);
}

/** Takes back what one level spent at `takenUs`, because a later one refused (LIM-C1). */
export function giveBack(one: Bound, asking: Client, takenUs: Micros): void {
  const { table } = one;
  const row = table.rows.byIdentity.get((one.everybody ?? asking).identity);
  if (row === undefined) return;
  if (table.kind === "log") remove(table.stamps, row, takenUs);
  else giveBackCells(table, row, takenUs);
}
