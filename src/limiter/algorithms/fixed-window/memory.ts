// Counters with a window, in memory: for the fixed window, DRL's share and quotas.
import {
  limitForClients,
  writeNothing,
  type BoundLevel,
  type Counting,
} from "../../store/counting.ts";
import type { CellTable } from "../../store/table.ts";
import { offer } from "../../store/shown-budget.ts";
import * as rule from "./rule.ts";

const waitForCounter = (
  { level, table, row }: BoundLevel<CellTable>,
  atUs: number,
  units = 1,
): number => rule.wait(table.cells, row, level.capacity - units + 1, table.perUs, atUs);

export const COUNTER: Counting<CellTable> = {
  evaluate: (bound, atUs, _, units) => waitForCounter(bound, atUs, units),
  spend: (one, index, atUs, reply, units) => {
    const { level, table, row } = one;
    const { cells, perUs } = table;
    const left = level.capacity - rule.spend(cells, row, perUs, atUs, level.startsAtClock, units);
    // The window ends at the same time whether budget is left or not, so both cases show this reset.
    offer(one, index, level.shownLimit, left, rule.endUs(cells, row, perUs), reply);
  },
  writeRefused: writeNothing,
  limit: limitForClients,
  remaining: ({ level, table, row }, atUs) =>
    Math.max(0, level.capacity - rule.countAt(table.cells, row, table.perUs, atUs)),
  fullUs: ({ table, row }, atUs) => Math.max(atUs, rule.endUs(table.cells, row, table.perUs)),
  nextWait: (bound, atUs) => waitForCounter(bound, atUs),
  giveBack: ({ cells, perUs }, row, takenUs, units) =>
    rule.giveBack(cells, row, perUs, takenUs, units),
};
