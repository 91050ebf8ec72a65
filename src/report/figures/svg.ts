// A figure as a static drawing: no script runs where it is shown.
import { parse, View, type Spec } from "vega";
import { escaped } from "../html/escaped.ts";
import type { Figure } from "../model.ts";
import { bound } from "./bound.ts";
import { drawableOf } from "./drawable.ts";
import { WIDTH } from "./spec.ts";
import type { Templates } from "./templates.ts";

export function svgOf(figure: Figure, templates: Templates): Promise<string> {
  const drawable = drawableOf(figure);
  // Where nobody points at anything there is nothing to point at.
  const still = { ...drawable, data: { ...drawable.data, hover: [] } };
  return svgOfSpec(bound(templates[drawable.kind], still, WIDTH), figure.title);
}

export async function svgOfSpec(spec: Spec, title: string): Promise<string> {
  const drawing = await new View(parse(spec), { renderer: "none" }).toSVG();
  return slim(drawing).replace("<svg ", `<svg role="img" aria-label="${escaped(title)}" `);
}

/** What only matters to a live view: who may be pointed at, frames without area, what style sets. */
const slim = (drawing: string): string =>
  drawing
    .replaceAll(
      / (?:font-family|pointer-events|aria-hidden|aria-roledescription|role|xmlns:xlink|xmlns|version)="[^"]*"/g,
      "",
    )
    .replaceAll(/<path class="(?:background|foreground)"[^>]*\/>/g, "")
    .replaceAll(/ class="(?!marks")[^"]*"/g, "")
    .replaceAll(/<g(?: [^>]*)?><\/g>/g, "")
    .replaceAll(' opacity="1"', "");
