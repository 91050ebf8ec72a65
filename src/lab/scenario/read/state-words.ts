// Words of expectations about events and gauges.
import type { Path, Problem } from "../../../kit/reading/problems.ts";
import {
  comparisonFields,
  comparisonIn,
  during,
  FILTER_FIELDS,
  gauge,
  gaugeValue,
  key,
  requireComparison,
} from "./comparisons.ts";
import { record, word, type FieldWord } from "../../../kit/reading/record.ts";
import {
  listOf,
  optional,
  mandatory,
  text,
  wholeNumber,
  type Values,
} from "../../../kit/reading/shape.ts";
import { scn } from "./codes.ts";
import type { Measure } from "../types.ts";
import { eventRuns } from "./values.ts";
import { durationAbove0 } from "../../../kit/reading/duration.ts";

const countFields = comparisonFields(wholeNumber(0, Number.MAX_SAFE_INTEGER));
const event = mandatory(text, "Its name; `*` matches any string: `RateLimitSmoothing*`.");
const gaugeFields = {
  gauge: mandatory(
    gauge,
    "Which gauge. `entries` includes every value. Bytes are counted after each of the first 200 steps of a small plan, else at some steps.",
  ),
  key,
};

const gaugeComparisonFields = {
  ...gaugeFields,
  ...comparisonFields(gaugeValue),
  stage: FILTER_FIELDS.stage,
  within: optional(
    durationAbove0,
    null,
    "With `eventually`: counted from the start of the stage, or of the run.",
  ),
};
const gaugeComparison = record("a gauge with a comparison", gaugeComparisonFields);
type ReadGauge = Values<typeof gaugeComparisonFields>;

export const STATE_WORDS: readonly FieldWord<Measure>[] = [
  word({
    name: "events",
    under: record("a choice of events", { event, key, during }),
    companions: {
      ...countFields,
      sequence: optional(eventRuns, null, "The events in the order of their time."),
    },
    doc: "The events that were emitted: in their order, or how many.",
    example:
      "{ id: one refusal is reported, events: { event: RatelimitExceeded, key: alice }, atLeast: 1 }",
    build: (read, { sequence, ...companions }, at, problems) => {
      const count = comparisonIn(companions, at, problems);
      if (count === undefined) return undefined;
      if ((sequence === null) === (count === null))
        return scn(
          problems,
          "SCN-ONE-OF",
          at,
          '"events" needs "sequence" or a comparison of their number, one of the two',
        );
      return {
        kind: "events",
        event: read.event,
        key: read.key,
        during: read.during,
        equals: sequence,
        count,
      };
    },
  }),
  word({
    name: "gapBetween",
    under: record("a choice of events", { events: event, key }),
    companions: comparisonFields(durationAbove0),
    doc: "The time between each event and the next.",
    example:
      "{ id: events keep apart, gapBetween: { events: RateLimitSmoothing*, key: carol }, atLeast: 5s }",
    build: (read, companions, at, problems) => {
      const wanted = requireComparison(companions, at, problems);
      return wanted === undefined
        ? undefined
        : { kind: "gapBetween", event: read.events, key: read.key, comparison: wanted };
    },
  }),
  word({
    name: "changeOf",
    under: record("a gauge", gaugeFields),
    companions: { in: mandatory(listOf(gaugeValue, 1), "The allowed changes.") },
    doc: "By how much a gauge changes each time it changes.",
    example:
      "{ id: one step at a time, changeOf: { gauge: allowance, key: carol }, in: [-10, 10] }",
    build: (read, companions) => ({
      kind: "changeOf",
      gauge: read.gauge,
      key: read.key,
      in: companions.in,
    }),
  }),
  word({
    name: "always",
    under: gaugeComparison,
    companions: {
      sometimes: optional(
        listOf(gaugeValue, 1),
        [],
        "Values that have to occur, so that the bounds were reached.",
      ),
    },
    doc: "The comparison holds at every moment.",
    example:
      "{ id: within bounds, always: { gauge: allowance, key: carol, between: [20, 60] }, sometimes: [20, 60] }",
    build: (read, { sometimes }, at, problems) =>
      gaugeMeasure("always", read, sometimes, at, problems),
  }),
  word({
    name: "never",
    under: gaugeComparison,
    companions: {},
    doc: "The comparison holds at no moment.",
    example: "{ id: never above the rate, never: { gauge: allowance, key: carol, atLeast: 61 } }",
    build: (read, _companions, at, problems) => gaugeMeasure("never", read, [], at, problems),
  }),
  word({
    name: "eventually",
    under: gaugeComparison,
    companions: {},
    doc: "The comparison holds at some moment; with `within`, at most this long after the start of the stage.",
    example:
      "{ id: back at the threshold, eventually: { gauge: allowance, key: carol, equals: 20, stage: ebb, within: 20s } }",
    build: (read, _companions, at, problems) => gaugeMeasure("eventually", read, [], at, problems),
  }),
];

function gaugeMeasure(
  when: "always" | "never" | "eventually",
  read: ReadGauge,
  sometimes: readonly number[],
  at: Path,
  problems: Problem[],
): Measure | undefined {
  const { gauge: gaugeName, key: keyName, stage, within: withinUs, ...compared } = read;
  if (withinUs !== null && when !== "eventually")
    return scn(
      problems,
      "SCN-UNKNOWN-FIELD",
      [...at, when, "within"],
      `"within" does not go with "${when}"`,
      "remove it, or write eventually",
    );
  const wanted = requireComparison(compared, [...at, when], problems);
  return wanted === undefined
    ? undefined
    : {
        kind: "gauge",
        gauge: gaugeName,
        key: keyName,
        stage,
        when,
        comparison: wanted,
        withinUs,
        sometimes,
      };
}
