// The part of a suite that a run measures: all cells, a short run, selected cells, or every combination.
import { commandLine } from "../../kit/command-line.ts";
import { Failure } from "../../kit/reading/failure.ts";
import { nearest } from "../../kit/reading/problems.ts";
import {
  cellsOf,
  combinationsOf,
  MOST_CELLS,
  MOST_CONTROLS,
  countSubjects,
  shorten,
  withoutOthers,
  secondsOf,
  type BenchCell,
} from "./cells.ts";
import { subjectsOf, type BenchSubject } from "./subjects.ts";
import { FACTORS, nameOfControl, type Control, type Factors, type Suite } from "./suite.ts";

export interface BenchSelection {
  readonly isQuick: boolean;
  readonly isCross: boolean;
  /** Patterns for the names of cells, in which `*` matches any text; null: all cells. */
  readonly only: readonly NamePattern[] | null;
  readonly controls: readonly Control[]; // in addition to those of the suite
  readonly repeats: number | null;
  readonly starts: number | null;
  /** Whether the run measures a target gateway, whose limits and store Weir cannot set. */
  readonly isTarget: boolean;
}

export interface NamePattern {
  readonly text: string;
  readonly matches: (name: string) => boolean;
}

export interface BenchPlan {
  readonly suite: Suite; // the suite after the selection was applied
  readonly subjects: readonly BenchSubject[];
  readonly repeats: number; // the sum over all cells and controls
  readonly seconds: number;
}

/** Plans the run of a selection. Returns a failure if a name does not exist or too many cells are selected. */
export function planOf(fullSuite: Suite, selection: BenchSelection): BenchPlan | Failure {
  const short = selection.isQuick ? shorten(fullSuite) : fullSuite;
  const suite: Suite = {
    ...short,
    repeats: selection.repeats ?? short.repeats,
    // Weir does not start a target gateway.
    starts: selection.isTarget ? 1 : (selection.starts ?? short.starts),
  };
  const all = (selection.isCross ? combinationsOf(suite) : cellsOf(suite)).filter(
    ({ factors }) => !selection.isTarget || hasOnlyLoadChanges(factors, suite.base),
  );
  if (!selection.isCross && all.length > MOST_CELLS)
    return new Failure(
      `${suite.id} has ${all.length} cells, and at most ${MOST_CELLS} are allowed; leave some out, or use --cross to measure every combination`,
    );
  if (!selection.isCross && suite.controls.length > MOST_CONTROLS)
    return new Failure(
      `${suite.id} has ${suite.controls.length} controls, and at most ${MOST_CONTROLS} are allowed; leave some out`,
    );
  const { only } = selection;
  // Without this check, a misspelt name next to a correct one would be ignored silently.
  const missing = only?.find(({ matches }) => !all.some(({ name }) => matches(name)));
  if (missing !== undefined) return new Failure(describeMissingCell(missing.text, all));
  const cells =
    only === null ? all : all.filter(({ name }) => only.some(({ matches }) => matches(name)));
  const hasRedis = cells.some(({ factors }) => factors.store === "redis");
  if (!hasRedis && selection.controls.includes("bare-proxy-redis"))
    return new Failure("the control bare-proxy-redis needs a cell with store=redis");
  const controls = selection.isTarget
    ? []
    : distinct([...suite.controls, ...selection.controls]).filter(
        (control) => hasRedis || control !== "bare-proxy-redis",
      );
  const measured = withoutOthers(suite, cells, controls);
  const subjects = subjectsOf(measured, cells, controls);
  const ofControls = subjects.length - cells.length;
  return {
    suite: measured,
    subjects,
    repeats: suite.starts * suite.repeats * countSubjects(cells.length, ofControls),
    seconds: secondsOf(suite, cells.length, ofControls),
  };
}

const distinct = (controls: readonly Control[]): readonly Control[] => [
  ...new Map(controls.map((control) => [nameOfControl(control), control])).values(),
];

const describeMissingCell = (text: string, cells: readonly BenchCell[]): string =>
  describeMissing(
    "cell",
    text,
    cells.map(({ name }) => name),
  );

export const describeMissingCase = (text: string, cases: readonly string[]): string =>
  describeMissing("case", text, cases);

function describeMissing(kind: string, text: string, names: readonly string[]): string {
  const near = nearest(text, names);
  const advice =
    near === null ? `${commandLine("bench --list")} shows them` : `did you mean ${near}?`;
  return `there is no ${kind} ${text}; ${advice}`;
}

/** The factors that change the load generator only, not the gateway. */
const LOAD_FACTORS: ReadonlySet<keyof Factors> = new Set(["connections", "load_model"]);

const hasOnlyLoadChanges = (factors: Factors, base: Factors): boolean =>
  FACTORS.every((factor) => LOAD_FACTORS.has(factor) || factors[factor] === base[factor]);
