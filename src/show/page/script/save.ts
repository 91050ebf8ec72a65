// Saves what is shown as a file: an SVG, or the PNG that the browser draws of it.
import { parse, View } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { bound } from "../../figures/bound.ts";
import { drawableOf } from "../../figures/drawable-of.ts";
import { WIDTH } from "../../figures/spec.ts";
import type { Templates } from "../../figures/templates.ts";
import { savedChartSvg } from "../../html/saved-chart.ts";
import type { Chart } from "./chart.ts";
import { announce } from "./notices.ts";

/** Pixels of a PNG for each unit of its SVG. */
const SCALE = 2;

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
  const address = shownAddress();
  return savedChartSvg({ figure, subject, caption, legend, height, drawing, address }, colourOf);
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

/** A file has an address that only its reader knows: its name is enough. */
function shownAddress(): string {
  const { protocol, pathname, hash, href } = location;
  const name = decodeURIComponent(pathname.slice(pathname.lastIndexOf("/") + 1));
  return protocol === "file:" ? `${name}${hash}` : href;
}

/** The colour of that name in the scheme of the page. */
const colourOf = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

export async function saveImage(svg: string, title: string, type: "png" | "svg"): Promise<void> {
  const file =
    type === "svg" ? new Blob([svg], { type: "image/svg+xml;charset=utf-8" }) : await pngOf(svg);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `${nameOf(title)}.${type}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  announce(`saved: ${link.download}`);
}

const nameOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 80) || "chart";

async function pngOf(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth * SCALE;
  canvas.height = image.naturalHeight * SCALE;
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) =>
      blob === null ? reject(new Error("the browser makes no PNG of it")) : resolve(blob),
    );
  });
}
