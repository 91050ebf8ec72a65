// Response times by percentile. One in ten, one in a hundred and one in a thousand responses have equal distances on
// the axis, so that slow responses are visible.
import type { Drawable } from "../drawable.ts";
import type { PercentilesFigure } from "../../../lab/report/measured-figures.ts";
import { nameOf, formatNumber } from "./rows.ts";

const HEIGHT = 340;

/** The number of colours for lines. Lines also differ in sign; the lines of controls are dashed and grey. */
const COLOURS = 8;
const SIGNS = [
  { sign: "●", shape: "circle" },
  { sign: "■", shape: "square" },
  { sign: "▲", shape: "triangle-up" },
  { sign: "◆", shape: "diamond" },
  { sign: "▼", shape: "triangle-down" },
  { sign: "✚", shape: "cross" },
] as const;

export function percentilesDrawable({ title, unit, lines }: PercentilesFigure): Drawable {
  const styled = lines.map((line, index) => ({
    ...line,
    ...SIGNS[index % SIGNS.length]!,
    what: nameOf(line),
    colour: line.isControl ? "var(--ink-soft)" : `var(--series-${(index % COLOURS) + 1})`,
  }));
  const points = styled.flatMap(({ what, isControl, shape, colour, oneIn, values }) =>
    values.map((value, at) => ({
      at: oneIn[at]!,
      value,
      what,
      colour,
      shape,
      dash: isControl ? "controls" : "cells",
      tip: `${what}: ${percentOf(oneIn[at]!)} within ${formatNumber(value)} ${unit}`,
    })),
  );
  const most = Math.max(10, ...points.map(({ at }) => at));
  const ticks = Array.from({ length: Math.floor(Math.log10(most)) }, (_, at) => 10 ** (at + 1));
  return {
    kind: "percentiles",
    title,
    height: HEIGHT,
    data: { points },
    signals: { from: 1, to: most, ticks: [1, 2, ...ticks], yTitle: unit },
    legend: styled.map(({ sign, what, colour }) => ({ what: `${sign} ${what}`, colour })),
  };
}

/** The percentile of a response time that one response in `oneIn` exceeds. */
const percentOf = (oneIn: number): string => `${Number((100 - 100 / oneIn).toPrecision(8))} %`;
