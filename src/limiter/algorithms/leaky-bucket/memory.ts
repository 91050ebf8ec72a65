// Queues in memory, for the leaky bucket.
import {
  limitForClients,
  writeNothing,
  type BoundLevel,
  type Counting,
} from "../../store/counting.ts";
import type { CellTable } from "../../store/table.ts";
import { showBudget } from "../../store/shown-budget.ts";
import * as rule from "./rule.ts";

const waitForPlace = (
  { level, table, row }: BoundLevel<CellTable>,
  atUs: number,
  units = 1,
): number =>
  rule.wait(table.cells, row, level.budget.limit.rate, level.burst - units + 1, table.perUs, atUs);

const waitForTurn = ({ level, table, row }: BoundLevel<CellTable>, atUs: number): number =>
  rule.delay(table.cells, row, level.budget.limit.rate, atUs);

export const QUEUE: Counting<CellTable> = {
  evaluate: (bound, atUs, _, units) => waitForPlace(bound, atUs, units),
  delay: waitForTurn,
  spend: (bound, index, atUs, reply, units) => {
    const { level, table, row } = bound;
    rule.spend(table.cells, row, level.budget.limit.rate, table.perUs, atUs, units);
    showBudget(bound, index, atUs, reply);
  },
  writeRefused: writeNothing,
  limit: limitForClients,
  remaining: ({ level: { budget, burst }, table, row }, atUs) =>
    rule.remaining(table.cells, row, budget.limit.rate, burst, table.perUs, atUs),
  fullUs: (bound, atUs) => atUs + waitForTurn(bound, atUs),
  nextWait: (bound, atUs) => waitForPlace(bound, atUs),
  giveBack: ({ cells, perUs }, row, takenUs, units) =>
    rule.giveBack(cells, row, perUs, takenUs, units),
};
