// A curve chart: what each value of a choice costs, with marks at selected values.
import { colour } from "../colours.ts";
import type { Drawable, Legend } from "../drawable.ts";
import type { CurveFigure } from "../../../lab/report/measured-figures.ts";
import { sizesBetween } from "./rows.ts";

const HEIGHT = 300;
const SMALL_HEIGHT = 190;
const CURVE = colour("refused");

export function curveDrawable(figure: CurveFigure): Drawable {
  const { title, across, up, isLog, isSmall, from, to, top, points, band, references } = figure;
  const own: Legend = [
    ...references.map(({ what, isMain }) => ({
      what,
      colour: colour("limit"),
      look: isMain ? ("line" as const) : ("dotted" as const),
    })),
    ...(band === null
      ? []
      : [{ what: band.what, colour: colour("span-0"), look: "span" as const }]),
  ];
  return {
    kind: isLog ? "curve-log" : "curve",
    title,
    height: isSmall ? SMALL_HEIGHT : HEIGHT,
    isSmall,
    data: {
      band: band === null ? [] : [{ from: band.from, to: band.to, tip: band.what }],
      references: references.map(({ at, what, isMain }) => ({
        at,
        tip: what,
        dash: isMain ? [1, 0] : [2, 3],
      })),
      points: points.map(({ x, y, tip, isMain }) => ({
        x,
        y,
        tip,
        colour: CURVE,
        size: isMain ? 110 : 18,
      })),
    },
    signals: {
      from,
      to,
      top,
      ticks: isLog ? sizesBetween(from, to) : [],
      xTitle: across,
      yTitle: up,
    },
    legend: own,
  };
}
