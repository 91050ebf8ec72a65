// Charts of rows with their names above: the responses of each flow in order, or one quantity for several subjects.
import { formatStatus } from "../../lab/scenario/expectation.ts";
import type { ComparedFigure, SequenceFigure } from "../../lab/report/model-figures.ts";
import { shareOf } from "../html/parts.ts";
import { coloursOf } from "./colours.ts";
import type { Drawable, DrawableRow } from "./drawable.ts";
import { formatNumber } from "./time.ts";

const ROW_HEIGHT = 42;
const AXIS_HEIGHT = 46;
/** Vertical positions of bars within a row, as fractions of its height. The row's name is above the bars. */
const BAR_FROM = 0.46;
const BAR_TO = 0.94;

interface Piece {
  readonly row: string;
  readonly from: number;
  readonly to: number;
  readonly what: string;
  readonly text: string;
  readonly short: string; // shown instead of `text` in a piece that is too narrow for it
  readonly tip: string;
}

export function sequenceDrawable({ title, runs }: SequenceFigure): Drawable {
  const pieces = runs.map(({ flow, from, to, status, isRejected, isDelayed }) => ({
    row: flow,
    from,
    to,
    what: isDelayed ? "delayed" : isRejected ? `rejected ${status}` : formatStatus(status),
    text: `${to - from} × ${isDelayed ? "delayed" : formatStatus(status)}`,
    short: String(to - from),
    tip: `${flow}: answers ${from + 1} to ${to} are ${formatStatus(status)}${isDelayed ? ", each at its turn" : isRejected ? ", not by a limit" : ""}`,
  }));
  const rows = [...new Set(runs.map(({ flow }) => flow))];
  return drawable(title, "requests", pieces, { rows, leastStep: 1 });
}

export function comparisonDrawable({ title, unit, rows }: ComparedFigure): Drawable {
  const pieces = rows.flatMap(({ name, parts }) => {
    const all = parts.reduce((sum, { value }) => sum + value, 0);
    let from = 0;
    return parts.map(({ what, value }) => {
      const piece = {
        row: name,
        from,
        to: from + value,
        what,
        // If a row has a single part, its value follows its name.
        text: parts.length === 1 ? "" : `${formatNumber(value)} (${shareOf(value, all)})`,
        short: parts.length === 1 ? "" : formatNumber(value),
        tip: `${name}: ${formatNumber(value)} ${what}${parts.length === 1 ? "" : ` (${shareOf(value, all)})`}`,
      };
      from += value;
      return piece;
    });
  });
  const drawn = drawable(title, unit, pieces, {
    rows: rows.map(({ name }) => name),
    texts: rows.map(({ name, parts }) =>
      parts.length === 1 ? `${name}: ${formatNumber(parts[0]!.value)}` : name,
    ),
    leastStep: 0,
  });
  return { ...drawn, isSmall: true, legend: drawn.legend.length === 1 ? [] : drawn.legend };
}

interface Rows {
  readonly rows: readonly string[];
  readonly texts?: readonly string[];
  readonly leastStep: number; // smallest distance between ticks of the axis
}

function drawable(
  title: string,
  unit: string,
  pieces: readonly Piece[],
  { rows, texts = rows, leastStep }: Rows,
): Drawable {
  const colourOf = coloursOf(pieces.map(({ what }) => what));
  const places = new Map(rows.map((name, index) => [name, index]));
  return {
    kind: "sequence",
    title,
    height: rows.length * ROW_HEIGHT + AXIS_HEIGHT,
    data: {
      names: texts.map((text, row): DrawableRow => ({ row, text })),
      pieces: pieces.map(({ row, what, from, to, text, short, tip }): DrawableRow => ({
        from,
        to,
        middle: (from + to) / 2,
        high: places.get(row)! + BAR_FROM,
        low: places.get(row)! + BAR_TO,
        centre: places.get(row)! + (BAR_FROM + BAR_TO) / 2,
        text,
        short,
        tip,
        colour: colourOf(what),
      })),
    },
    signals: {
      from: 0,
      until: Math.max(...pieces.map(({ to }) => to)) || 1,
      rows: rows.length,
      leastStep,
      xTitle: unit,
    },
    legend: [...new Set(pieces.map(({ what }) => what))].map((what) => ({
      what,
      colour: colourOf(what),
      look: "bar",
    })),
  };
}
