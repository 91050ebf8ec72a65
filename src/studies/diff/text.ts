// The tables of weir diff.
import { cut, oneLine, type Paint, percent, thousands } from "../../kit/reading/legible.ts";
import { table, type TableColumn } from "../../kit/reading/table.ts";
import { findOtherWorst } from "./effects.ts";
import { windowColumns, worstColumns } from "./effects-text.ts";
import { sideText } from "../replay/configuration-text.ts";
import { logText, sizeText } from "../replay/text.ts";
import type { DiffRow, UnansweredDiff } from "./result.ts";

export function diffText(
  result: UnansweredDiff,
  paint: Paint,
  width = Number.POSITIVE_INFINITY,
): readonly string[] {
  const { logs, before, after, changedClients, changedEndpoints, windows, worst } = result;
  return [
    ...logs.map((log) => oneLine(logText(log))),
    ...sourceText(result),
    ...sideText("before", before),
    ...sideText("after", after),
    ...rowsText("client", changedClients, paint, width),
    ...rowsText("endpoint", changedEndpoints, paint, width),
    ...tableText(windowColumns(windows), paint, width),
    ...tableText(worstColumns(findOtherWorst(worst)), paint, width),
  ];
}

/** The traffic, if the requests are of no log, and how many are decided. */
export function sourceText(result: UnansweredDiff): readonly string[] {
  const { traffic } = result;
  if (traffic === undefined) return [sizeText(result)];
  const { scenario, about } = traffic;
  const own = scenario === null ? about : `${scenario}: ${about}`;
  // Its times are not dates.
  return [oneLine(own), sizeText({ ...result, firstAt: null, lastAt: null })];
}

function rowsText(
  what: string,
  rows: readonly DiffRow[],
  paint: Paint,
  width: number,
): readonly string[] {
  return tableText(rowColumns(what, rows), paint, width);
}

const tableText = (
  columns: readonly TableColumn[],
  paint: Paint,
  width: number,
): readonly string[] =>
  columns[0]!.cells.length === 0
    ? []
    : ["", ...table(columns, paint, undefined, { width, named: 1 })];

/** The columns of a table of clients or endpoints. */
export function rowColumns(what: string, rows: readonly DiffRow[]): readonly TableColumn[] {
  const numbers = (title: string, of: (row: DiffRow) => string): TableColumn => ({
    title,
    cells: rows.map(of),
    isNumber: true,
  });
  return [
    { title: what, cells: rows.map(({ name }) => cut(oneLine(name))), isNumber: false },
    numbers("requests", ({ requests }) => thousands(requests)),
    numbers("refused before", ({ refusedBefore }) => thousands(refusedBefore)),
    numbers("after", ({ refusedAfter }) => thousands(refusedAfter)),
    numbers("lost", ({ lost }) => thousands(lost)),
    numbers("share", ({ lost, requests }) => percent(lost / requests)),
    numbers("gained", ({ gained }) => thousands(gained)),
  ];
}
