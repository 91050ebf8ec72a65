import type { SequenceFigure } from "../model.ts";
import { colourOf, legendOf } from "./colours.ts";
import type { Drawable } from "./drawable.ts";

const ROW_HEIGHT = 26;
const AXIS_HEIGHT = 44;
/** A run that is too short for its text goes without: its colour says as much. */
const LEAST_SHARE_FOR_TEXT = 0.07;

export function sequenceDrawable({ title, runs }: SequenceFigure): Drawable {
  const longest = Math.max(...runs.map(({ to }) => to));
  const flows = new Set(runs.map(({ flow }) => flow)).size;
  return {
    kind: "sequence",
    title,
    height: flows * ROW_HEIGHT + AXIS_HEIGHT,
    data: {
      runs: runs.map(({ flow, from, to, status }) => ({
        flow,
        from,
        to,
        middle: (from + to) / 2,
        colour: colourOf(String(status)),
        text: (to - from) / longest < LEAST_SHARE_FOR_TEXT ? "" : `${to - from} × ${status}`,
        tip: `${flow}: requests ${from + 1} to ${to} got ${status}`,
      })),
    },
    signals: { until: longest },
    legend: legendOf(runs.map(({ status }) => String(status))),
  };
}
