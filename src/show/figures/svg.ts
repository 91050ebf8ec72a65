// A figure as a static SVG without script.
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

/** Removes what only a live chart needs: pointer events, empty frames, and attributes that CSS sets. */
const slim = (drawing: string): string =>
  drawing
    .replaceAll(/<path class="(?:background|foreground)"[^>]*\/>/g, "")
    // Changes only tags, because a text may contain what looks like an attribute.
    .replaceAll(/<[a-z][^>]*>/g, (tag) => tag.replaceAll(NEEDLESS, ""))
    // Removes empty groups of both forms. The second pattern must not match the end of an enclosing group.
    .replaceAll(/<g(?: [^>]*)?\/>|<g(?: [^>]*[^>/])?><\/g>/g, "");

const NEEDLESS =
  / (?:(?:font-family|pointer-events|aria-hidden|aria-roledescription|role|xmlns:xlink|xmlns|version)="[^"]*"|class="(?!marks")[^"]*"|opacity="1")/g;
