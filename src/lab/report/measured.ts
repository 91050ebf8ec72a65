// A document of measurements as plain text and numbers. Its builder does not depend on pages, and the page does not
// trust its content.
import type { MeasuredFigure } from "./measured-figures.ts";
import type { TimeFigure } from "./model-figures.ts";

export interface MeasuredPart {
  readonly title: string; // title of this document if several are shown
  readonly headline: string; // the first sentence of the answer, if there is one
  readonly answer?: readonly string[]; // its other sentences
  readonly word: MeasuredWord | null; // the result in one word
  /** What a reader has to know before trusting the results. */
  readonly doubts: readonly string[];
  readonly summary: readonly string[]; // sentences
  readonly sections: readonly MeasuredSection[];
  /** Where and how it was measured, by name. */
  readonly facts: readonly (readonly [name: string, what: string])[];
}

export type MeasuredWord =
  | "improved"
  | "regressed"
  | "same"
  | "unclear"
  | "within"
  | "outside"
  | "partial";

export interface MeasuredSection {
  readonly title: string;
  readonly notes: readonly string[];
  readonly figures: readonly (MeasuredFigure | TimeFigure)[];
  readonly tables: readonly MeasuredTable[];
}

export interface MeasuredTable {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The summary under which the table is hidden until opened; null: the table is always displayed. */
  readonly folded: string | null;
  /** How many columns at the left contain names instead of amounts. */
  readonly names: 1 | 2 | 3;
}
