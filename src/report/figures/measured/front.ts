import type { Drawable } from "../drawable.ts";
import type { FrontFigure } from "./figures.ts";
import { shown } from "./rows.ts";

const HEIGHT = 360;

export function frontDrawable({ title, across, up, points }: FrontFigure): Drawable {
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
        what: isOnFront ? `${what} *` : what,
        shape: isOnFront ? "diamond" : "circle",
        colour: isOnFront ? FRONT.colour : BEATEN.colour,
        tip: `${what}${isOnFront ? ", on the front" : ""}: ${shown(y)} (${shown(low)} to ${shown(high)}), ${across} ${shown(x)}`,
      })),
    },
    signals: { xTitle: across, yTitle: up },
    legend: [FRONT, BEATEN],
  };
}

const FRONT = { what: "◆ on the front *", colour: "var(--admitted)" };
const BEATEN = { what: "● beaten", colour: "var(--other)" };
