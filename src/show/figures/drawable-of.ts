// Converts a figure of any type to the input of its template.
import { frontDrawable } from "./measured/front.ts";
import { timelinesDrawable } from "./measured/timelines.ts";
import { curveDrawable } from "./measured/curve.ts";
import { peaksDrawable } from "./measured/peaks.ts";
import { percentilesDrawable } from "./measured/percentiles.ts";
import { lanesDrawable, rowsDrawable } from "./measured/rows.ts";
import { refusalDrawable } from "./refusal.ts";
import { comparisonDrawable, sequenceDrawable } from "./sequence.ts";
import { WIDTH } from "./spec.ts";
import { timeDrawable } from "./time.ts";
import type { Drawable } from "./drawable.ts";
import type { MeasuredFigure } from "../../lab/report/measured-figures.ts";
import type { RunFigure } from "../../lab/report/model-figures.ts";
import type { RefusalFigure } from "./refusal.ts";

/** All figures of a page. A report document has only those of type `RunFigure`; the others are built for the page. */
export type Figure = RunFigure | MeasuredFigure | RefusalFigure;

/** `width` is in pixels. */
export function drawableOf(figure: Figure, width = WIDTH): Drawable {
  switch (figure.kind) {
    case "time":
      return timeDrawable(figure);
    case "sequence":
      return sequenceDrawable(figure);
    case "compared":
      return comparisonDrawable(figure);
    case "refusal":
      return refusalDrawable(figure);
    case "rows":
      return rowsDrawable(figure);
    case "lanes":
      return lanesDrawable(figure);
    case "percentiles":
      return percentilesDrawable(figure);
    case "timelines":
      return timelinesDrawable(figure);
    case "curve":
      return curveDrawable(figure);
    case "peaks":
      return peaksDrawable(figure);
    case "front":
      return frontDrawable(figure, width);
  }
}
