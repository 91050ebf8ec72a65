// A result as lines for a terminal.
import { figure } from "../src/bench/figure.ts";
import type { CaseResult, Judged, Row } from "./harness.ts";
import type { Summary } from "../src/stats/summary.ts";

export function tableOf(result: CaseResult): readonly string[] {
  const { name, unit, control, rows, targets } = result;
  const cells = [
    ["", unit, "min to max", `times ${control}`],
    ...rows.map((row) => cellsOf(row, control)),
  ];
  const widths = cells[0]!.map((_, column) =>
    Math.max(...cells.map((line) => line[column]!.length)),
  );
  const lines = cells.map((line) =>
    line
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!),
      )
      .join("  ")
      .trimEnd(),
  );
  return [
    name,
    ...lines.map((line) => `  ${line}`),
    ...targets.map((target) => `  ${targetText(target)}`),
  ];
}

const cellsOf = ({ name, role, summary, ratio }: Row, control: string): readonly string[] => [
  role === "control" ? `(${name})` : name,
  figure(summary.median),
  rangeOf(summary),
  name === control ? "" : `${figure(ratio.median)} (${rangeOf(ratio)})`,
];

const targetText = ({ text, measured, met }: Judged): string =>
  `target ${met ? "met" : "not met"}: ${text}; measured ${figure(measured.median)} (${rangeOf(measured)})`;

const rangeOf = ({ min, max }: Summary): string => `${figure(min)} to ${figure(max)}`;
