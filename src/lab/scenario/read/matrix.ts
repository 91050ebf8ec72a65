// The matrix: each combination of its axes' values is a variant. `$NAME` becomes the variant's value of axis `NAME`.
import {
  ALGORITHMS,
  IMMEDIATE_ALGORITHMS,
  isLogBased,
  type Algorithm,
} from "../../../limiter/core/algorithms.ts";
import type { Path, Problem } from "../../../kit/reading/problems.ts";
import { isJsonMap, reportName, formatValue, type Json } from "../../../kit/reading/shape.ts";
import { scn } from "./codes.ts";

export interface Axis {
  readonly name: string;
  readonly values: readonly Json[];
  /** False if the axis has an error. Then it has one placeholder value, so that everything else can be read. */
  readonly isRead: boolean;
}

export interface Axes {
  readonly axes: readonly Axis[];
  readonly isComplete: boolean;
  /** False if the names of the axes could not be read: then any axis may exist. */
  readonly hasNames: boolean;
}

export interface MatrixCell {
  readonly name: string; // "algorithm=sliding-log order=gold,silver"
  readonly axes: Readonly<Record<string, Json>>;
}

/** Names of groups that the axis `algorithm` may have in place of a list. */
export const ALGORITHM_GROUPS: Readonly<Record<string, readonly Algorithm[]>> = {
  all: ALGORITHMS,
  immediate: IMMEDIATE_ALGORITHMS,
  logs: ALGORITHMS.filter(isLogBased),
};
const GROUPED_AXIS = "algorithm";

const MOST_CELLS = 10_000;
const AXIS_NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;

/** A whole string that is a variable. `$gw_meta.NAME`, which the specification defines, is none; `$$x` means `$x`. */
const VARIABLE = /^\$([A-Za-z][A-Za-z0-9_-]*)$/;
const ESCAPED = /^\$\$/;

export function readAxes(value: Json | undefined, problems: Problem[]): Axes {
  if (value === undefined) return { axes: [], isComplete: true, hasNames: true };
  if (!isJsonMap(value)) {
    scn(
      problems,
      "SCN-VALUE",
      ["matrix"],
      `${formatValue(value)} is not a matrix`,
      "write a map from a name to a list of values",
    );
    return { axes: [], isComplete: false, hasNames: false };
  }
  const axes = Object.entries(value).map(
    ([name, values]) => readAxis(name, values, problems) ?? unreadAxis(name),
  );
  const cells = axes.reduce((product, axis) => product * axis.values.length, 1);
  if (cells > MOST_CELLS) {
    scn(
      problems,
      "SCN-MATRIX",
      ["matrix"],
      `the matrix has ${cells} cells, and ${MOST_CELLS} are the most`,
    );
    return { axes: axes.map(({ name }) => unreadAxis(name)), isComplete: false, hasNames: true };
  }
  return { axes, isComplete: axes.every(({ isRead }) => isRead), hasNames: true };
}

const unreadAxis = (name: string): Axis => ({ name, values: [null], isRead: false });

function readAxis(name: string, values: Json, problems: Problem[]): Axis | undefined {
  const path = ["matrix", name];
  if (!AXIS_NAME.test(name))
    return scn(
      problems,
      "SCN-MATRIX",
      path,
      `"${name}" cannot be the name of an axis`,
      "write letters, digits, - and _, beginning with a letter",
    );
  const group = groupCalled(name, values);
  if (group !== undefined) return { name, values: group, isRead: true };
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
  return { name, values, isRead: true };
}

const groupCalled = (axis: string, value: Json): readonly Algorithm[] | undefined =>
  axis === GROUPED_AXIS && typeof value === "string" && Object.hasOwn(ALGORITHM_GROUPS, value)
    ? ALGORITHM_GROUPS[value]
    : undefined;

/** The cartesian product. The last axis changes fastest, as in nested loops. */
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

/** A value as displayed in lists of values. */
export const valueName = (value: Json): string =>
  typeof value === "string" ? value : JSON.stringify(value);

export const sameValue = (a: Json, b: Json): boolean => JSON.stringify(a) === JSON.stringify(b);

interface Substitution {
  readonly value: Json;
  readonly used: ReadonlySet<string>; // names of axes
  readonly unread: readonly Path[]; // paths of values that are null because their axis has an error
}

/** Inserts the cell's values, and reports variables without an axis. */
export function substitute(
  value: Json,
  at: Path,
  cell: MatrixCell,
  { axes, hasNames }: Axes,
  problems: Problem[],
): Substitution {
  const used = new Set<string>();
  const unread: Path[] = [];
  const unreadAxes = new Set(axes.flatMap(({ name, isRead }) => (isRead ? [] : [name])));
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
      if (!hasNames || unreadAxes.has(name)) unread.push([...path]);
      if (Object.hasOwn(cell.axes, name)) {
        used.add(name);
        return cell.axes[name] ?? null;
      }
      if (hasNames)
        reportName(
          problems,
          "SCN-VARIABLE",
          [...path],
          `no axis of the matrix is called "${name}"`,
          name,
          Object.keys(cell.axes),
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
  return { value: visit(value), used, unread };
}

/** Reads `where: {axis: value}` or `{axis: [values]}`. Undefined after a problem. */
export function readWhere(
  value: Json,
  at: Path,
  axes: Axes,
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
  { axes, hasNames }: Axes,
  problems: Problem[],
): Axis | undefined {
  const names = axes.map((axis) => axis.name);
  const axis = axes.find((each) => each.name === name);
  return axis !== undefined || !hasNames
    ? axis
    : reportName(
        problems,
        "SCN-NAME",
        at,
        `no axis of the matrix is called "${name}"`,
        name,
        names,
      );
}

/** The values that `where` selects. A list is one value if the axis has that list as a value, else several values. */
function valuesOf(
  axis: Axis,
  wanted: Json,
  at: Path,
  problems: Problem[],
): readonly Json[] | undefined {
  if (!axis.isRead) return axis.values;
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
