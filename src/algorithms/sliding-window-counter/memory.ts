// The two windows in memory.
import {
  limitForClients,
  writeNothing,
  type BoundLevel,
  type Counting,
} from "../../store/counting.ts";
import type { CellTable } from "../../store/table.ts";
import { showBudget } from "../../store/shown-budget.ts";
import * as rule from "./rule.ts";

const waitForWindows = ({ level, table, row }: BoundLevel<CellTable>, atUs: number): number =>
  rule.wait(table.cells, row, level.budget.limit.rate, table.perUs, atUs);

export const TWO_WINDOWS: Counting<CellTable> = {
  evaluate: waitForWindows,
  spend: (one, index, atUs, reply) => {
    const { table, row } = one;
    rule.spend(table.cells, row, table.perUs, atUs);
    showBudget(one, index, atUs, reply);
  },
  writeRefused: writeNothing,
  limit: limitForClients,
  remaining: ({ level, table, row }, atUs) =>
    rule.remaining(table.cells, row, level.budget.limit.rate, table.perUs, atUs),
  fullUs: ({ table, row }, atUs) => Math.max(atUs, rule.emptyUs(table.cells, row, table.perUs)),
  nextWait: waitForWindows,
  giveBack: ({ cells, perUs }, row, takenUs) => rule.giveBack(cells, row, perUs, takenUs),
};
