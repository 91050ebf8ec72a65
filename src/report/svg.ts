// A chart as a static drawing: no script runs where it is shown.
import { parse, View } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import { specOf } from "./chart-spec.ts";
import { escaped } from "./escaped.ts";
import type { Chart } from "./model.ts";

export const svgOf = (chart: Chart): Promise<string> => drawn(specOf(chart), chart.title);

export async function drawn(chart: TopLevelSpec, title: string): Promise<string> {
  const { spec } = compile(chart);
  const drawing = await new View(parse(spec), { renderer: "none" }).toSVG();
  return slim(drawing).replace("<svg ", `<svg role="img" aria-label="${escaped(title)}" `);
}

/** What only matters to a live view: who may be pointed at, frames without area, sizes that style sets. */
const slim = (drawing: string): string =>
  drawing
    .replaceAll(
      / (?:pointer-events|aria-hidden|aria-roledescription|role|xmlns:xlink|xmlns|version)="[^"]*"/g,
      "",
    )
    .replaceAll(/<path class="(?:background|foreground)"[^>]*\/>/g, "")
    .replaceAll(/ class="(?!marks")[^"]*"/g, "")
    .replaceAll(/<g(?: [^>]*)?><\/g>/g, "")
    .replaceAll(' opacity="1"', "");
