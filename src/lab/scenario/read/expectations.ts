// Reads the list of expectations for one cell of the matrix.
import type { Path, Problem } from "../../../kit/reading/problems.ts";
import { readWhere, type Axes, type MatrixCell } from "./matrix.ts";
import { mapWithWord } from "../../../kit/reading/record.ts";
import {
  anything,
  isJsonMap,
  optional,
  mandatory,
  formatValue,
  text,
  type Fields,
  type Json,
  type JsonMap,
} from "../../../kit/reading/shape.ts";
import { scn } from "./codes.ts";
import { requirementIds } from "./proves.ts";
import type { Expectation, Measure } from "../types.ts";
import { EXPECTATION_WORDS } from "./words.ts";

export const EXPECTATION_FIELDS = {
  id: mandatory(text, "A sentence that is true if the expectation holds."),
  where: optional(
    { ...anything, called: "a map", schema: { type: "object", additionalProperties: true } },
    null,
    "Only in these cells of the matrix: an axis and its value, or a list of values.",
  ),
  proves: optional(
    requirementIds,
    null,
    "The requirements this expectation is about. Left out: the scenario's.",
  ),
} as const satisfies Fields;

export const expectationShape = mapWithWord(
  "an expectation",
  EXPECTATION_FIELDS,
  EXPECTATION_WORDS,
);

/** Which expectations apply to a cell, as determined by `where` before the cell's values are inserted. */
export type Selection = (index: number, cell: MatrixCell) => boolean;

export function readSelection(value: Json, axes: Axes, problems: Problem[]): Selection {
  const chosenCells = (Array.isArray(value) ? (value as readonly Json[]) : []).map((item, index) =>
    isJsonMap(item) && item["where"] !== undefined
      ? readWhere(item["where"], ["expect", index, "where"], axes, problems)
      : () => true,
  );
  return (index, cell) => chosenCells[index]?.(cell) ?? true;
}

export interface ReadExpectation {
  readonly expectation: Expectation;
  readonly path: Path; // path of its measure
}

/** The parts of an expectation that refer to other parts of the file. The expectation may have errors. */
export interface ExpectationParts {
  readonly measure: Measure | undefined;
  readonly word: string | undefined;
  readonly fields: JsonMap;
  readonly at: Path;
  readonly pathInFile: (path: Path) => Path;
}

interface ReadExpectations {
  readonly read: readonly ReadExpectation[];
  readonly parts: readonly ExpectationParts[];
  readonly isComplete: boolean; // false if at least one could not be read
}

/** Reads expectations from `value`, in which the cell's values have been inserted. */
export function readExpectations(
  value: Json,
  isIn: (index: number) => boolean,
  defaultProves: readonly string[],
  lines: readonly number[],
  problems: Problem[],
): ReadExpectations {
  if (!Array.isArray(value)) {
    scn(problems, "SCN-VALUE", ["expect"], `${formatValue(value)} is not a list of expectations`);
    return { read: [], parts: [], isComplete: false };
  }
  const items: readonly Json[] = value;
  const all = items.flatMap((item, index) => {
    if (!isIn(index)) return [];
    const at = ["expect", index];
    return [{ at, index, ...expectationShape.readParts(item, at, problems) }];
  });
  const read = all.flatMap(({ at, index, common: { id, proves }, chosen, word, isComplete }) =>
    isComplete && id !== undefined && chosen !== undefined && word !== undefined
      ? [
          {
            path: [...at, word],
            expectation: {
              id,
              line: lines[index] ?? 1,
              proves: proves ?? defaultProves,
              measure: chosen,
            },
          },
        ]
      : [],
  );
  const parts = all.map(({ chosen: measure, ...each }) => ({ measure, ...each }));
  return { read, parts, isComplete: read.length === all.length };
}

/** Each id may occur only once, so that a verdict identifies its expectation. */
export function checkIds(value: Json, problems: Problem[]): void {
  const ids = (Array.isArray(value) ? (value as readonly Json[]) : []).map((item) =>
    isJsonMap(item) ? item["id"] : undefined,
  );
  ids.forEach((id, index) => {
    if (typeof id === "string" && ids.indexOf(id) < index)
      scn(
        problems,
        "SCN-DUPLICATE-NAME",
        ["expect", index, "id"],
        `two expectations are called ${formatValue(id)}`,
      );
  });
}
