// Each type of figure as Vega-Lite, compiled once into a template for all figures of that type. What differs between
// figures is in the data and the signals.
import type { Scale, Spec } from "vega";
import { compile } from "vega-lite";
import type { TemplateName } from "./drawable.ts";
import { templatesOfMeasured, type MeasuredTemplate } from "./measured/templates.ts";
import { across, counted, NUMBER, own, quantity, row, tooltip, upright } from "./encodings.ts";
import { REFUSAL } from "./refusal-template.ts";
import { withDates } from "./dates.ts";
import { spec } from "./spec.ts";

const TIME = spec({
  height: 240,
  params: [
    { name: "from", value: 0 },
    { name: "until", value: 1 },
    { name: "top", value: 1 },
    { name: "xTitle", value: "" },
    { name: "yTitle", value: "" },
  ],
  layer: [
    {
      data: { name: "spans" },
      mark: { type: "rect", clip: true, opacity: 0.2 },
      encoding: { ...across, ...upright, fill: own("colour") },
    },
    {
      data: { name: "bars" },
      mark: { type: "rect", clip: true, stroke: "var(--panel)", strokeWidth: 0.5 },
      encoding: {
        ...across,
        y: {
          ...quantity("low"),
          title: "y",
          scale: { domain: [0, 1] },
          // The axis has a fixed width, so that charts below each other show the same time at the same position.
          axis: { labelExpr: NUMBER, minExtent: 32 },
        },
        y2: { field: "high" },
        fill: own("colour"),
      },
    },
    {
      data: { name: "lines" },
      mark: { type: "line", clip: true, interpolate: "step-after" },
      encoding: {
        x: quantity("at"),
        y: { ...quantity("value"), title: "y" },
        detail: { field: "part", type: "nominal" },
        color: own("colour"),
        strokeDash: own("dash"),
        strokeWidth: { ...quantity("width"), scale: null },
        opacity: { ...quantity("opacity"), scale: null },
      },
    },
    {
      data: { name: "marks" },
      mark: { type: "rule", clip: true, strokeWidth: 1.5, strokeDash: [3, 3] },
      encoding: { x: quantity("at"), color: own("colour") },
    },
    {
      data: { name: "hover" },
      mark: { type: "rect", clip: true, color: "var(--ink)", opacity: 0 },
      encoding: { ...across, ...upright, tooltip },
    },
  ],
});

const fits = (field: string): string =>
  `abs(scale('x', datum.to) - scale('x', datum.from)) > 7 * length(datum.${field}) + 4`;

/** A narrow piece shows only its number: the legend explains its colour. A narrower one shows nothing. */
const FITTING = `${fits("text")} ? datum.text : ${fits("short")} ? datum.short : ''`;

const SEQUENCE = spec({
  height: 100,
  params: [
    { name: "from", value: 0 },
    { name: "until", value: 1 },
    { name: "rows", value: 1 },
    { name: "leastStep", value: 0 },
    { name: "xTitle", value: "" },
  ],
  layer: [
    {
      data: { name: "names" },
      mark: {
        type: "text",
        align: "left",
        baseline: "top",
        dy: 4,
        fontSize: 12,
        fill: "var(--ink)",
        limit: { expr: "width" },
      },
      encoding: { x: { value: 0 }, y: row("row"), text: { field: "text", type: "nominal" } },
    },
    {
      data: { name: "pieces" },
      mark: { type: "rect", clip: true, stroke: "var(--panel)", strokeWidth: 1 },
      encoding: { ...counted, y: row("high"), y2: { field: "low" }, fill: own("colour"), tooltip },
    },
    {
      data: { name: "pieces" },
      mark: {
        type: "text",
        clip: true,
        fontSize: 12,
        fill: "var(--on-bar)",
        text: { expr: FITTING },
      },
      encoding: { x: quantity("middle"), y: row("centre") },
    },
  ],
});

type OfRuns = Exclude<TemplateName, MeasuredTemplate | "dated">;

const SPECS = { time: TIME, sequence: SEQUENCE, refusal: REFUSAL } as const satisfies Record<
  OfRuns,
  object
>;

export type Templates = Readonly<Record<TemplateName, Spec>>;

let compiled: Templates | null = null;

/** The compiled templates. They are compiled once, because that takes as long as drawing a chart. */
export function templates(): Templates {
  compiled ??= {
    time: template("time"),
    dated: withDates(template("time")),
    sequence: template("sequence"),
    refusal: template("refusal"),
    ...templatesOfMeasured(),
  };
  return compiled;
}

const ROWS = {
  x: [{ signal: "from" }, { signal: "until" }],
  y: [{ signal: "rows" }, { signal: "0" }],
};

/** Vega-Lite does not allow signals in domains, so they are inserted into the compiled Vega. */
const DOMAINS: Readonly<Record<OfRuns, Readonly<Record<string, readonly object[]>>>> = {
  time: { x: [{ signal: "from" }, { signal: "until" }], y: [{ signal: "0" }, { signal: "top" }] },
  sequence: ROWS,
  refusal: ROWS,
};

function template(name: OfRuns): Spec {
  const { spec: vega } = compile(SPECS[name]);
  return {
    ...vega,
    // The domains already include zero where it belongs. Vega must not add it to a zoomed range.
    scales: (vega.scales ?? []).map(
      (scale) =>
        ({
          ...scale,
          domain: DOMAINS[name][scale.name]!,
          zero: false,
          nice: name === "time" && scale.name === "y" ? { signal: "ceil(height / 40)" } : false,
        }) as Scale,
    ),
    axes: (vega.axes ?? []).map((axis) =>
      axis.title === "x" || axis.title === "y"
        ? { ...axis, title: { signal: `${axis.title}Title` } }
        : axis,
    ),
  };
}
