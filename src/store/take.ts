// The one rule of LIM-C1, on memory: every level is judged before any is spent, and the first refusal is
// the answer. A refused request is written only to the log that refused it (ALG-3). The script for a
// real store says the same in its own language; a property test holds the two together.
import type { Client } from "../core/client.ts";
import { NO_CHANGES, type Intent, type Reply } from "../core/store.ts";
import type { Micros } from "../core/units.ts";
import { knownRowOf, seek, type Bound } from "./counting.ts";
import { forgetSpent } from "./table.ts";
import { showRefusal, tell } from "./tell.ts";

export function take(
  bound: readonly Bound[],
  asking: Client,
  atUs: Micros,
  intent: Intent,
  reply: Reply,
): Reply {
  const spends = intent !== "evaluate";
  let refused = -1;
  let ownWaitUs = 0;
  let longestUs = 0;
  blank(reply);
  for (let i = 0; i < bound.length; i++) {
    const one = bound[i]!;
    // No two levels of one question share a table, so that finding one's row takes none from another.
    seek(one, asking, atUs);
    const waitUs = one.counting.judge(one, atUs, spends && refused < 0);
    if (waitUs === 0) continue;
    if (refused < 0) {
      refused = i;
      ownWaitUs = waitUs;
    }
    if (waitUs > longestUs) longestUs = waitUs;
  }
  reply.refusedBy = refused;
  reply.waitUs = longestUs;
  if (refused >= 0) refuse(bound, refused, atUs, atUs + ownWaitUs, intent, reply);
  else
    for (let i = 0; i < bound.length; i++) {
      const one = bound[i]!;
      if (spends) one.counting.spend(one, i, atUs, reply);
      else tell(one, i, atUs, reply);
    }
  return reply;
}

function refuse(
  bound: readonly Bound[],
  refused: number,
  atUs: Micros,
  resetUs: number,
  intent: Intent,
  reply: Reply,
): void {
  const one = bound[refused]!;
  if (intent === "spend" || (intent === "try" && one.isForAll))
    one.counting.writeRefused(one, atUs, reply);
  showRefusal(one, refused, resetUs, atUs, reply);
  if (!one.isQuota) return;
  for (let i = 0; i < refused; i++) {
    // It is shown as it stands: this request is not written there, so it moves no allowance.
    bound[i]!.counting.judge(bound[i]!, atUs, false);
    tell(bound[i]!, i, atUs, reply);
  }
}

function blank(reply: Reply): void {
  reply.shown = -1;
  reply.limit = -1;
  reply.remaining = -1;
  reply.resetUs = 0;
  reply.allowance = -1;
  reply.quotaLeft = -1;
  reply.quotaAtApiLeft = -1;
  reply.changes = NO_CHANGES;
}

/** Takes back what one level spent at `takenUs`, because a later one refused (LIM-C1). */
export function giveBack(one: Bound, asking: Client, takenUs: Micros): void {
  const { table, counting } = one;
  const row = knownRowOf(one, asking);
  if (row !== undefined) counting.giveBack(table, row, takenUs);
}

/** As if nothing had been spent (MGT-C11). */
export function reset(one: Bound, asking: Client): void {
  const found = knownRowOf(one, asking);
  if (found !== undefined) forgetSpent(one.table, found);
}
