// The two windows of a sliding window counter, in memory.
import {
  limitForClients,
  writeNothing,
  type BoundLevel,
  type Counting,
} from "../../store/counting.ts";
import type { CellTable } from "../../store/table.ts";
import { showBudget } from "../../store/shown-budget.ts";
import * as rule from "./rule.ts";

const waitForWindows = (
  { level, table, row }: BoundLevel<CellTable>,
  atUs: number,
  units = 1,
): number => rule.wait(table.cells, row, level.budget.limit.rate, table.perUs, atUs, units);

export const TWO_WINDOWS: Counting<CellTable> = {
  evaluate: (bound, atUs, _, units) => waitForWindows(bound, atUs, units),
  spend: (one, index, atUs, reply, units) => {
    const { table, row } = one;
    rule.spend(table.cells, row, table.perUs, atUs, units);
    showBudget(one, index, atUs, reply);
  },
  writeRefused: writeNothing,
  limit: limitForClients,
  remaining: ({ level, table, row }, atUs) =>
    rule.remaining(table.cells, row, level.budget.limit.rate, table.perUs, atUs),
  fullUs: ({ table, row }, atUs) => Math.max(atUs, rule.emptyUs(table.cells, row, table.perUs)),
  nextWait: (bound, atUs) => waitForWindows(bound, atUs),
  giveBack: ({ cells, perUs }, row, takenUs, units) =>
    rule.giveBack(cells, row, perUs, takenUs, units),
};
