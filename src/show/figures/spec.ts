// What all charts have in common: size, font, and colours that are CSS names of the page.
import type { TopLevelSpec } from "vega-lite";

/** The font of pages and charts, by name: Vega measures text with it and cannot measure "inherit". */
export const FONT = 'system-ui, "Segoe UI", "Noto Sans", Arial, sans-serif';

export const WIDTH = 900;

const CONFIG = {
  background: "transparent",
  font: FONT,
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
  // One description outside the chart is enough; a thousand inside would disturb screen readers.
  aria: false,
} as const;

/** Adds the common parts to a template. The cast is needed: the library's type does not fit computed parts. */
export const spec = (parts: object): TopLevelSpec =>
  ({
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    width: WIDTH,
    autosize: { type: "fit", contains: "padding" },
    padding: 4,
    config: CONFIG,
    ...parts,
  }) as unknown as TopLevelSpec;
