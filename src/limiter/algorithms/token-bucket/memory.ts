// Debts in memory, for token bucket and GCRA.
import {
  limitForClients,
  writeNothing,
  type BoundLevel,
  type Counting,
} from "../../store/counting.ts";
import type { CellTable } from "../../store/table.ts";
import { showBudget } from "../../store/shown-budget.ts";
import * as rule from "./rule.ts";

const waitForDebt = (
  { level, table, row }: BoundLevel<CellTable>,
  atUs: number,
  units = 1,
): number =>
  rule.wait(
    table.cells,
    row,
    level.budget.limit.rate,
    level.burst - units + 1,
    table.perUs,
    atUs,
    rule.lastsUsOf(level),
  );

export const DEBT: Counting<CellTable> = {
  evaluate: (bound, atUs, _, units) => waitForDebt(bound, atUs, units),
  spend: (one, index, atUs, reply, units) => {
    const { level, table, row } = one;
    const { rate } = level.budget.limit;
    rule.spend(table.cells, row, rate, table.perUs, atUs, units, rule.lastsUsOf(level));
    showBudget(one, index, atUs, reply);
  },
  writeRefused: writeNothing,
  limit: limitForClients,
  remaining: ({ level, table, row }, atUs) => {
    const { budget, burst } = level;
    const longestUs = rule.lastsUsOf(level);
    return rule.remaining(table.cells, row, budget.limit.rate, burst, table.perUs, atUs, longestUs);
  },
  fullUs: ({ level, table, row }, atUs) =>
    Math.max(
      atUs,
      rule.paidOffUs(table.cells, row, level.budget.limit.rate, rule.lastsUsOf(level)),
    ),
  nextWait: (bound, atUs) => waitForDebt(bound, atUs),
  giveBack: ({ cells, perUs }, row, _, units) => rule.giveBack(cells, row, perUs, units),
};
