// The matrix: every combination of its axes is a variant, in which `$name` is the value of an axis.
import {
  ALGORITHMS,
  IMMEDIATE_ALGORITHMS,
  isLogBased,
  type Algorithm,
} from "../../core/algorithms.ts";
import type { Path, Problem } from "../../reading/problems.ts";
import { isJsonMap, reportName, formatValue, type Json } from "../../reading/shape.ts";
import { scn } from "./codes.ts";

export interface Axis {
  readonly name: string;
  readonly values: readonly Json[];
}

export interface MatrixCell {
  readonly name: string; // "algorithm=sliding-log order=gold,silver"
  readonly axes: Readonly<Record<string, Json>>;
}

/** Instead of a list, the axis `algorithm` may name one of these groups. */
export const ALGORITHM_GROUPS: Readonly<Record<string, readonly Algorithm[]>> = {
  all: ALGORITHMS,
  immediate: IMMEDIATE_ALGORITHMS,
  logs: ALGORITHMS.filter(isLogBased),
};
const GROUPED_AXIS = "algorithm";

const MOST_CELLS = 10_000;
const AXIS_NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;

/** A string that is nothing else. `$gw_meta.NAME` is the specification's own and has a dot; `$$x` means `$x`. */
const VARIABLE = /^\$([A-Za-z][A-Za-z0-9_-]*)$/;
const ESCAPED = /^\$\$/;

/** Undefined if the cells are not clear: nothing after the matrix can be read then. */
export function readAxes(
  value: Json | undefined,
  problems: Problem[],
): readonly Axis[] | undefined {
  if (value === undefined) return [];
  if (!isJsonMap(value))
    return scn(
      problems,
      "SCN-VALUE",
      ["matrix"],
      `${formatValue(value)} is not a matrix`,
      "write a map from a name to a list of values",
    );
  const axes = Object.entries(value).map(([name, values]) => readAxis(name, values, problems));
  if (!axes.every((axis) => axis !== undefined)) return undefined;
  const cells = axes.reduce((product, axis) => product * axis.values.length, 1);
  if (cells > MOST_CELLS)
    return scn(
      problems,
      "SCN-MATRIX",
      ["matrix"],
      `the matrix has ${cells} cells, and ${MOST_CELLS} are the most`,
    );
  return axes;
}

function readAxis(name: string, values: Json, problems: Problem[]): Axis | undefined {
  const path = ["matrix", name];
  if (!AXIS_NAME.test(name))
    return scn(
      problems,
      "SCN-MATRIX",
      path,
      `"${name}" cannot be the name of an axis`,
      "letters, digits, - and _, a letter first",
    );
  const group = groupCalled(name, values);
  if (group !== undefined) return { name, values: group };
  if (!Array.isArray(values) || values.length === 0)
    return scn(
      problems,
      "SCN-MATRIX",
      path,
      `the axis "${name}" needs a list with at least one value`,
      name === GROUPED_AXIS ? `or a group: ${Object.keys(ALGORITHM_GROUPS).join(", ")}` : undefined,
    );
  const texts = values.map(valueText);
  texts.forEach((text, index) => {
    if (texts.indexOf(text) < index)
      scn(
        problems,
        "SCN-MATRIX",
        [...path, index],
        `the axis "${name}" has the value ${text} twice`,
      );
  });
  return { name, values };
}

const groupCalled = (axis: string, value: Json): readonly Algorithm[] | undefined =>
  axis === GROUPED_AXIS && typeof value === "string" && Object.hasOwn(ALGORITHM_GROUPS, value)
    ? ALGORITHM_GROUPS[value]
    : undefined;

/** The cartesian product; the last axis changes fastest, as in nested loops. */
export function cellsOf(axes: readonly Axis[]): readonly MatrixCell[] {
  let cells: readonly MatrixCell[] = [{ name: "", axes: {} }];
  for (const { name, values } of axes) {
    cells = cells.flatMap((cell) =>
      values.map((value) => ({
        name: `${cell.name} ${name}=${valueText(value)}`.trimStart(),
        axes: { ...cell.axes, [name]: value },
      })),
    );
  }
  return cells;
}

function valueText(value: Json): string {
  if (typeof value === "string") return value;
  if (
    Array.isArray(value) &&
    value.every((item) => typeof item === "string" || typeof item === "number")
  )
    return value.join(",");
  return JSON.stringify(value);
}

/** A value as a list of values shows it. */
export const valueName = (value: Json): string =>
  typeof value === "string" ? value : JSON.stringify(value);

export const sameValue = (a: Json, b: Json): boolean => JSON.stringify(a) === JSON.stringify(b);

interface Substitution {
  readonly value: Json;
  readonly used: ReadonlySet<string>; // axes
}

/** Puts the cell's values in; reports variables that no axis has. */
export function substitute(
  value: Json,
  at: Path,
  axes: Readonly<Record<string, Json>>,
  problems: Problem[],
): Substitution {
  const used = new Set<string>();
  const path = [...at];
  const within = (step: string | number, inner: Json): Json => {
    path.push(step);
    const filled = visit(inner);
    path.pop();
    return filled;
  };
  const visit = (here: Json): Json => {
    if (typeof here === "string") {
      const name = VARIABLE.exec(here)?.[1];
      if (name === undefined) return here.replace(ESCAPED, "$");
      if (Object.hasOwn(axes, name)) {
        used.add(name);
        return axes[name] ?? null;
      }
      reportName(
        problems,
        "SCN-VARIABLE",
        [...path],
        `no axis of the matrix is called "${name}"`,
        name,
        Object.keys(axes),
      );
      return null;
    }
    if (Array.isArray(here)) return here.map((item, index) => within(index, item));
    if (isJsonMap(here))
      return Object.fromEntries(
        Object.entries(here).map(([name, inner]) => [name, within(name, inner)]),
      );
    return here;
  };
  return { value: visit(value), used };
}

/** `where: {axis: value}` or `{axis: [values]}`. Undefined after a problem. */
export function readWhere(
  value: Json,
  at: Path,
  axes: readonly Axis[],
  problems: Problem[],
): ((cell: MatrixCell) => boolean) | undefined {
  if (!isJsonMap(value))
    return scn(
      problems,
      "SCN-VALUE",
      at,
      `${formatValue(value)} is not a choice of cells`,
      "write a map from an axis to a value, or to a list of values",
    );
  const conditions: { readonly axis: string; readonly values: readonly Json[] }[] = [];
  let isComplete = true;
  for (const [name, wanted] of Object.entries(value)) {
    const axis = axisCalled(name, [...at, name], axes, problems);
    const values = axis === undefined ? undefined : valuesOf(axis, wanted, [...at, name], problems);
    if (values === undefined) isComplete = false;
    else conditions.push({ axis: name, values });
  }
  return isComplete
    ? (cell) =>
        conditions.every(({ axis, values }) =>
          values.some((each) => sameValue(each, cell.axes[axis] ?? null)),
        )
    : undefined;
}

export function axisCalled(
  name: string,
  at: Path,
  axes: readonly Axis[],
  problems: Problem[],
): Axis | undefined {
  const names = axes.map((axis) => axis.name);
  return (
    axes.find((axis) => axis.name === name) ??
    reportName(problems, "SCN-NAME", at, `no axis of the matrix is called "${name}"`, name, names)
  );
}

/** A value of the axis wins over a list of its values: an axis of lists can be met. */
function valuesOf(
  axis: Axis,
  wanted: Json,
  at: Path,
  problems: Problem[],
): readonly Json[] | undefined {
  const has = (value: Json): boolean => axis.values.some((each) => sameValue(each, value));
  if (has(wanted)) return [wanted];
  const group = groupCalled(axis.name, wanted)?.filter(has);
  if (group !== undefined && group.length > 0) return group;
  const wrong = Array.isArray(wanted) ? wanted.find((value) => !has(value)) : wanted;
  if (Array.isArray(wanted) && wanted.length > 0 && wrong === undefined) return wanted;
  const value = wrong ?? wanted;
  return reportName(
    problems,
    "SCN-NAME",
    at,
    `${formatValue(value)} is not a value of the axis "${axis.name}"`,
    valueName(value),
    axis.values.map(valueName),
  );
}
