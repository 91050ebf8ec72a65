// What a template needs to become a drawing: rows for its data, values for its signals, and what the colours mean.
// Colours are names of the page's own, so that one drawing serves a light and a dark page.
import type { Figure } from "../model.ts";
import { frontDrawable } from "./measured/front.ts";
import { percentilesDrawable } from "./measured/percentiles.ts";
import { lanesDrawable, rowsDrawable } from "./measured/rows.ts";
import type { MeasuredTemplate } from "./measured/templates.ts";
import { refusalDrawable } from "./refusal.ts";
import { comparedDrawable, sequenceDrawable } from "./sequence.ts";
import { timeDrawable } from "./time.ts";

export type Row = Readonly<Record<string, string | number | readonly number[]>>;

export type TemplateName = "time" | "sequence" | "refusal" | MeasuredTemplate;

export interface Drawable {
  readonly kind: TemplateName;
  readonly title: string;
  readonly unit?: string; // where no axis says it
  readonly isSmall?: boolean; // several may stand beside each other
  readonly height: number; // of the whole drawing, axes included, so that a page can keep its place free
  readonly data: Readonly<Record<string, readonly Row[]>>;
  readonly signals: Readonly<Record<string, string | number | readonly number[]>>;
  readonly legend: Legend;
}

/** It stands beside the drawing, as text that wraps. */
export type Legend = readonly {
  readonly what: string;
  readonly colour: string;
  readonly look?: Look;
}[];

/** So that colour is not all that tells one thing from another. */
export const LOOKS = ["bar", "line", "broad", "dashed", "dotted", "limit", "span", "mark"] as const;
export type Look = (typeof LOOKS)[number];

export function drawableOf(figure: Figure): Drawable {
  switch (figure.kind) {
    case "time":
      return timeDrawable(figure);
    case "sequence":
      return sequenceDrawable(figure);
    case "compared":
      return comparedDrawable(figure);
    case "refusal":
      return refusalDrawable(figure);
    case "rows":
      return rowsDrawable(figure);
    case "lanes":
      return lanesDrawable(figure);
    case "percentiles":
      return percentilesDrawable(figure);
    case "front":
      return frontDrawable(figure);
  }
}
