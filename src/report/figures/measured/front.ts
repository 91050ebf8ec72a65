import type { Drawable } from "../drawable.ts";
import type { FrontFigure, FrontPoint } from "./figures.ts";
import { shown } from "./rows.ts";

const HEIGHT = 360;

export function frontDrawable({ title, across, up, weighed, points }: FrontFigure): Drawable {
  const places = placeLabels(points);
  const beaten = { ...BEATEN, what: `${BEATEN.what} by ${weighed} together` };
  return {
    kind: "front",
    title,
    height: HEIGHT,
    data: {
      points: points.map(({ what, x, y, low, high, isOnFront }, index) => ({
        x,
        y,
        labelDx: places[index]!.dx,
        labelDy: places[index]!.dy,
        low,
        high,
        what: isOnFront === true ? `${what} *` : what,
        shape: isOnFront === true ? "diamond" : "circle",
        colour: isOnFront === true ? FRONT.colour : BEATEN.colour,
        tip: `${what}${isOnFront === true ? ", on the front" : ""}: ${shown(y)} (${shown(low)} to ${shown(high)}), ${across} ${shown(x)}`,
      })),
    },
    signals: { xTitle: across, yTitle: up },
    // Where nobody knows who is beaten, all are alike.
    legend: points.some(({ isOnFront }) => isOnFront === null) ? [] : [FRONT, beaten],
  };
}

const FRONT = { what: "◆ on the front *", colour: "var(--admitted)" };
const BEATEN = { what: "● beaten", colour: "var(--other)" };

interface LabelPlace {
  readonly dx: number;
  readonly dy: number;
}

/** Of the plot, in pixels; a page may be narrower, so labels give way to each other upwards and downwards alone. */
const PLOT = { width: 420, height: 300 };
const LETTER = 7;
const LINE = 14;
const BESIDE = 8;

/** Labels stand to the right of their points, and where two would lie on each other, one line higher or lower. */
export function placeLabels(points: readonly FrontPoint[]): readonly LabelPlace[] {
  const most = (of: (point: FrontPoint) => number): number => Math.max(...points.map(of)) || 1;
  const [right, top] = [most(({ x }) => x), most(({ high }) => high)];
  const placed: { readonly left: number; readonly right: number; readonly at: number }[] = [];
  const places = new Map<FrontPoint, LabelPlace>();
  for (const point of points.toSorted((a, b) => b.y - a.y || a.x - b.x)) {
    const left = (point.x / right) * PLOT.width + BESIDE;
    const width = (point.what.length + 2) * LETTER;
    const at = PLOT.height - (point.y / top) * PLOT.height;
    const isFree = (dy: number): boolean =>
      placed.every(
        (other) =>
          other.right < left || other.left > left + width || Math.abs(other.at - at - dy) >= LINE,
      );
    let dy = 0;
    for (let step = 1; !isFree(dy); step++)
      dy = (step % 2 === 0 ? -1 : 1) * Math.ceil(step / 2) * (LINE / 2);
    placed.push({ left, right: left + width, at: at + dy });
    places.set(point, { dx: BESIDE, dy });
  }
  return points.map((point) => places.get(point)!);
}
