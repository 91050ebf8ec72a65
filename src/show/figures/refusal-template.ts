// The template of a refusal: the window as a band, the requests that filled the window as ticks in a lane for each
// flow, and two instants as lines across all lanes.
import { across, own, quantity, row, tooltip, upright } from "./encodings.ts";
import { spec } from "./spec.ts";

export const REFUSAL = spec({
  height: 100,
  params: [
    { name: "from", value: 0 },
    { name: "until", value: 1 },
    { name: "rows", value: 1 },
    { name: "xTitle", value: "" },
  ],
  layer: [
    {
      data: { name: "windows" },
      mark: { type: "rect", clip: true, opacity: 0.18 },
      encoding: { ...across, ...upright, fill: own("colour"), tooltip },
    },
    {
      data: { name: "names" },
      mark: {
        type: "text",
        align: "left",
        baseline: "top",
        dy: 2,
        fontSize: 12,
        fill: "var(--ink)",
        limit: { expr: "width" },
      },
      encoding: { x: { value: 0 }, y: row("row"), text: { field: "text", type: "nominal" } },
    },
    {
      // Invisible full-height rules with tooltips: one at the refusal, one at the time from which the budget has room.
      data: { name: "moments" },
      mark: { type: "rule", clip: true, strokeWidth: 2, opacity: 0 },
      encoding: { x: quantity("at"), color: own("colour"), tooltip },
    },
    {
      // The outline makes pieces of zero width visible.
      data: { name: "pieces" },
      mark: { type: "rect", clip: true, strokeWidth: 5 },
      encoding: {
        ...across,
        y: row("high"),
        y2: { field: "low" },
        fill: own("colour"),
        stroke: own("colour"),
        tooltip,
      },
    },
    {
      // Drawn below the names, but above marks at the same instant.
      data: { name: "strokes" },
      mark: { type: "rule", clip: true, strokeWidth: 2 },
      encoding: {
        x: quantity("at"),
        y: row("high"),
        y2: { field: "low" },
        color: own("colour"),
        strokeDash: own("dash"),
      },
    },
    {
      data: { name: "pieces" },
      mark: { type: "text", clip: true, align: "left", dx: 5, fontSize: 12, fill: "var(--ink)" },
      encoding: {
        x: quantity("to"),
        y: row("centre"),
        text: { field: "text", type: "nominal" },
      },
    },
  ],
});
