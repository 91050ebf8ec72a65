import { formatDuration, micros } from "../../kit/units.ts";
import { many } from "../../kit/reading/legible.ts";
import type { Measure } from "../scenario/types.ts";
import type { Outcome } from "../scenario/verdict.ts";
import { GAUGES } from "../scenario/read/comparisons.ts";
import { unknownKey } from "./find-events.ts";
import { formatComparison, rangeOf, satisfies } from "./interval.ts";
import { finding, MOST_EVIDENCE, errorFinding, type Finding } from "./outcome.ts";
import {
  ALWAYS,
  samplesWithin,
  periodsOf,
  rowAt,
  seriesOf,
  type HeldSample,
  type Period,
} from "./samples.ts";
import type { CheckSubject } from "./subject.ts";

type GaugeMeasure = Extract<Measure, { kind: "gauge" }>;

export function checkGauge(measure: GaugeMeasure, subject: CheckSubject): Finding {
  const { history, variant } = subject;
  const expected = inWords(measure);
  if (!GAUGES.some((name) => name === measure.gauge))
    return errorFinding(`there is no gauge "${measure.gauge}"`, expected);
  const problem = unknownKey(subject, measure.key);
  if (problem !== null) return errorFinding(problem, expected);
  const periods = measure.stage === null ? [ALWAYS] : periodsOf(variant.traffic, measure.stage);
  if (periods.length === 0)
    return errorFinding(`no flow has a stage "${measure.stage?.join(", ")}"`, expected);

  const uncertainUs = history.header.timing.kind === "exact" ? 0 : history.header.timing.maxUs;
  const series = seriesOf(history, measure.gauge, measure.key);
  const held = series.flatMap((samples) =>
    periods.flatMap((period) => samplesWithin(samples, limitPeriod(measure, period), uncertainUs)),
  );
  if (held.length === 0) return finding("vacuous", "no sample", expected, 0);

  const values = held.map(({ sample }) => sample.value);
  const range = rangeOf(values);
  const unseen = measure.sometimes.filter((value) => !values.includes(value));
  const outcome = outcomeOf(measure, held);
  const deciding = held.filter(
    ({ sample }) => satisfies(sample.value, measure.comparison) === (measure.when !== "always"),
  );
  const evidence = (outcome === "pass" && measure.when !== "eventually" ? held : deciding)
    .slice(0, MOST_EVIDENCE)
    .map(({ fromUs }) => rowAt(history, fromUs));
  const observed = `${many(held.length, "sample")} from ${range.from} to ${range.to}${whereFirst(measure, deciding)}`;
  if (outcome !== "fail" && unseen.length > 0)
    return finding(
      "fail",
      `${observed}, never ${unseen.join(", ")}`,
      expected,
      held.length,
      evidence,
    );
  return finding(
    outcome,
    observed,
    expected,
    held.length,
    history.requests.length === 0 ? [] : evidence,
  );
}

/** The part of the period that `within` allows, counted from the start of the stage, or of the run. */
const limitPeriod = ({ withinUs }: GaugeMeasure, period: Period): Period => {
  if (withinUs === null) return period;
  const fromUs = Math.max(period.fromUs, 0);
  // A sample exactly at the deadline is included.
  return { fromUs, toUs: Math.min(period.toUs, fromUs + withinUs + 1) };
};

function outcomeOf({ when, comparison }: GaugeMeasure, held: readonly HeldSample[]): Outcome {
  const good = held.filter(
    ({ sample }) => satisfies(sample.value, comparison) === (when !== "never"),
  );
  const certain = (of: readonly HeldSample[]): boolean => of.some((one) => one.certain);
  if (when === "eventually")
    return certain(good) ? "pass" : good.length > 0 ? "inconclusive" : "fail";
  const bad = held.filter((one) => !good.includes(one));
  return bad.length === 0 ? "pass" : certain(bad) ? "fail" : "inconclusive";
}

function whereFirst({ when }: GaugeMeasure, deciding: readonly HeldSample[]): string {
  const [first] = deciding;
  if (first === undefined) return "";
  const at = formatDuration(micros(first.fromUs));
  return when === "eventually"
    ? `, reached at t=${at}`
    : `, first ${first.sample.value} at t=${at}`;
}

function inWords({ when, gauge, comparison, withinUs, sometimes, stage }: GaugeMeasure): string {
  const within = withinUs === null ? "" : ` within ${formatDuration(withinUs)}`;
  const during = stage === null ? "" : ` during ${stage.join(", ")}`;
  const seen = sometimes.length === 0 ? "" : `, sometimes ${sometimes.join(", ")}`;
  return `${gauge} ${when} ${formatComparison(comparison)}${within}${during}${seen}`;
}
