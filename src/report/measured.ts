// What a document of measurements has to say to a page, as plain text and numbers: whoever makes it knows nothing of pages,
// and nothing in it is trusted by the page.
import type { MeasuredFigure } from "./figures/measured/figures.ts";

export interface MeasuredPart {
  readonly title: string; // of the document, among others
  readonly headline: string;
  readonly word: MeasuredWord | null; // what it comes to
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
  readonly figures: readonly MeasuredFigure[];
  readonly tables: readonly MeasuredTable[];
}

export interface MeasuredTable {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Shown only to who asks for it, by these words; null: at once. */
  readonly folded: string | null;
  /** Columns at the beginning that are words and not amounts. */
  readonly names: 1 | 2;
}
