// The debt in memory: token bucket and GCRA.
import { limitForClients, writesNothing, type Bound, type Counting } from "../../store/counting.ts";
import type { CellTable } from "../../store/table.ts";
import { tell } from "../../store/tell.ts";
import * as rule from "./rule.ts";

const waitForDebt = ({ level, table, row }: Bound<CellTable>, atUs: number): number =>
  rule.wait(table.cells, row, level.budget.limit.rate, level.burst, table.perUs, atUs);

export const DEBT: Counting<CellTable> = {
  judge: waitForDebt,
  spend: (one, index, atUs, reply) => {
    const { level, table, row } = one;
    rule.spend(table.cells, row, level.budget.limit.rate, table.perUs, atUs);
    tell(one, index, atUs, reply);
  },
  writeRefused: writesNothing,
  limit: limitForClients,
  left: ({ level: { budget, burst }, table, row }, atUs) =>
    rule.remaining(table.cells, row, budget.limit.rate, burst, table.perUs, atUs),
  fullUs: ({ level, table, row }, atUs) =>
    Math.max(atUs, rule.paidOffUs(table.cells, row, level.budget.limit.rate, table.perUs)),
  nextWait: waitForDebt,
  giveBack: ({ cells, perUs }, row) => rule.giveBack(cells, row, perUs),
};
