import type { TimeFigure } from "../model.ts";
import { colourOf, legendOf } from "./colours.ts";
import type { Drawable, Row } from "./drawable.ts";

const HEIGHT = 240;

export function timeDrawable({ title, unit, untilS, binS, ...figure }: TimeFigure): Drawable {
  const inSeconds = untilS >= 2;
  const scale = inSeconds ? 1 : 1_000;
  const at = (atS: number): string => `at ${shown(atS * scale)} ${inSeconds ? "s" : "ms"}`;
  const bars = figure.bars.flatMap(({ what, values }, order) =>
    values.flatMap((value, bin): readonly Row[] => {
      const fromS = bin * binS;
      const from = fromS * scale;
      const tip = `${what}: ${shown(value)} ${unit}, ${at(fromS)}`;
      return value === 0
        ? []
        : [{ from, to: from + binS * scale, value, order, colour: colourOf(what), tip }];
    }),
  );
  const rows = (lines: TimeFigure["lines"]): readonly Row[] =>
    lines.flatMap(({ what, at: times, values }) =>
      values.map((value, index) => ({
        at: times[index]! * scale,
        value,
        what,
        colour: colourOf(what),
        tip: `${what}: ${shown(value)}, ${at(times[index]!)}`,
      })),
    );
  return {
    kind: "time",
    title,
    height: HEIGHT,
    data: {
      bars,
      // Where all demand is admitted two lines are one: the demand is the broader of them.
      broad: rows(figure.lines.filter(isDemand)),
      lines: rows(figure.lines.filter((line) => !isDemand(line))),
      marks: figure.marks.map(({ atS, what }) => ({
        at: atS * scale,
        colour: colourOf(what),
        tip: `${what}, ${at(atS)}`,
      })),
    },
    signals: {
      until: untilS * scale,
      xTitle: inSeconds ? "seconds" : "milliseconds",
      yTitle: unit,
    },
    legend: legendOf([...figure.bars, ...figure.lines, ...figure.marks].map(({ what }) => what)),
  };
}

const isDemand = ({ what }: { readonly what: string }): boolean => what === "offered";

const shown = (value: number): string => String(Number(value.toPrecision(4)));
