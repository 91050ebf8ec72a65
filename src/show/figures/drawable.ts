// The input of a template: rows for its data, values for its signals, and the legend. Colours are CSS names of the
// page, so that one chart serves a light and a dark page.
import type { MeasuredTemplate } from "./measured/templates.ts";

export type DrawableRow = Readonly<Record<string, string | number | readonly number[]>>;

export type TemplateName = "time" | "dated" | "sequence" | "refusal" | MeasuredTemplate;

export interface Drawable {
  readonly kind: TemplateName;
  readonly title: string;
  readonly isSmall?: boolean; // whether several charts may share a row of the page
  readonly height: number; // height of the whole chart with axes, which the page reserves
  readonly data: Readonly<Record<string, readonly DrawableRow[]>>;
  readonly signals: Readonly<Record<string, string | number | readonly number[]>>;
  readonly legend: Legend;
}

/** The legend is text on the page, outside the chart, so that it can wrap. */
export type Legend = readonly {
  readonly what: string;
  readonly colour: string;
  readonly look?: Look;
}[];

/** How the legend shows a series, in addition to its colour. */
const LOOKS = ["bar", "line", "broad", "dashed", "dotted", "limit", "span", "mark"] as const;
export type Look = (typeof LOOKS)[number];
