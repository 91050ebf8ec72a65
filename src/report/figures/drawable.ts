// What a template needs to become a drawing: rows for its data, values for its signals, and what the colours mean.
// Colours are names of the page's own, so that one drawing serves a light and a dark page.
import type { Figure } from "../model.ts";
import { sequenceDrawable } from "./sequence.ts";
import { timeDrawable } from "./time.ts";

export type Row = Readonly<Record<string, string | number>>;

export interface Drawable {
  readonly kind: Figure["kind"]; // of the template
  readonly title: string;
  readonly height: number; // of the whole drawing, axes included, so that a page can keep its place free
  readonly data: Readonly<Record<string, readonly Row[]>>;
  readonly signals: Readonly<Record<string, string | number>>;
  readonly legend: Legend;
}

/** It stands beside the drawing, as text that wraps. */
export type Legend = readonly { readonly what: string; readonly colour: string }[];

export function drawableOf(figure: Figure): Drawable {
  switch (figure.kind) {
    case "time":
      return timeDrawable(figure);
    case "sequence":
      return sequenceDrawable(figure);
  }
}
