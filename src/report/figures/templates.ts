// Each kind of figure as Vega-Lite without its data, compiled once into a template that every figure of the kind is
// drawn by. What differs from one figure to the next besides data are signals.
import type { Spec } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import { measuredTemplates } from "./measured/templates.ts";
import { spec } from "./spec.ts";
import type { TemplateName } from "./drawable.ts";
import type { RunFigure } from "../model.ts";

const color = { field: "colour", type: "nominal", scale: null };
const tooltip = { field: "tip", type: "nominal" };

const TIME = spec({
  height: 240,
  params: [
    { name: "until", value: 1 },
    { name: "xTitle", value: "" },
    { name: "yTitle", value: "" },
  ],
  layer: [
    {
      data: { name: "bars" },
      mark: { type: "bar", binSpacing: 1 },
      encoding: {
        x: {
          field: "from",
          type: "quantitative",
          bin: "binned",
          title: "x",
          scale: { domain: [0, 1], nice: false },
          axis: { grid: false, tickCount: 12 },
        },
        x2: { field: "to" },
        y: { field: "value", type: "quantitative", stack: "zero", title: "y" },
        order: { field: "order", type: "quantitative" },
        color,
        tooltip,
      },
    },
    ...(["broad", "lines"] as const).map((name) => ({
      data: { name },
      mark: {
        type: "line",
        interpolate: "step-after",
        strokeWidth: name === "broad" ? 6 : 2,
        opacity: name === "broad" ? 0.45 : 1,
      },
      encoding: {
        x: { field: "at", type: "quantitative" },
        y: { field: "value", type: "quantitative" },
        detail: { field: "what", type: "nominal" },
        color,
        tooltip,
      },
    })),
    {
      data: { name: "marks" },
      mark: { type: "rule", strokeWidth: 1, strokeDash: [3, 3] },
      encoding: { x: { field: "at", type: "quantitative" }, color, tooltip },
    },
  ],
});

const flow = {
  field: "flow",
  type: "nominal",
  sort: null, // as they come
  title: null,
  axis: { labelLimit: 300, ticks: false, domain: false, labelColor: "var(--ink)" },
};

const SEQUENCE = spec({
  height: 100,
  params: [
    { name: "until", value: 1 },
    { name: "xTitle", value: "requests" },
  ],
  data: { name: "runs" },
  layer: [
    {
      mark: { type: "bar", height: { band: 0.8 }, stroke: "var(--panel)", strokeWidth: 1 },
      encoding: {
        x: {
          field: "from",
          type: "quantitative",
          title: "x",
          scale: { domain: [0, 1], nice: false },
          axis: { grid: false, tickMinStep: 1, tickCount: 12, format: "d" },
        },
        x2: { field: "to" },
        y: flow,
        color,
        tooltip,
      },
    },
    {
      mark: { type: "text", fontSize: 12, fill: "var(--on-bar)" },
      encoding: {
        x: { field: "middle", type: "quantitative" },
        y: flow,
        text: { field: "text", type: "nominal" },
      },
    },
  ],
});

const SPECS: Readonly<Record<RunFigure["kind"], TopLevelSpec>> = { time: TIME, sequence: SEQUENCE };

export type Templates = Readonly<Record<TemplateName, Spec>>;

let compiled: Templates | null = null;

/** Compiling costs as much as drawing, so each is compiled at most once. */
export function templates(): Templates {
  compiled ??= {
    time: template("time"),
    sequence: template("sequence"),
    ...measuredTemplates(),
  };
  return compiled;
}

function template(kind: RunFigure["kind"]): Spec {
  const { spec: vega } = compile(SPECS[kind]);
  return {
    ...vega,
    // The language has no signals in these two places.
    scales: (vega.scales ?? []).map((scale) =>
      scale.name === "x" ? { ...scale, domain: [0, { signal: "until" }] } : scale,
    ),
    axes: (vega.axes ?? []).map((axis) => {
      if (axis.title === "x") return { ...axis, title: { signal: "xTitle" } };
      return axis.title === "y" ? { ...axis, title: { signal: "yTitle" } } : axis;
    }),
  };
}
