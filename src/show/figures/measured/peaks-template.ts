// The template of clients by their requests in one window. Both axes are logarithmic: few clients send most requests.
import type { Axis, Scale, Spec } from "vega";
import { compile } from "vega-lite";
import { NUMBER, own, tooltip } from "../encodings.ts";
import { spec } from "../spec.ts";

const log = { type: "log", nice: false };
const x = (field: string): object => ({
  x: {
    field,
    type: "quantitative",
    title: "x",
    scale: log,
    axis: { grid: false, labelExpr: NUMBER, labelOverlap: "greedy" },
  },
});
const heights = {
  y: {
    field: "low",
    type: "quantitative",
    title: "clients, log scale",
    scale: log,
    axis: { labelExpr: NUMBER, minExtent: 32 },
  },
  y2: { field: "high" },
};
const bar = (name: "admitted" | "refused"): object => ({
  type: "rect",
  clip: true,
  fill: `var(--${name})`,
  stroke: "var(--panel)",
  strokeWidth: 0.5,
});

const PEAKS = spec({
  height: 300,
  params: [
    { name: "from", value: 1 },
    { name: "to", value: 10 },
    { name: "top", value: 10 },
    { name: "line", value: 1 },
    { name: "ticks", value: [] },
    { name: "yTicks", value: [] },
    { name: "xTitle", value: "" },
  ],
  layer: [
    {
      data: { name: "bars" },
      mark: bar("admitted"),
      encoding: { ...x("from"), x2: { field: "to" }, ...heights, tooltip },
    },
    {
      // The part of a bar beyond the line of the limit.
      data: { name: "bars" },
      transform: [
        { calculate: "max(datum.from, line + 0.5)", as: "above" },
        { filter: "datum.above < datum.to" },
      ],
      mark: bar("refused"),
      encoding: { ...x("above"), x2: { field: "to" }, ...heights, tooltip },
    },
    {
      data: { name: "lines" },
      transform: [{ calculate: "line + 0.5", as: "at" }],
      mark: { type: "rule", strokeWidth: 2, stroke: "var(--limit)", clip: true },
      encoding: x("at"),
    },
    {
      data: { name: "lines" },
      transform: [
        { calculate: "line + 0.5", as: "at" },
        { calculate: "format(line, ',')", as: "words" },
      ],
      mark: {
        type: "text",
        align: "left",
        baseline: "top",
        dx: 5,
        fontSize: 12,
        fontWeight: "bold",
        fill: "var(--limit)",
      },
      encoding: { ...x("at"), y: { value: 0 }, text: own("words") },
    },
  ],
});

/** Vega-Lite does not allow signals in domains and ticks, so they are inserted into the compiled Vega. */
export function peaksTemplate(): Spec {
  const { spec: vega } = compile(PEAKS);
  return {
    ...vega,
    scales: (vega.scales ?? []).map(
      (scale): Scale =>
        Object.assign({}, scale, {
          domain:
            scale.name === "x" ? [{ signal: "from" }, { signal: "to" }] : [0.5, { signal: "top" }],
        }) as Scale,
    ),
    axes: (vega.axes ?? []).map((axis): Axis => {
      const isAcross = axis.scale === "x";
      const title = axis.title === "x" ? { title: { signal: "xTitle" } } : {};
      return { ...axis, ...title, values: { signal: isAcross ? "ticks" : "yTicks" } };
    }),
  };
}
