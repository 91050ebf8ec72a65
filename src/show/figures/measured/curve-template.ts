// The template of a curve whose values are percentages.
import { compile } from "vega-lite";
import type { Scale, Spec } from "vega";
import { NUMBER, own, tooltip, upright } from "../encodings.ts";
import { spec } from "../spec.ts";

const x = (field: string): object => ({
  field,
  type: "quantitative",
  title: "x",
  scale: { nice: false, zero: false },
  axis: {
    grid: false,
    labelExpr: NUMBER,
    labelOverlap: "greedy",
    tickCount: { expr: "ceil(width / 70)" },
  },
});
const y = {
  field: "y",
  type: "quantitative",
  title: "y",
  scale: { domain: [0, 100], nice: false, zero: true },
  axis: { tickCount: 5, minExtent: 32 },
};

const CURVE = spec({
  height: 300,
  params: [
    { name: "from", value: 1 },
    { name: "to", value: 10 },
    { name: "top", value: 100 },
    { name: "ticks", value: [] },
    { name: "xTitle", value: "" },
    { name: "yTitle", value: "" },
  ],
  layer: [
    {
      data: { name: "band" },
      mark: { type: "rect", fill: "var(--span-0)", opacity: 0.25, clip: true },
      encoding: { x: x("from"), x2: { field: "to" }, ...upright, tooltip },
    },
    {
      data: { name: "points" },
      mark: { type: "line", strokeWidth: 2, clip: true },
      encoding: { x: x("x"), y, color: own("colour") },
    },
    {
      data: { name: "references" },
      mark: { type: "rule", stroke: "var(--limit)", strokeWidth: 1.5, clip: true },
      encoding: { x: x("at"), strokeDash: own("dash"), tooltip },
    },
    {
      data: { name: "points" },
      mark: { type: "point", filled: true, opacity: 1 },
      encoding: {
        x: x("x"),
        y,
        color: own("colour"),
        size: { field: "size", type: "quantitative", scale: null },
        tooltip,
      },
    },
  ],
});

/** Vega-Lite does not allow signals in a domain, so they are inserted into the compiled Vega. */
export function curveTemplate(): Spec {
  const { spec: vega } = compile(CURVE);
  return {
    ...vega,
    scales: (vega.scales ?? []).map((scale): Scale =>
      scale.name === "y" ? { ...scale, domain: [0, { signal: "top" }] } : scale,
    ),
  };
}
