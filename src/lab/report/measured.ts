// A document of measurements as plain text and numbers: its builder does not depend on pages, and the page trusts
// nothing in it.
import type { MeasuredFigure } from "./measured-figures.ts";
import type { TimeFigure } from "./model-figures.ts";

export interface MeasuredPart {
  readonly title: string; // of the document, among others
  readonly headline: string;
  readonly word: MeasuredWord | null; // the result
  /** What a reader has to know before believing any of it. */
  readonly doubts: readonly string[];
  readonly summary: readonly string[]; // sentences
  readonly sections: readonly MeasuredSection[];
  /** Where and how it was measured: by name. */
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
  /** Folded under these words; null: shown at once. */
  readonly folded: string | null;
  /** Columns at the beginning that are words and not amounts. */
  readonly names: 1 | 2 | 3;
}
