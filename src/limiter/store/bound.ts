import { isForAll, isQuota } from "../core/budget.ts";
import type { Level } from "../core/store.ts";
import { COUNTER } from "../algorithms/fixed-window/memory.ts";
import { QUEUE } from "../algorithms/leaky-bucket/memory.ts";
import { TWO_WINDOWS } from "../algorithms/sliding-window-counter/memory.ts";
import { DEBT } from "../algorithms/token-bucket/memory.ts";
import { lastsUsOf } from "../algorithms/token-bucket/rule.ts";
import type { BoundLevel } from "./counting.ts";
import { PLAIN_LOG } from "../algorithms/sliding-log/memory.ts";
import { SENTINEL } from "../algorithms/sentinel/memory.ts";
import { SMOOTHED_LOG } from "./smoothed-log.ts";
import { imitate } from "./imitation/imitate.ts";
import { openForAll, type BudgetTable } from "./table.ts";

/** Binds a level to its table. Chooses the counting once, so that levels without an imitation take no more time. */
export const bind = (level: Level, table: BudgetTable): BoundLevel =>
  level.imitation === null
    ? bindPlain(level, table)
    : imitate(bindPlain(level, table), level.imitation);

function bindPlain(level: Level, table: BudgetTable): BoundLevel {
  const isShared = isForAll(level.budget);
  const shared = {
    level,
    isQuota: isQuota(level.budget.scope),
    isQuotaAtApi: level.budget.scope === "quota-api",
    isForAll: isShared,
    row: isShared ? openForAll(table) : 0,
    count: 0,
    moved: null,
  };
  switch (table.kind) {
    case "counter":
      return { ...shared, table, counting: COUNTER };
    case "debt":
      table.lastsUs = Math.max(table.lastsUs, lastsUsOf(level));
      return { ...shared, table, counting: DEBT };
    case "queue":
      return { ...shared, table, counting: QUEUE };
    case "two_windows":
      return { ...shared, table, counting: TWO_WINDOWS };
    case "log": {
      const unmarked = level.rule === null ? PLAIN_LOG : SMOOTHED_LOG;
      return {
        ...shared,
        table,
        counting: level.traits.isWrittenInBackground ? SENTINEL : unmarked,
      };
    }
  }
}
