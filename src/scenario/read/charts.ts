// Charts that a scenario asks for. The report knows how to draw them; here they only have to be whole.
import { record } from "./record.ts";
import { listOf, matching, optional, required, text } from "./shape.ts";

const series = matching(
  "a series",
  /^[a-z]+(?:\.[A-Za-z0-9*]+)*$/,
  'write "offered.rps", "gauge.allowance", "status.429"',
);

export const CHART_FIELDS = {
  title: required(text, "What it shows."),
  x: required(matching("an axis", /^time$/, "write time"), "What runs to the right: time."),
  lines: optional(
    listOf(series),
    [],
    "Series drawn as lines: `offered.rps`, `admitted.rps`, `gauge.allowance`.",
  ),
  bars: optional(listOf(series), [], "Series drawn as bars: `status.429`."),
  marks: optional(listOf(series), [], "What is marked on the time axis: `events`."),
};

export const chartList = listOf(record("a chart", CHART_FIELDS));
