// What all charts have in common: size, font, and colours that are names of the page's own.
import type { TopLevelSpec } from "vega-lite";

/** What a page and its drawings are set in: a drawing is measured by the name of its font, and "inherit" is none. */
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
  // The drawing has one description outside it; a thousand inside would only disturb.
  aria: false,
} as const;

/** The parts are put together from values, which the library's own type of a whole cannot follow. */
export const spec = (parts: object): TopLevelSpec =>
  ({
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    width: WIDTH,
    autosize: { type: "fit", contains: "padding" },
    padding: 4,
    config: CONFIG,
    ...parts,
  }) as unknown as TopLevelSpec;
