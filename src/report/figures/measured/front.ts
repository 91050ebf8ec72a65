import type { Drawable } from "../drawable.ts";
import type { FrontFigure } from "./figures.ts";
import { shown } from "./rows.ts";

const HEIGHT = 360;

export function frontDrawable({ title, across, up, weighed, points }: FrontFigure): Drawable {
  const beaten = { ...BEATEN, what: `${BEATEN.what} by ${weighed} together` };
  return {
    kind: "front",
    title,
    height: HEIGHT,
    data: {
      points: points.map(({ what, x, y, low, high, isOnFront }) => ({
        x,
        y,
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
