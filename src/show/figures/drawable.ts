// What a template needs to become a drawing: rows for its data, values for its signals, and what the colours mean.
// Colours are names of the page's own, so that one drawing serves a light and a dark page.
import type { MeasuredTemplate } from "./measured/templates.ts";

export type DrawableRow = Readonly<Record<string, string | number | readonly number[]>>;

export type TemplateName = "time" | "dated" | "sequence" | "refusal" | MeasuredTemplate;

export interface Drawable {
  readonly kind: TemplateName;
  readonly title: string;
  readonly isSmall?: boolean; // several may share a row
  readonly height: number; // of the whole drawing, axes included, so that a page can keep its place free
  readonly data: Readonly<Record<string, readonly DrawableRow[]>>;
  readonly signals: Readonly<Record<string, string | number | readonly number[]>>;
  readonly legend: Legend;
}

/** Outside the drawing, as text that wraps. */
export type Legend = readonly {
  readonly what: string;
  readonly colour: string;
  readonly look?: Look;
}[];

/** A shape in addition to the colour. */
const LOOKS = ["bar", "line", "broad", "dashed", "dotted", "limit", "span", "mark"] as const;
export type Look = (typeof LOOKS)[number];
