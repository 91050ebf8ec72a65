import type { Drawable } from "../drawable.ts";
import type { FrontFigure, FrontPoint } from "./figures.ts";
import { formatNumber } from "./rows.ts";

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
        labelAlign: places[index]!.align,
        labelDx: places[index]!.dx,
        labelDy: places[index]!.dy,
        low,
        high,
        what: isOnFront === true ? `${what} *` : what,
        shape: isOnFront === true ? "diamond" : "circle",
        colour: isOnFront === true ? FRONT.colour : BEATEN.colour,
        tip: `${what}${isOnFront === true ? ", on the front" : ""}: ${formatNumber(y)} (${formatNumber(low)} to ${formatNumber(high)}), ${across} ${formatNumber(x)}`,
      })),
    },
    signals: { xTitle: across, yTitle: up },
    // If the front is unknown, all points look alike.
    legend: points.some(({ isOnFront }) => isOnFront === null) ? [] : [FRONT, beaten],
  };
}

const FRONT = { what: "◆ on the front *", colour: "var(--admitted)" };
const BEATEN = { what: "● beaten", colour: "var(--other)" };

interface LabelPlace {
  readonly align: "left" | "right";
  readonly dx: number;
  readonly dy: number;
}

/** Of the plot on a narrow page, in pixels: on a wider one there is more room between the same labels. */
const PLOT = { width: 300, height: 300 };
const LETTER = 6.5;
const LINE = 14;
const OFFSET = 8;
const MARK = 5; // from its middle to its edge

interface Box {
  readonly left: number;
  readonly right: number;
  readonly at: number; // its middle
  readonly least: number; // between this middle and that of a label
}

/**
 * To the right of its point, or to the left where the plot ends; where a label would cover another one or a point, it is
 * higher or lower by as many half lines as it takes.
 */
function placeLabels(points: readonly FrontPoint[]): readonly LabelPlace[] {
  const most = (of: (point: FrontPoint) => number): number => Math.max(...points.map(of)) || 1;
  const [widest, top] = [most(({ x }) => x), most(({ high }) => high)];
  const middle = ({ x, y }: FrontPoint): { readonly x: number; readonly y: number } => ({
    x: (x / widest) * PLOT.width,
    y: PLOT.height - (y / top) * PLOT.height,
  });
  const taken: Box[] = points.map((point) => {
    const { x, y } = middle(point);
    return { left: x - MARK, right: x + MARK, at: y, least: LINE / 2 + MARK };
  });
  const places = new Map<FrontPoint, LabelPlace>();
  for (const point of points.toSorted((a, b) => b.y - a.y || a.x - b.x)) {
    const { x, y } = middle(point);
    const width = (point.what.length + 2) * LETTER;
    const isAtTheEnd = x + OFFSET + width > PLOT.width && x > width;
    const left = isAtTheEnd ? x - OFFSET - width : x + OFFSET;
    const isFree = (dy: number): boolean =>
      taken.every(
        (other) =>
          other.right < left ||
          other.left > left + width ||
          Math.abs(other.at - y - dy) >= other.least,
      );
    let dy = 0;
    for (let step = 1; !isFree(dy); step++)
      dy = (step % 2 === 0 ? -1 : 1) * Math.ceil(step / 2) * (LINE / 2);
    taken.push({ left, right: left + width, at: y + dy, least: LINE });
    places.set(
      point,
      isAtTheEnd ? { align: "right", dx: -OFFSET, dy } : { align: "left", dx: OFFSET, dy },
    );
  }
  return points.map((point) => places.get(point)!);
}
