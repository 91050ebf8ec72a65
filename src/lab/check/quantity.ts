// Checks costs in the store: commands of each request, and operations, entries and bytes of a run.
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import type { History } from "../scenario/history.ts";
import type { Filter, Measure, Quantity } from "../scenario/types.ts";
import type { Interval } from "../scenario/verdict.ts";
import { exactly, formatComparison, formatInterval, rangeOf, satisfies } from "./interval.ts";
import { finding, errorFinding, type Finding } from "./outcome.ts";
import { answerTo } from "./rejections.ts";
import { select, unknownName } from "./select.ts";
import type { CheckSubject } from "./subject.ts";

export interface QuantityTotal {
  readonly range: Interval; // from the smallest to the largest value of a request; for a total, its one value
  readonly mean: number;
  readonly examined: number;
  readonly rows: readonly number[];
}

export function checkQuantity(
  measure: Extract<Measure, { kind: "quantity" }>,
  { history }: CheckSubject,
): Finding {
  const { comparison } = measure;
  if ("axis" in comparison) {
    throw new Error(`"${comparison.op}" compares several variants: it belongs to checkAcross`);
  }
  const expected = `${formatComparison(comparison)} ${unitOf(measure.quantity)}`;
  const measured = measureOf(history, measure.quantity, measure.filter);
  if (isFailure(measured)) return errorFinding(measured.message, expected);
  if (measured.examined === 0) return finding("vacuous", "no request", expected, 0);
  // The range is the spread over the requests, not an uncertainty: each request must satisfy the comparison.
  const holds =
    satisfies(measured.range.from, comparison) && satisfies(measured.range.to, comparison);
  const evidence = measured.rows.filter(
    (row) => holds || !satisfies(perRow(history, measure.quantity, row), comparison),
  );
  return finding(
    holds ? "pass" : "fail",
    formatInterval(measured.range, round),
    expected,
    measured.examined,
    evidence,
  );
}

export const unitOf = (quantity: Quantity): string => {
  if (quantity.of === "storeCommands")
    return `store commands a request, ${quantity.before === "answer" ? "before the answer" : "in all"}`;
  const per = { request: "a request", peak: "at the peak", total: "in total" }[quantity.per];
  return `${{ storeOps: "store operations", storeEntries: "store entries", storeBytes: "store bytes" }[quantity.of]} ${per}`;
};

export const round = (value: number): string => String(Math.round(value * 1000) / 1000);

export function measureOf(
  history: History,
  quantity: Quantity,
  filter: Filter,
): QuantityTotal | Failure {
  const problem = unknownName(history, filter);
  if (problem !== null) return new Failure(problem);
  // The store commands of a lost request are unknown; a total of the run includes them.
  const rows = select(history, filter).filter((row) => answerTo(history.requests, row) !== "lost");
  if (quantity.of === "storeCommands") {
    const values = rows.map((row) => perRow(history, quantity, row));
    const sum = values.reduce((total, value) => total + value, 0);
    return {
      range: rangeOf(values),
      mean: sum / values.length,
      examined: rows.length,
      rows,
    };
  }
  if (Object.values(filter).some((part) => part !== null))
    return new Failure(`${unitOf(quantity)}: a total of the run cannot be filtered`);
  const total = totalOf(history, quantity);
  if (total === null) return new Failure(`${unitOf(quantity)}: the history does not record this`);
  const value = quantity.per === "request" ? total / history.requests.length : total;
  return { range: exactly(value), mean: value, examined: history.requests.length, rows: [] };
}

const perRow = ({ requests }: History, quantity: Quantity, row: number): number => {
  if (quantity.of !== "storeCommands") return Number.NaN;
  return (quantity.before === "answer" ? requests.commandsBefore : requests.commandsAll)[row]!;
};

function totalOf(
  { store }: History,
  quantity: Exclude<Quantity, { of: "storeCommands" }>,
): number | null {
  switch (quantity.of) {
    case "storeOps":
      return quantity.per === "peak" ? null : store.commands + store.inner;
    case "storeEntries":
      return quantity.per === "total" ? null : store.peakEntries;
    case "storeBytes":
      return quantity.per === "total" ? null : store.peakBytes;
  }
}
