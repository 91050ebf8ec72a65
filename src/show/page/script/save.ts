// A chart as an image of its own, drawn again.
import { parse, View } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { bound } from "../../figures/bound.ts";
import { drawableOf } from "../../figures/drawable-of.ts";
import { WIDTH } from "../../figures/spec.ts";
import type { Templates } from "../../figures/templates.ts";
import { renderChartSvg } from "../../html/saved-chart.ts";
import type { Chart } from "./chart.ts";
import { colourOf, readAddress } from "./save-image.ts";

/** What of a chart a reader can change. */
const CHANGED = ["from", "until", "line"];

/** Draws the chart again, of the same width in every window, as a reader has zoomed it. */
export async function chartSvg(chart: Chart, templates: Templates): Promise<string> {
  const { figure, view } = chart;
  const drawable = drawableOf(figure, WIDTH);
  const spec = bound(templates[drawable.kind], drawable, WIDTH);
  const apart = new View(parse(spec, {}, { ast: true }), {
    expr: expressionInterpreter,
    renderer: "none",
  });
  for (const name of CHANGED)
    if (name in drawable.signals) apart.signal(name, view.signal(name) as number);
  const drawing = await apart.toSVG();
  apart.finalize();
  const { legend, height } = drawable;
  const { subject, caption } = namesOf(chart);
  const address = readAddress();
  return renderChartSvg({ figure, subject, caption, legend, height, drawing, address }, colourOf);
}

/** What a chart is about is in the heading of its section, and which variant it shows in the choice above it. */
function namesOf({ place, figure }: Chart): { readonly subject: string; readonly caption: string } {
  const section = place.closest("section:not(.live-limit)") ?? document;
  const heading = section.querySelector("h1, h2, h3");
  const side = place.closest(".sides > div")?.querySelector("h4");
  const choice = section.querySelector<HTMLSelectElement>("select[data-variants]");
  const isOfVariant = place.closest(".variant") !== null;
  const variant = side?.textContent ?? (isOfVariant ? choice?.selectedOptions[0]?.textContent : "");
  return {
    subject: heading?.textContent ?? document.title,
    caption: [figure.title, variant ?? ""].filter((part) => part !== "").join(", "),
  };
}
