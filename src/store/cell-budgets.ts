// Budgets that are a few numbers: a count with its window, a debt, two windows.
import * as counter from "../core/algorithm/counter.ts";
import * as debt from "../core/algorithm/debt.ts";
import * as twoWindows from "../core/algorithm/two-windows.ts";
import type { Bound, Counting } from "./counting.ts";
import type { CellTable } from "./table.ts";
import { offer, tell } from "./tell.ts";

const limit = ({ level }: Bound<CellTable>): number => level.shownLimit;
const writesNothing = (): void => {};

const waitForCounter = ({ level, table, row }: Bound<CellTable>, atUs: number): number =>
  counter.wait(table.cells, row, level.capacity, table.perUs, atUs);

export const COUNTER: Counting<CellTable> = {
  judge: waitForCounter,
  spend: (one, index, atUs, reply) => {
    const { level, table, row } = one;
    const { cells, perUs } = table;
    const left = level.capacity - counter.spend(cells, row, perUs, atUs, level.startsAtClock);
    // A window ends at one time, whether it is told as full again or as passed.
    offer(one, index, level.shownLimit, left, counter.endUs(cells, row, perUs), reply);
  },
  writeRefused: writesNothing,
  limit,
  left: ({ level, table, row }, atUs) =>
    Math.max(0, level.capacity - counter.used(table.cells, row, table.perUs, atUs)),
  fullUs: ({ table, row }, atUs) => Math.max(atUs, counter.endUs(table.cells, row, table.perUs)),
  nextWait: waitForCounter,
  giveBack: ({ cells, perUs }, row, takenUs) => counter.giveBack(cells, row, perUs, takenUs),
};

const waitForDebt = ({ level, table, row }: Bound<CellTable>, atUs: number): number =>
  debt.wait(table.cells, row, level.budget.limit.rate, level.burst, table.perUs, atUs);

export const DEBT: Counting<CellTable> = {
  judge: waitForDebt,
  spend: (one, index, atUs, reply) => {
    const { level, table, row } = one;
    debt.spend(table.cells, row, level.budget.limit.rate, table.perUs, atUs);
    tell(one, index, atUs, reply);
  },
  writeRefused: writesNothing,
  limit,
  left: ({ level: { budget, burst }, table, row }, atUs) =>
    debt.remaining(table.cells, row, budget.limit.rate, burst, table.perUs, atUs),
  fullUs: ({ level, table, row }, atUs) =>
    Math.max(atUs, debt.paidOffUs(table.cells, row, level.budget.limit.rate, table.perUs)),
  nextWait: waitForDebt,
  giveBack: ({ cells, perUs }, row) => debt.giveBack(cells, row, perUs),
};

const waitForWindows = ({ level, table, row }: Bound<CellTable>, atUs: number): number =>
  twoWindows.wait(table.cells, row, level.budget.limit.rate, table.perUs, atUs);

export const TWO_WINDOWS: Counting<CellTable> = {
  judge: waitForWindows,
  spend: (one, index, atUs, reply) => {
    const { table, row } = one;
    twoWindows.spend(table.cells, row, table.perUs, atUs);
    tell(one, index, atUs, reply);
  },
  writeRefused: writesNothing,
  limit,
  left: ({ level, table, row }, atUs) =>
    twoWindows.remaining(table.cells, row, level.budget.limit.rate, table.perUs, atUs),
  fullUs: ({ table, row }, atUs) =>
    Math.max(atUs, twoWindows.emptyUs(table.cells, row, table.perUs)),
  nextWait: waitForWindows,
  giveBack: ({ cells, perUs }, row, takenUs) => twoWindows.giveBack(cells, row, perUs, takenUs),
};
