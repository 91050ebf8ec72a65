import { formatDuration, micros } from "../../kit/units.ts";
import { many } from "../../kit/reading/legible.ts";
import type { Measure } from "../scenario/types.ts";
import { GAUGES } from "../scenario/read/comparisons.ts";
import { unknownKey } from "./find-events.ts";
import { finding, MOST_EVIDENCE, errorFinding, type Finding } from "./outcome.ts";
import { rowAt, seriesOf } from "./samples.ts";
import type { CheckSubject } from "./subject.ts";

/** Checks that every change of a gauge is a listed one. A constant gauge is vacuous. */
export function checkChangeOf(
  measure: Extract<Measure, { kind: "changeOf" }>,
  subject: CheckSubject,
): Finding {
  const expected = `changes of ${measure.in.join(" or ")}`;
  if (!GAUGES.some((name) => name === measure.gauge))
    return errorFinding(`there is no gauge "${measure.gauge}"`, expected);
  const problem = unknownKey(subject, measure.key);
  if (problem !== null) return errorFinding(problem, expected);

  const changes = seriesOf(subject.history, measure.gauge, measure.key).flatMap((samples) =>
    samples.flatMap((sample, index) => {
      const by = index === 0 ? 0 : sample.value - samples[index - 1]!.value;
      return by === 0 ? [] : [{ by: withoutNoise(by), atUs: sample.atUs }];
    }),
  );
  if (changes.length === 0) return finding("vacuous", "no change", expected, 0);
  const sizes = [...new Set(changes.map(({ by }) => by))].toSorted((a, b) => a - b);
  const observed = `${many(changes.length, "change")} of ${sizes.join(", ")}`;
  const other = changes.filter(({ by }) => !measure.in.includes(by));
  const rows = (of: typeof changes): number[] =>
    of.slice(0, MOST_EVIDENCE).map(({ atUs }) => rowAt(subject.history, atUs));
  const first = other[0];
  if (first === undefined)
    return finding("pass", observed, expected, changes.length, rows(changes));
  return finding(
    "fail",
    `${observed}; first ${first.by} at t=${formatDuration(micros(first.atUs))}`,
    expected,
    changes.length,
    rows(other),
  );
}

/** Allowances have at most six decimals (LIM-C2); subtracting two doubles may add more. */
const withoutNoise = (value: number): number => Math.round(value * 1e6) / 1e6;
