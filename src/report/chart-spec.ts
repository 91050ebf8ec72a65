// Charts as Vega-Lite specifications. Colours are names of the page's own, so that one drawing serves a
// light and a dark page.
import type { TopLevelSpec } from "vega-lite";
import type { Chart, Point, SequenceChart, TimeChart } from "./model.ts";

const WIDTH = 900;
const ROW_HEIGHT = 26;

/** By what is drawn; anything else is drawn in the last colour. */
const COLOURS: readonly (readonly [what: RegExp, colour: string])[] = [
  [/^admitted$|^2\d\d$/, "var(--admitted)"],
  [/429$/, "var(--refused)"],
  [/403$/, "var(--quota)"],
  [/Up$/, "var(--up)"],
  [/Down$/, "var(--down)"],
  [/^allowance/, "var(--allowance)"],
  [/^offered$/, "var(--ink-soft)"],
  [/./, "var(--other)"],
];

const colourOf = (what: string): string => COLOURS.find(([name]) => name.test(what))![1];

/** What a reader needs to know of the colours. It stands beside the drawing, as text that wraps. */
export function legendOf(
  chart: Chart,
): readonly { readonly what: string; readonly colour: string }[] {
  const names =
    chart.kind === "time"
      ? [...chart.bars, ...chart.lines, ...chart.marks].map(({ what }) => what)
      : chart.runs.map(({ status }) => String(status));
  return [...new Set(names)].map((what) => ({ what, colour: colourOf(what) }));
}

function colours(chart: Chart): object {
  const legend = legendOf(chart);
  const scale = {
    domain: legend.map(({ what }) => what),
    range: legend.map(({ colour }) => colour),
  };
  return { field: "what", type: "nominal", scale, sort: scale.domain, legend: null };
}

const CONFIG = {
  background: "transparent",
  font: "inherit",
  view: { stroke: null },
  axis: {
    labelColor: "var(--ink-soft)",
    titleColor: "var(--ink-soft)",
    titleFontWeight: "normal",
    gridColor: "var(--line)",
    domainColor: "var(--line)",
    tickColor: "var(--line)",
    labelFontSize: 11,
    titleFontSize: 11,
  },
  // One description stands beside the drawing; a thousand inside it would only be in the way.
  aria: false,
} as const;

export const specOf = (chart: Chart): TopLevelSpec =>
  chart.kind === "time" ? timeSpec(chart) : sequenceSpec(chart);

function timeSpec(chart: TimeChart): TopLevelSpec {
  const { bars, lines, marks, binS, untilS } = chart;
  const inSeconds = untilS >= 2;
  const scale = inSeconds ? 1 : 1_000;
  const x = {
    field: "at",
    type: "quantitative",
    title: inSeconds ? "seconds" : "milliseconds",
    scale: { domain: [0, untilS * scale], nice: false },
    axis: { grid: false, tickCount: 12 },
  };
  const y = { field: "value", type: "quantitative", title: "requests per second" };
  const color = colours(chart);
  const at = (points: readonly { readonly atS: number }[]): readonly object[] =>
    points.map(({ atS, ...rest }) => ({ ...rest, at: atS * scale, to: (atS + binS) * scale }));
  const layers = [
    {
      when: bars.length > 0,
      data: { values: at(bars) },
      mark: { type: "bar", binSpacing: 1 },
      encoding: {
        x: { ...x, bin: "binned" },
        x2: { field: "to" },
        y: { ...y, stack: "zero" },
        color,
      },
    },
    // Where all demand is admitted the two lines are one: the demand is the broader of them.
    ...[lines.filter(isDemand), lines.filter((point) => !isDemand(point))].map((points, index) => ({
      when: points.length > 0,
      data: { values: at(points) },
      mark: {
        type: "line",
        interpolate: "step-after",
        strokeWidth: index === 0 ? 6 : 2,
        opacity: index === 0 ? 0.45 : 1,
      },
      encoding: { x, y, color, detail: { field: "what" } },
    })),
    {
      when: marks.length > 0,
      data: { values: at(marks) },
      mark: { type: "rule", strokeWidth: 1, strokeDash: [3, 3] },
      encoding: { x, color },
    },
  ];
  return spec({
    height: 200,
    layer: layers.flatMap(({ when, ...layer }) => (when ? [layer] : [])),
  });
}

const isDemand = ({ what }: Point): boolean => what === "offered";

/** A run that is too short for its text goes without: its colour says as much. */
const LEAST_SHARE_FOR_TEXT = 0.07;

function sequenceSpec(chart: SequenceChart): TopLevelSpec {
  const { runs } = chart;
  const longest = Math.max(...runs.map(({ to }) => to));
  const values = runs.map(({ flow, from, to, status }) => ({
    flow,
    from,
    to,
    what: String(status),
    middle: (from + to) / 2,
    text: (to - from) / longest < LEAST_SHARE_FOR_TEXT ? "" : `${to - from} × ${status}`,
  }));
  const flows = [...new Set(runs.map(({ flow }) => flow))];
  const y = {
    field: "flow",
    type: "nominal",
    sort: flows,
    title: null,
    axis: { labelLimit: 300, ticks: false, domain: false, labelColor: "var(--ink)" },
  };
  const x = { type: "quantitative", scale: { domain: [0, longest], nice: false } };
  const axis = { grid: false, tickMinStep: 1, tickCount: 12, format: "d" };
  return spec({
    height: flows.length * ROW_HEIGHT,
    data: { values },
    layer: [
      {
        mark: { type: "bar", height: ROW_HEIGHT - 6, stroke: "var(--page)", strokeWidth: 1 },
        encoding: {
          x: { ...x, field: "from", title: "requests", axis },
          x2: { field: "to" },
          y,
          color: colours(chart),
        },
      },
      {
        mark: { type: "text", fontSize: 12, fill: "var(--on-bar)" },
        encoding: { x: { ...x, field: "middle" }, y, text: { field: "text" } },
      },
    ],
  });
}

/** The parts are put together from values, which the library's own type of a whole cannot follow. */
export const spec = (parts: object): TopLevelSpec =>
  ({
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    width: WIDTH,
    autosize: { type: "fit-x", contains: "padding" },
    padding: 4,
    config: CONFIG,
    ...parts,
  }) as unknown as TopLevelSpec;
