// Budgets that are a few numbers: which algorithm reads and writes them.
import * as counter from "../core/algorithm/counter.ts";
import * as debt from "../core/algorithm/debt.ts";
import * as twoWindows from "../core/algorithm/two-windows.ts";
import type { Level } from "../core/store.ts";
import type { CellTable } from "./table.ts";

export function judgeCells(level: Level, table: CellTable, row: number, atUs: number): number {
  switch (table.kind) {
    case "counter":
      return counter.wait(table.cells, row, level.capacity, table.perUs, atUs);
    case "debt":
      return debt.wait(table.cells, row, level.budget.limit.rate, level.burst, table.perUs, atUs);
    case "two_windows":
      return twoWindows.wait(table.cells, row, level.budget.limit.rate, table.perUs, atUs);
  }
}

export function spendCells(level: Level, table: CellTable, row: number, atUs: number): void {
  switch (table.kind) {
    case "counter":
      counter.spend(table.cells, row, table.perUs, atUs, level.startsAtClock);
      return;
    case "debt":
      debt.spend(table.cells, row, level.budget.limit.rate, table.perUs, atUs);
      return;
    case "two_windows":
      twoWindows.spend(table.cells, row, table.perUs, atUs);
  }
}

export function giveBackCells(table: CellTable, row: number, takenUs: number): void {
  switch (table.kind) {
    case "counter":
      counter.giveBack(table.cells, row, table.perUs, takenUs);
      return;
    case "debt":
      debt.giveBack(table.cells, row, table.perUs);
      return;
    case "two_windows":
      twoWindows.giveBack(table.cells, row, table.perUs, takenUs);
  }
}
