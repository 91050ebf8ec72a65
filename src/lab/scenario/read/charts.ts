// The series that charts of a scenario can use. The report renders them.
import { GAUGES } from "./comparisons.ts";
import { record } from "../../../kit/reading/record.ts";
import {
  listOf,
  matching,
  oneOf,
  optional,
  reportName,
  mandatory,
  formatValue,
  text,
  type Shape,
} from "../../../kit/reading/shape.ts";

const RATES = ["offered.rps", "admitted.rps", "status.*", "attempt.*"];
const STATUS = /^status\.(?:[1-5]\d\d|lost)$/;

const seriesAmong = (names: readonly string[]): Shape<string> => ({
  called: `one of ${names.join(", ")}, or a status such as status.429, or status.lost`,
  schema: { anyOf: [{ enum: names }, { type: "string", pattern: STATUS.source }] },
  read: (value, at, problems) =>
    typeof value === "string" && (names.includes(value) || STATUS.test(value))
      ? value
      : reportName(
          problems,
          "SCN-NAME",
          at,
          `no series is called ${formatValue(value)}`,
          typeof value === "string" ? value : "",
          [...names, "status.429"],
        ),
});

export const CHART_FIELDS = {
  title: mandatory(text, "What it shows."),
  x: mandatory(matching("an axis", /^time$/, "write time"), "The horizontal axis: time."),
  lines: optional(
    listOf(seriesAmong([...RATES, ...GAUGES.map((gauge) => `gauge.${gauge}`)])),
    [],
    "Series drawn as lines: `offered.rps`, `admitted.rps`, `gauge.allowance`.",
  ),
  bars: optional(
    listOf(seriesAmong(RATES)),
    [],
    "Series drawn as bars on top of each other: `status.429`, or `attempt.*` for the attempts at requests by their number. A gauge is a line.",
  ),
  marks: optional(listOf(oneOf(["events"])), [], "Marks on the time axis: `events`."),
};

export const chartList = listOf(record("a chart", CHART_FIELDS));
