// Charts that a scenario asks for: which series there are. The report knows how to draw them.
import { GAUGES } from "./comparisons.ts";
import { record } from "./record.ts";
import {
  listOf,
  matching,
  oneOf,
  optional,
  reportName,
  required,
  shown,
  text,
  type Shape,
} from "./shape.ts";

const SERIES = [
  "offered.rps",
  "admitted.rps",
  "status.*",
  ...GAUGES.map((gauge) => `gauge.${gauge}`),
];
const STATUS = /^status\.[1-5]\d\d$/;

const series: Shape<string> = {
  called: `one of ${SERIES.join(", ")}, or a status such as status.429`,
  schema: { anyOf: [{ enum: SERIES }, { type: "string", pattern: STATUS.source }] },
  read: (value, at, problems) =>
    typeof value === "string" && (SERIES.includes(value) || STATUS.test(value))
      ? value
      : reportName(
          problems,
          "SCN-NAME",
          at,
          `no series is called ${shown(value)}`,
          typeof value === "string" ? value : "",
          [...SERIES, "status.429"],
        ),
};

export const CHART_FIELDS = {
  title: required(text, "What it shows."),
  x: required(matching("an axis", /^time$/, "write time"), "What runs to the right: time."),
  lines: optional(
    listOf(series),
    [],
    "Series drawn as lines: `offered.rps`, `admitted.rps`, `gauge.allowance`.",
  ),
  bars: optional(listOf(series), [], "Series drawn as bars: `status.429`."),
  marks: optional(listOf(oneOf(["events"])), [], "What is marked on the time axis: `events`."),
};

export const chartList = listOf(record("a chart", CHART_FIELDS));
