import type { Drawable } from "../drawable.ts";
import type { FrontFigure, FrontPoint } from "../../../lab/report/measured-figures.ts";
import { formatNumber } from "./rows.ts";

const HEIGHT = 360;

/** `width` is in pixels and has to be the final width, because the positions of labels depend on it. */
export function frontDrawable(figure: FrontFigure, width: number): Drawable {
  const { title, across, up, weighed, points } = figure;
  const most = (of: (point: FrontPoint) => number): number =>
    1.04 * Math.max(...points.map(of)) || 1;
  const [to, top] = [most(({ x }) => x), most(({ high }) => high)];
  const places = placeLabels(points, [to, top], {
    width: width - AROUND.width,
    height: HEIGHT - AROUND.height,
  });
  const beaten = { ...BEATEN, what: `${BEATEN.what} by ${weighed} together` };
  return {
    kind: "front",
    title,
    height: HEIGHT,
    data: {
      points: points.map(({ what, x, y, low, high, isOnFront }, index) => ({
        x,
        y,
        labelDx: places[index]?.dx ?? 0,
        labelDy: places[index]?.dy ?? 0,
        lineDx: places[index]?.lineDx ?? 0,
        low,
        high,
        what: places[index] === null ? "" : isOnFront === true ? `${what} *` : what,
        shape: isOnFront === true ? "diamond" : "circle",
        colour: isOnFront === true ? FRONT.colour : BEATEN.colour,
        tip: `${what}${isOnFront === true ? ", on the front" : ""}: ${formatNumber(y)} (${formatNumber(low)} to ${formatNumber(high)}), ${across} ${formatNumber(x)}`,
      })),
    },
    signals: { from: 0, to, top, xTitle: across, yTitle: up },
    // If the front is unknown, all points look alike and need no legend.
    legend: points.some(({ isOnFront }) => isOnFront === null) ? [] : [FRONT, beaten],
  };
}

const FRONT = { what: "◆ on the front *", colour: "var(--admitted)" };
const BEATEN = { what: "● beaten", colour: "var(--other)" };

interface LabelPlace {
  readonly dx: number; // from the point to the left end of its label
  readonly dy: number;
  readonly lineDx: number; // from the point to the nearer end of its label
}

/** Pixels that axes and titles take from the chart, and the size of labels. */
const AROUND = { width: 60, height: 44 };
const LETTER = 7;
const LINE = 14;
const OFFSET = 8;
const MARK = 6; // from the middle of a mark to its edge

interface Box {
  readonly left: number;
  readonly right: number;
  readonly at: number; // vertical middle of the box
  readonly least: number; // least distance between this middle and that of a label
}

/**
 * Places a label right of its point, left of it or above, at its height or some half lines higher or lower. A label
 * that would cover other labels or points at each of these places is omitted: the point's tooltip has it.
 */
function placeLabels(
  points: readonly FrontPoint[],
  [to, top]: readonly [number, number],
  plot: { readonly width: number; readonly height: number },
): readonly (LabelPlace | null)[] {
  const middle = ({ x, y }: FrontPoint): { readonly x: number; readonly y: number } => ({
    x: (x / to) * plot.width,
    y: plot.height - (y / top) * plot.height,
  });
  const taken: Box[] = points.map((point) => {
    const { x, y } = middle(point);
    return { left: x - MARK, right: x + MARK, at: y, least: LINE / 2 + MARK };
  });
  const places = new Map<FrontPoint, LabelPlace>();
  for (const point of points.toSorted((a, b) => b.y - a.y || a.x - b.x)) {
    const { x, y } = middle(point);
    const width = (point.what.length + 2) * LETTER;
    const inside = (left: number): number => Math.max(0, Math.min(plot.width - width, left));
    const sides = [x + OFFSET, x - OFFSET - width, x - width / 2];
    const isFree = (left: number, at: number): boolean =>
      at >= LINE / 2 &&
      at <= plot.height - LINE / 2 &&
      taken.every(
        (other) =>
          other.right < left || other.left > left + width || Math.abs(other.at - at) >= other.least,
      );
    for (const dy of STEPS) {
      const left = sides.map(inside).find((side) => isFree(side, y + dy));
      if (left === undefined) continue;
      taken.push({ left, right: left + width, at: y + dy, least: LINE });
      places.set(point, {
        dx: left - x,
        dy,
        lineDx: Math.max(left, Math.min(left + width, x)) - x,
      });
      break;
    }
  }
  return points.map((point) => places.get(point) ?? null);
}

/** Offsets: 0, half a line down, half a line up, a line down, and so on. */
const STEPS = Array.from(
  { length: 2 * Math.ceil(HEIGHT / LINE) },
  (_, step) => (step % 2 === 0 ? -1 : 1) * Math.ceil(step / 2) * (LINE / 2) + 0,
);
