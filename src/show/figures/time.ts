import type { Bars, Curve, StepLine, TimeFigure } from "../../lab/report/model-figures.ts";
import { colour, coloursOf, markColour, spanColour, type Colour } from "./colours.ts";
import { dateText, dateTitle } from "./dates.ts";
import type { DatedFigure } from "../../lab/report/measured-figures.ts";
import type { Drawable, Legend, Look, DrawableRow } from "./drawable.ts";

/** Creating a formatter takes a thousand times as long as using it. */
const NUMBERS = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 4 });

const HEIGHT = 240;
const SMALL_HEIGHT = 170;

type Point = readonly [atS: number, value: number];

interface Line {
  readonly what: string;
  readonly colour: Colour;
  readonly look: Look;
  readonly pieces: readonly (readonly Point[])[]; // parts of the line, with gaps between them
}

export function timeDrawable(figure: TimeFigure | DatedFigure): Drawable {
  const { title, unit, untilS, binS, bars, curves, lines, limits, spans, marks, shows } = figure;
  const isSmall = !["asked", "demand", "allowance", "gateways"].includes(shows);
  const startS = "startS" in figure ? figure.startS : null;
  const [scale, second] = untilS < 2 && startS === null ? [1_000, "ms"] : [1, "s"];
  const colourOf = coloursOf([...bars, ...curves, ...lines].map(({ what }) => what));
  const drawn = [
    ...inTurn([
      ...curves.map(({ what, values }) => ({ what, pieces: unbroken(values, binS) })),
      ...lines.map((line) => ({ what: line.what, pieces: [pointsOf(line)] })),
    ]).map((line): Line => ({ ...line, colour: colourOf(line.what) })),
    ...limits.map((line): Line => ({
      what: line.what,
      pieces: [pointsOf(line)],
      colour: colour("limit"),
      look: "limit",
    })),
  ];
  const kinds = oneEach(spans);
  const stacked = stackRows(figure, colourOf, scale);
  const own: Legend = [
    ...bars.map(({ what }) => ({ what, colour: colourOf(what), look: "bar" as const })),
    ...drawn.map(({ what, colour: each, look }) => ({ what, colour: each, look })),
  ];
  const around: Legend = [
    ...kinds.map((what, index) => ({ what, colour: spanColour(index), look: "span" as const })),
    ...oneEach(marks).map((what) => ({ what, colour: markColour(what), look: "mark" as const })),
  ];
  return {
    kind: startS === null ? "time" : "dated",
    title,
    height: isSmall ? SMALL_HEIGHT : HEIGHT,
    isSmall,
    data: {
      spans: spans.map(({ what, fromS, toS }) => ({
        from: fromS * scale,
        to: toS * scale,
        colour: spanColour(kinds.indexOf(what)),
      })),
      bars: stacked,
      lines: drawn.flatMap((line, series) => lineRows(line, series, scale)),
      marks: marks.map(({ atS, what }) => ({ at: atS * scale, colour: markColour(what) })),
      // Computed only when a chart is drawn, because a page needs just the heights of its hundreds of figures.
      get hover() {
        return hoverRows(figure, scale, second);
      },
    },
    signals: {
      from: 0,
      until: untilS * scale,
      top: figure.top === null ? topOf(stacked, drawn) : figure.top * ROOM_ABOVE,
      yTitle: unit,
      ...(startS === null
        ? { xTitle: scale === 1 ? "seconds" : "milliseconds" }
        : { startS, xTitle: dateTitle(startS) }),
    },
    legend: isSmall && own.length === 1 ? [] : [...own, ...(isSmall ? [] : around)],
  };
}

const pointsOf = ({ at, values }: StepLine): readonly Point[] =>
  at.map((atS, index) => [atS, values[index]!]);

/** The pieces of a curve: a horizontal line for each bin. Bins without a value leave gaps. */
function unbroken(values: Curve["values"], binS: number): readonly (readonly Point[])[] {
  const pieces: Point[][] = [];
  for (const [bin, value] of values.entries()) {
    if (value === null) continue;
    if (bin === 0 || values[bin - 1] === null) pieces.push([]);
    const piece = pieces.at(-1)!;
    piece.push([bin * binS, value]);
    if ((values[bin + 1] ?? null) === null) piece.push([(bin + 1) * binS, value]);
  }
  return pieces;
}

const TURNS = ["line", "dashed", "dotted"] as const;

/** Varies the look of lines. "offered" is broader: it coincides with "admitted" if all requests are admitted. */
function inTurn(lines: readonly Pick<Line, "what" | "pieces">[]): readonly Omit<Line, "colour">[] {
  let turn = 0;
  return lines.map((line) => ({
    ...line,
    look: line.what === "offered" ? "broad" : TURNS[turn++ % TURNS.length]!,
  }));
}

interface Stroke {
  readonly width: number;
  readonly opacity: number;
  readonly dash: readonly number[];
}

const STROKES: Partial<Readonly<Record<Look, Stroke>>> = {
  broad: { width: 6, opacity: 0.4, dash: [] },
  dashed: { width: 2, opacity: 1, dash: [7, 3] },
  dotted: { width: 2, opacity: 1, dash: [2, 3] },
  limit: { width: 1.5, opacity: 0.75, dash: [9, 4] },
};
const PLAIN: Stroke = { width: 2, opacity: 1, dash: [] };

const lineRows = (line: Line, series: number, scale: number): readonly DrawableRow[] =>
  line.pieces.flatMap((piece, index) =>
    piece.map(([atS, value]) => ({
      at: atS * scale,
      value,
      part: `${series}.${index}`,
      colour: line.colour,
      ...(STROKES[line.look] ?? PLAIN),
    })),
  );

/** Stacks the bars of all series, the first series at the bottom. */
function stackRows(
  { bars, binS }: TimeFigure,
  colourOf: (what: string) => Colour,
  scale: number,
): readonly (DrawableRow & { readonly high: number })[] {
  const reached: number[] = [];
  return bars.flatMap(({ what, values }) =>
    values.flatMap((value, bin) => {
      if (value === 0) return [];
      const low = reached[bin] ?? 0;
      const high = (reached[bin] = low + value);
      const from = bin * binS * scale;
      return [{ from, to: from + binS * scale, low, high, colour: colourOf(what) }];
    }),
  );
}

/** Space above the highest line, which the edge of the chart would otherwise cut in half. */
const ROOM_ABOVE = 1.04;

function topOf(stacked: readonly { readonly high: number }[], lines: readonly Line[]): number {
  let top = 0;
  for (const { high } of stacked) top = Math.max(top, high);
  for (const { pieces } of lines)
    for (const piece of pieces)
      for (const [, value] of piece) top = Math.max(top, value * ROOM_ABOVE);
  return top === 0 ? 1 : top;
}

/** One hover area for each bin, with all values at that time. */
function hoverRows(
  figure: TimeFigure | DatedFigure,
  scale: number,
  second: string,
): readonly DrawableRow[] {
  const { untilS, binS, bars, curves, lines, limits, spans, marks } = figure;
  return Array.from({ length: Math.round(untilS / binS) }, (_, bin) => {
    const [fromS, toS] = [bin * binS, (bin + 1) * binS];
    const inBin = (series: Bars | Curve): string => {
      const value = series.values[bin] ?? null;
      return value === null ? "" : `${series.what}: ${formatNumber(value)}`;
    };
    const atEnd = ({ what, at, values }: StepLine): string => {
      const index = at.findLastIndex((atS) => atS < toS);
      return index < 0 ? "" : `${what}: ${formatNumber(values[index]!)}`;
    };
    const tip = [
      "startS" in figure
        ? `${dateText(figure.startS + fromS)} to ${dateText(figure.startS + toS)}`
        : `${formatNumber(fromS * scale)} to ${formatNumber(toS * scale)} ${second}`,
      ...[...bars, ...curves].map(inBin),
      ...[...lines, ...limits].map(atEnd),
      ...spans.filter((span) => span.fromS < toS && span.toS > fromS).map(({ text }) => text),
      ...marks.filter(({ atS }) => atS >= fromS && atS < toS).map(({ text }) => text),
    ];
    return {
      from: fromS * scale,
      to: toS * scale,
      tip: tip.filter((line) => line !== "").join("\n"),
    };
  });
}

const oneEach = (things: readonly { readonly what: string }[]): readonly string[] => [
  ...new Set(things.map(({ what }) => what)),
];

/** A number with thousands separators and at most four significant digits, as on an axis. */
export const formatNumber = (value: number): string => NUMBERS.format(value);
