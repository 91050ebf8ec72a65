// Expectations that compare a variant of a scenario with other variants along one axis of the matrix.
import { isFailure } from "../../kit/reading/failure.ts";
import type { History } from "../scenario/history.ts";
import { formatStatus } from "../scenario/expectation.ts";
import { parseDuration } from "../../kit/units.ts";
import type { AcrossVariants, Expectation, Measure, Scenario, Variant } from "../scenario/types.ts";
import type { Json } from "../../kit/reading/shape.ts";
import type { Verdict } from "../scenario/verdict.ts";
import { allowForLateRuns } from "./in-its-own-time.ts";
import { errorFinding, evidenceUntil, finding, type Finding } from "./outcome.ts";
import { measureOf, round, unitOf, type QuantityTotal } from "./quantity.ts";
import { requestLabeller } from "./request-names.ts";
import { encodeRuns, formatRuns } from "./runs.ts";
import { select } from "./select.ts";
import { subjectOf } from "./subject.ts";
import { differenceUnderAnyOrder, inPlannedOrder } from "./sequence.ts";

export interface AcrossRun {
  readonly variant: Variant;
  readonly history: History;
}

export interface AcrossVerdict extends Verdict {
  readonly variant: string;
}

type QuantityMeasure = Extract<Measure, { kind: "quantity" }>;
type SameAsMeasure = Extract<Measure, { kind: "sameAs" }>;

export const isAcross = (measure: Measure): boolean =>
  measure.kind === "sameAs" || (measure.kind === "quantity" && "axis" in measure.comparison);

export function checkAcross(scenario: Scenario, runs: readonly AcrossRun[]): AcrossVerdict[] {
  return runs.flatMap((run) =>
    run.variant.expectations.flatMap((expectation) => {
      const result = check(expectation, run, scenario, runs);
      return result === null ? [] : [verdictOf(expectation, run.variant, result)];
    }),
  );
}

const verdictOf = (
  { id, line, proves }: Expectation,
  { name }: Variant,
  finding: Finding,
): AcrossVerdict => ({
  variant: name,
  expectation: id,
  line,
  proves,
  ...finding,
});

/** Null if the verdict is reported for another variant, or if the expectation compares no variants. */
function check(
  { measure }: Expectation,
  run: AcrossRun,
  scenario: Scenario,
  runs: readonly AcrossRun[],
): Finding | null {
  if (measure.kind === "sameAs")
    return withReference(measure.axis, measure.value, run, scenario, runs, (other) =>
      allowForLateRuns(sameDecisions(measure, run, other), [run, other].map(subjectOf)),
    );
  if (measure.kind !== "quantity" || !("axis" in measure.comparison)) return null;
  const { comparison } = measure;
  if (comparison.op === "lessThan") {
    return withReference(comparison.axis, comparison.value, run, scenario, runs, (other) =>
      lessThan(measure, comparison.value, run, other),
    );
  }
  return alongAxis(measure, comparison, run, runs);
}

function withReference(
  axis: string,
  value: Json,
  run: AcrossRun,
  scenario: Scenario,
  runs: readonly AcrossRun[],
  checkAgainst: (other: AcrossRun) => Finding,
): Finding | null {
  const ownValue = run.variant.axes[axis];
  const expected = `compared with ${axis}=${text(value)}`;
  if (ownValue === undefined) return errorFinding(`the matrix has no axis "${axis}"`, expected);
  if (text(ownValue) === text(value)) return null;
  const isReference = (variant: Variant): boolean =>
    text(variant.axes[axis] ?? null) === text(value) && isNeighbour(variant, run.variant, axis);
  if (!scenario.variants.some(isReference))
    return errorFinding(`no variant has ${axis}=${text(value)}`, expected);
  const other = runs.find(({ variant }) => isReference(variant));
  return other === undefined
    ? finding("vacuous", `${axis}=${text(value)} did not run`, expected, 0)
    : checkAgainst(other);
}

const text = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

const isNeighbour = (a: Variant, b: Variant, axis: string): boolean =>
  Object.keys(a.axes).every(
    (name) => name === axis || text(a.axes[name] ?? null) === text(b.axes[name] ?? null),
  );

function sameDecisions(measure: SameAsMeasure, run: AcrossRun, other: AcrossRun): Finding {
  const [here, there] = [statuses(run.history, measure), statuses(other.history, measure)];
  const differs = differenceUnderAnyOrder(run.history, here.rows, here.words, there.words);
  const observed = formatRuns(encodeRuns(here.words));
  const expected = formatRuns(encodeRuns(there.words));
  if (differs < 0)
    return finding(
      here.words.length === 0 ? "vacuous" : "pass",
      observed,
      expected,
      here.words.length,
      here.rows,
    );
  const row = here.rows[differs];
  const where = row === undefined ? "the end" : requestLabeller(run.history)(row);
  const place = `differs at ${where}: ${other.variant.name} has ${there.words[differs] ?? "none"}, got ${here.words[differs] ?? "none"}`;
  return finding(
    "fail",
    `${observed}; ${place}`,
    expected,
    here.words.length,
    evidenceUntil(here.rows, differs),
  );
}

function statuses(
  history: History,
  { filter }: SameAsMeasure,
): { words: string[]; rows: number[] } {
  const rows = inPlannedOrder(history, select(history, filter));
  return { rows, words: rows.map((row) => formatStatus(history.requests.status[row]!)) };
}

function lessThan(
  measure: QuantityMeasure,
  value: Json,
  run: AcrossRun,
  other: AcrossRun,
): Finding {
  const here = measureOf(run.history, measure.quantity, measure.filter);
  const there = measureOf(other.history, measure.quantity, measure.filter);
  const expected = `fewer ${unitOf(measure.quantity)} than ${text(value)}`;
  if (isFailure(here)) return errorFinding(here.message, expected);
  if (isFailure(there)) return errorFinding(there.message, expected);
  const observed = `${round(here.mean)} against ${round(there.mean)}`;
  if (here.examined === 0 || there.examined === 0) return finding("vacuous", observed, expected, 0);
  return finding(
    here.mean < there.mean ? "pass" : "fail",
    observed,
    expected,
    here.examined,
    here.rows,
  );
}

function alongAxis(
  measure: QuantityMeasure,
  { op, axis }: Extract<AcrossVariants, { op: "growsWith" | "constantIn" }>,
  run: AcrossRun,
  runs: readonly AcrossRun[],
): Finding | null {
  const expected = `${unitOf(measure.quantity)}: ${op === "growsWith" ? `grows with ${axis}` : `constant in ${axis}`}`;
  if (run.variant.axes[axis] === undefined)
    return errorFinding(`the matrix has no axis "${axis}"`, expected);
  const group = runs.filter(({ variant }) => isNeighbour(variant, run.variant, axis));
  if (group[0] !== run) return null;
  const ordered = sortByAxis(group, axis);
  const measured: QuantityTotal[] = [];
  for (const { history } of ordered) {
    const total = measureOf(history, measure.quantity, measure.filter);
    if (isFailure(total)) return errorFinding(total.message, expected);
    measured.push(total);
  }
  const observed = ordered
    .map(
      ({ variant }, index) =>
        `${text(variant.axes[axis] ?? null)}: ${round(measured[index]!.mean)}`,
    )
    .join(", ");
  if (measured.length < 2 || measured.some(({ examined }) => examined === 0))
    return finding("vacuous", observed, expected, 0);
  const holds = measured.every((one, index) => {
    const before = measured[index - 1];
    if (before === undefined) return true;
    if (op === "growsWith") return one.mean > before.mean;
    // A cost may depend on a request's outcome, so "constant" means the same range in all variants.
    return one.range.from === before.range.from && one.range.to === before.range.to;
  });
  return finding(holds ? "pass" : "fail", observed, expected, measured.length);
}

/** Sorts by the axis if all its values are numbers or durations, else keeps the order of the matrix. */
function sortByAxis(runs: readonly AcrossRun[], axis: string): AcrossRun[] {
  const size = ({ variant }: AcrossRun): number | null => {
    const value = variant.axes[axis];
    return typeof value === "number"
      ? value
      : typeof value === "string"
        ? parseDuration(value)
        : null;
  };
  const sized = runs.map((run) => ({ run, size: size(run) }));
  if (sized.some((one) => one.size === null)) return [...runs];
  return sized.toSorted((a, b) => (a.size ?? 0) - (b.size ?? 0)).map((one) => one.run);
}
