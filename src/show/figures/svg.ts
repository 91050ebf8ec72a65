// A figure as a static drawing: no script runs where it is formatNumber.
import { parse, View, type Spec } from "vega";
import { html } from "../html/html.ts";
import type { Figure } from "./drawable-of.ts";
import { bound } from "./bound.ts";
import { drawableOf } from "./drawable-of.ts";
import { WIDTH } from "./spec.ts";
import type { Templates } from "./templates.ts";

export function svgOf(figure: Figure, templates: Templates): Promise<string> {
  const drawable = drawableOf(figure);
  // A static drawing has no tooltips.
  const still = { ...drawable, data: { ...drawable.data, hover: [] } };
  return svgOfSpec(bound(templates[drawable.kind], still, WIDTH), figure.title);
}

export async function svgOfSpec(spec: Spec, title: string): Promise<string> {
  const drawing = await new View(parse(spec), { renderer: "none" }).toSVG();
  const named = String(html`<svg role="img" aria-label="${title}" `);
  return slim(drawing).replace("<svg ", () => named);
}

/** What only matters to a live view: who may be pointed at, frames without area, what style sets. */
const slim = (drawing: string): string =>
  drawing
    .replaceAll(/<path class="(?:background|foreground)"[^>]*\/>/g, "")
    // In its tags alone: a text may hold what looks like an attribute.
    .replaceAll(/<[a-z][^>]*>/g, (tag) => tag.replaceAll(NEEDLESS, ""))
    // Empty groups, in either form: the second must not take the end of the group around it.
    .replaceAll(/<g(?: [^>]*)?\/>|<g(?: [^>]*[^>/])?><\/g>/g, "");

const NEEDLESS =
  / (?:(?:font-family|pointer-events|aria-hidden|aria-roledescription|role|xmlns:xlink|xmlns|version)="[^"]*"|class="(?!marks")[^"]*"|opacity="1")/g;
