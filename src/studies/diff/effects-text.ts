// What two configurations admit at most, as tables.
import { cut, oneLine, thousands } from "../../kit/reading/legible.ts";
import { perWords } from "../../kit/reading/periods.ts";
import type { TableColumn } from "../../kit/reading/table.ts";
import type { DiffWindow, WorstRow } from "./effects.ts";

export const windowColumns = (windows: readonly DiffWindow[]): readonly TableColumn[] => {
  const numbers = (title: string, of: (window: DiffWindow) => number): TableColumn => ({
    title,
    cells: windows.map((each) => thousands(of(each))),
    isNumber: true,
  });
  return [
    {
      title: "most admitted in any",
      cells: windows.map(({ perUs }) => perWords(perUs)),
      isNumber: false,
    },
    numbers("one client before", ({ before }) => before.mostOfClient),
    numbers("after", ({ after }) => after.mostOfClient),
    numbers("all clients before", ({ before }) => before.mostOfAll),
    numbers("after", ({ after }) => after.mostOfAll),
  ];
};

export const worstColumns = (rows: readonly WorstRow[]): readonly TableColumn[] => [
  { title: "at worst", cells: rows.map(({ side }) => side), isNumber: false },
  { title: "limit", cells: rows.map(({ limit }) => cut(oneLine(limit))), isNumber: false },
  { title: "rule", cells: rows.map(({ rule }) => cut(oneLine(rule))), isNumber: false },
  {
    title: "one key",
    cells: rows.map(({ most }) => (most === null ? "not searched" : thousands(most))),
    isNumber: true,
  },
  { title: "in any", cells: rows.map(({ perUs }) => perWords(perUs)), isNumber: false },
];
