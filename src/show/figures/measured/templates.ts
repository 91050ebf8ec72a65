// The templates of measured figures, in Vega-Lite. Where a scale or an axis has to follow a signal, the compiled Vega
// is changed, because Vega-Lite allows no signals there.
import type { Axis, EncodeEntry, Mark, Scale, Spec } from "vega";
import { compile } from "vega-lite";
import { withDates } from "../dates.ts";
import { spec } from "../spec.ts";
import { curveTemplate } from "./curve-template.ts";
import { peaksTemplate } from "./peaks-template.ts";

const color = { field: "colour", type: "nominal", scale: null };
const tooltip = { field: "tip", type: "nominal" };
const x = { field: "from", type: "quantitative", title: "x", scale: { nice: false, zero: false } };
const y = (field: string): object => ({
  field,
  type: "quantitative",
  axis: null,
  scale: { nice: false, reverse: true },
});

/** The template of rows. Its variants differ only in the scale of the axis. */
const ROWS = spec({
  height: 100,
  params: [
    { name: "from", value: 0 },
    { name: "to", value: 1 },
    { name: "rows", value: 1 },
    { name: "ticks", value: [] },
    { name: "xTitle", value: "" },
  ],
  layer: [
    {
      data: { name: "band" },
      mark: { type: "rect", fill: "var(--line)", opacity: 0.5 },
      encoding: {
        x: { ...x, axis: { tickCount: 8, labelOverlap: "greedy" } },
        x2: { field: "to" },
      },
    },
    {
      data: { name: "guides" },
      mark: { type: "rule", stroke: "var(--ink-soft)", strokeWidth: 1, strokeDash: [4, 3] },
      encoding: { x: { ...x, field: "at" }, tooltip },
    },
    {
      data: { name: "bars" },
      mark: { type: "rect", clip: true },
      encoding: { x, x2: { field: "to" }, y: y("top"), y2: { field: "bottom" }, color, tooltip },
    },
    {
      data: { name: "rules" },
      mark: { type: "rule", strokeWidth: 2, clip: true },
      encoding: { x, x2: { field: "to" }, y: y("middle"), color, tooltip },
    },
    {
      data: { name: "dots" },
      mark: { type: "point", filled: false, size: 28, strokeWidth: 1, opacity: 0.65, clip: true },
      encoding: { x, y: y("middle"), color, tooltip },
    },
    {
      data: { name: "ticks" },
      mark: { type: "rule", strokeWidth: 3, clip: true },
      encoding: { x, y: y("top"), y2: { field: "bottom" }, color, tooltip },
    },
    ...(["what", "value"] as const).map((text) => ({
      data: { name: "names" },
      mark: {
        type: "text",
        fontSize: 12,
        align: text === "what" ? "left" : "right",
        baseline: "middle",
      },
      encoding: {
        x: { value: text === "what" ? 0 : "width" },
        y: y("at"),
        text: { field: text, type: "nominal" },
        color: { field: text === "what" ? "ink" : "colour", type: "nominal", scale: null },
      },
    })),
  ],
});

const PERCENTILES = spec({
  height: 300,
  params: [
    { name: "from", value: 1 },
    { name: "to", value: 10 },
    { name: "ticks", value: [] },
    { name: "yTitle", value: "" },
  ],
  data: { name: "points" },
  encoding: {
    x: {
      field: "at",
      type: "quantitative",
      title: "of the answers",
      scale: { type: "log", nice: false },
      axis: {
        values: [1, 10],
        labelOverlap: "greedy",
        labelExpr: "format(100 - 100 / datum.value, '.8~r') + ' %'",
      },
    },
    y: {
      field: "value",
      type: "quantitative",
      title: "y",
      scale: { type: "log", nice: false, padding: 12 },
      axis: { tickCount: 6, format: "~g" },
    },
    color,
  },
  layer: [
    {
      mark: { type: "line", strokeWidth: 1.5 },
      encoding: {
        detail: { field: "what", type: "nominal" },
        strokeDash: {
          field: "dash",
          type: "nominal",
          scale: {
            domain: ["cells", "controls"],
            range: [
              [1, 0],
              [5, 4],
            ],
          },
          legend: null,
        },
      },
    },
    {
      mark: { type: "point", filled: true, size: 36, opacity: 1 },
      encoding: { shape: { field: "shape", type: "nominal", scale: null }, tooltip },
    },
  ],
});

const across = {
  field: "x",
  type: "quantitative",
  title: "x",
  scale: { nice: false, zero: true },
  axis: { tickCount: { expr: "ceil(width / 70)" } },
};
/** A fixed width of the axis, because labels are placed in the remaining width of the plot. */
const up = {
  field: "y",
  type: "quantitative",
  title: "y",
  scale: { nice: false, zero: true },
  axis: { minExtent: 36, maxExtent: 36 },
};

const FRONT = spec({
  height: 320,
  params: [
    { name: "from", value: 0 },
    { name: "to", value: 1 },
    { name: "top", value: 1 },
    { name: "xTitle", value: "" },
    { name: "yTitle", value: "" },
  ],
  data: { name: "points" },
  encoding: { color, tooltip },
  layer: [
    {
      mark: { type: "rule", strokeWidth: 1 },
      encoding: { x: across, y: { ...up, field: "low" }, y2: { field: "high" } },
    },
    {
      mark: { type: "point", filled: true, size: 70, opacity: 1 },
      encoding: { x: across, y: up, shape: { field: "shape", type: "nominal", scale: null } },
    },
    {
      mark: { type: "text", align: "left", fontSize: 11 },
      encoding: { x: across, y: up, text: { field: "what", type: "nominal" } },
    },
  ],
});

export type MeasuredTemplate =
  | "rows"
  | "rows-log"
  | "rows-symlog"
  | "percentiles"
  | "front"
  | "peaks"
  | "timelines"
  | "curve"
  | "curve-log";

export const templatesOfMeasured = (): Readonly<Record<MeasuredTemplate, Spec>> => {
  const rows = compile(ROWS).spec;
  const curve = curveTemplate();
  return {
    rows: following(rows),
    "rows-log": following(withScale(rows, "log")),
    "rows-symlog": following(withScale(rows, "symlog")),
    percentiles: following(compile(PERCENTILES).spec),
    timelines: withDates(withRange(following(compile(ROWS).spec))),
    curve: following(curve),
    "curve-log": following(withScale(curve, "log")),
    peaks: peaksTemplate(),
    front: withPlacedLabels(following(compile(FRONT).spec)),
  };
};

/** Renames signal `to`, the end of the axis, to `until`, as in charts over time. Cuts names at the chart's edge. */
const withRange = (vega: Spec): Spec => ({
  ...vega,
  signals: (vega.signals ?? []).map((signal) =>
    signal.name === "to" ? { ...signal, name: "until" } : signal,
  ),
  scales: (vega.scales ?? []).map((scale): Scale =>
    scale.name === "x" ? { ...scale, domain: [{ signal: "from" }, { signal: "until" }] } : scale,
  ),
  marks: (vega.marks ?? []).map((mark) =>
    mark.type === "text"
      ? {
          ...mark,
          encode: {
            ...mark.encode,
            update: { ...mark.encode?.update, limit: { signal: "width" } },
          },
        }
      : mark,
  ),
});

/** Puts each label at its position, with a line to its point if the label is higher or lower. */
const withPlacedLabels = (vega: Spec): Spec => ({
  ...vega,
  scales: (vega.scales ?? []).map((scale): Scale =>
    scale.name === "y" ? { ...scale, domain: [0, { signal: "top" }] } : scale,
  ),
  marks: (vega.marks ?? []).flatMap((mark) => {
    if (mark.type !== "text") return [mark];
    const { update } = mark.encode ?? {};
    const label = {
      ...mark,
      encode: {
        ...mark.encode,
        update: {
          ...update,
          dx: { field: "labelDx" },
          dy: { field: "labelDy" },
        },
      },
    };
    return [lineToLabel(mark, update), label];
  }),
});

const addOffset = (position: EncodeEntry["x"], field: string): NonNullable<EncodeEntry["x"]> =>
  Object.assign({}, position, { offset: { field } });

const lineToLabel = (
  { from }: Mark,
  { x, y, fill }: Pick<EncodeEntry, "x" | "y" | "fill"> = {},
): Mark => ({
  type: "rule",
  ...(from === undefined ? {} : { from }),
  encode: {
    update: {
      x: x!,
      y: y!,
      x2: addOffset(x, "lineDx"),
      y2: addOffset(y, "labelDy"),
      stroke: fill!,
      strokeWidth: { value: 0.75 },
      opacity: { signal: "datum.labelDy === 0 ? 0 : 0.7" },
    },
  },
});

/** Makes scales, titles and ticks follow the template's signals. Linear scales choose their own ticks. */
function following(vega: Spec): Spec {
  const has = (name: string): boolean =>
    (vega.signals ?? []).some((signal) => "name" in signal && signal.name === name);
  const isTicked =
    has("ticks") && (vega.scales ?? []).some(({ name, type }) => name === "x" && type !== "linear");
  const domainOf = (scale: Scale): Scale => {
    if (scale.name === "x" && has("to"))
      return { ...scale, domain: [{ signal: "from" }, { signal: "to" }] };
    return scale.name === "y" && has("rows")
      ? { ...scale, domain: [0, { signal: "rows" }] }
      : scale;
  };
  const withTitle = (axis: Axis): Axis => {
    const ticks = isTicked && axis.scale === "x" ? { values: { signal: "ticks" } } : {};
    if (axis.title === "x") return { ...axis, ...ticks, title: { signal: "xTitle" } };
    return axis.title === "y" ? { ...axis, title: { signal: "yTitle" } } : { ...axis, ...ticks };
  };
  return {
    ...vega,
    scales: (vega.scales ?? []).map(domainOf),
    axes: (vega.axes ?? []).map(withTitle),
  };
}

const withScale = (vega: Spec, type: "log" | "symlog"): Spec => ({
  ...vega,
  scales: (vega.scales ?? []).map((scale): Scale =>
    scale.name === "x" && scale.type === "linear"
      ? { ...withoutZero(scale), type, ...(type === "symlog" ? { constant: 1 } : {}) }
      : scale,
  ),
});

const withoutZero = <T extends object>(scale: T): Omit<T, "zero"> => {
  const { zero: _, ...rest } = scale as T & { zero?: unknown };
  return rest;
};
