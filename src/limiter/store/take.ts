// The one rule of LIM-C1, in memory: every level is evaluated before any is spent, and the first refusal is the reply.
// A refused request is written only to the log that refused it (ALG-3). The Redis script has the same rule in Lua; a
// property test compares the two.
import type { Client } from "../core/client.ts";
import { NO_CHANGES, type Intent, type Reply } from "../core/store.ts";
import type { Micros } from "../../kit/units.ts";
import { existingRowOf, seek, type BoundLevel } from "./counting.ts";
import { countElsewhere } from "./imitation/levels.ts";
import { forgetSpent } from "./table.ts";
import { showRefusal, showBudget } from "./shown-budget.ts";

export function take(
  levels: readonly BoundLevel[],
  client: Client,
  atUs: Micros,
  intent: Intent,
  reply: Reply,
  units: number,
): Reply {
  const spends = intent !== "evaluate";
  let refused = -1;
  let ownWaitUs = 0;
  let longestUs = 0;
  blank(reply);
  for (let i = 0; i < levels.length; i++) {
    const bound = levels[i]!;
    // No two levels of one operation share a table, so that a sweep for one level drops no row of another.
    seek(bound, client, atUs);
    const waitUs = bound.counting.evaluate(bound, atUs, spends && refused < 0, units);
    if (waitUs === 0) continue;
    if (refused < 0) {
      refused = i;
      ownWaitUs = waitUs;
    }
    if (waitUs > longestUs) longestUs = waitUs;
  }
  reply.refusedBy = refused;
  reply.waitUs = longestUs;
  if (refused >= 0) refuse(levels, refused, atUs, atUs + ownWaitUs, intent, reply, units);
  else
    for (let i = 0; i < levels.length; i++) {
      const bound = levels[i]!;
      const { counting } = bound;
      // The request leaves at its latest turn: each level that delays counts its own turns.
      if (counting.delay !== undefined)
        reply.delayUs = Math.max(reply.delayUs, counting.delay(bound, atUs));
      if (spends) bound.counting.spend(bound, i, atUs, reply, units);
      else showBudget(bound, i, atUs, reply);
    }
  return reply;
}

function refuse(
  levels: readonly BoundLevel[],
  refused: number,
  atUs: Micros,
  resetUs: number,
  intent: Intent,
  reply: Reply,
  units: number,
): void {
  const bound = levels[refused]!;
  const { counting, table, isForAll } = bound;
  const isWritten = intent === "spend" || (intent === "try" && isForAll);
  if (isWritten) counting.writeRefused(bound, atUs, reply, units);
  if (isWritten && bound.level.imitation !== null)
    countElsewhere(levels, refused, { atUs, reply, units });
  // Less than the cost of this request remains: 0, if a log writes the request now or in the background.
  const left =
    units === 1 || (isWritten && table.kind === "log")
      ? 0
      : Math.min(units - 1, counting.remaining(bound, atUs));
  showRefusal(bound, refused, left, resetUs, atUs, reply);
  if (!bound.isQuota) return;
  for (let i = 0; i < refused; i++) {
    // Shows the present state of an earlier level, where this request is not written and so changes no allowance.
    levels[i]!.counting.evaluate(levels[i]!, atUs, false, units);
    showBudget(levels[i]!, i, atUs, reply);
  }
}

function blank(reply: Reply): void {
  reply.delayUs = 0;
  reply.shown = -1;
  reply.limit = -1;
  reply.remaining = -1;
  reply.resetUs = 0;
  reply.allowance = -1;
  reply.quotaLeft = -1;
  reply.quotaAtApiLeft = -1;
  reply.changes = NO_CHANGES;
}

/** Refunds what one level spent at `takenUs`, because a later level refused (LIM-C1). */
export function giveBack(bound: BoundLevel, client: Client, takenUs: Micros, units: number): void {
  const { table, counting } = bound;
  const row = existingRowOf(bound, client);
  if (row !== undefined) counting.giveBack(table, row, takenUs, units);
}

/** Resets the budget, as if nothing had been spent (MGT-C11). */
export function reset(bound: BoundLevel, client: Client): void {
  const row = existingRowOf(bound, client);
  if (row !== undefined) forgetSpent(bound.table, row);
}
