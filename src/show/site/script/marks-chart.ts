// The requests of a run as marks over time, a lane for each flow. A canvas draws ten thousand marks in a frame.
import { MARK_ANSWERS, type RequestMarks } from "../request-marks.ts";

export interface MarksChart {
  readonly load: (marks: RequestMarks) => void;
  /** Draws the requests up to a time, and highlights one of them. */
  readonly show: (us: number, current: number) => void;
  /** Puts rings around requests, by their rows in the history. */
  readonly ring: (rows: readonly number[]) => void;
}

const LANE = 26;
const MOST_LANES = 12;
const MARGIN = 6;
const RADIUS = 2.5;
/** Number of heights in a lane. Successive requests have different heights, so that marks overlap less. */
const LEVELS = 5;
/** A click within this distance of a mark, in pixels, selects the mark. */
const REACH = 10;

/** CSS names of colours, in the order of `MARK_ANSWERS`; each has its own shape too. */
const COLOURS = ["--pass", "--name", "--fail", "--doubt", "--ink-soft"] as const;

type Pen = CanvasRenderingContext2D;

const SHAPES: readonly ((pen: Pen, x: number, y: number) => void)[] = [
  (pen, x, y) => pen.fillRect(x - 1, y - RADIUS, 2, 2 * RADIUS),
  (pen, x, y) => pen.strokeRect(x - RADIUS, y - RADIUS, 2 * RADIUS, 2 * RADIUS),
  (pen, x, y) => {
    pen.beginPath();
    pen.arc(x, y, RADIUS, 0, 2 * Math.PI);
    pen.fill();
  },
  (pen, x, y) => {
    pen.beginPath();
    pen.moveTo(x - RADIUS, y - RADIUS);
    pen.lineTo(x + RADIUS, y + RADIUS);
    pen.moveTo(x - RADIUS, y + RADIUS);
    pen.lineTo(x + RADIUS, y - RADIUS);
    pen.stroke();
  },
  (pen, x, y) => {
    pen.beginPath();
    pen.arc(x, y, RADIUS, 0, 2 * Math.PI);
    pen.stroke();
  },
];

export function marksChart(place: HTMLElement, choose: (index: number) => void): MarksChart {
  const [marked, above] = [...place.querySelectorAll("canvas")] as [
    HTMLCanvasElement,
    HTMLCanvasElement,
  ];
  let marks: RequestMarks | null = null;
  let width = 0;
  let drawn = 0; // number of drawn requests
  let shownUs = 0;
  let current = -1;
  let rings: readonly number[] = []; // indexes of ringed requests
  const [pen, penAbove] = [marked.getContext("2d")!, above.getContext("2d")!];

  const lanes = (): number => Math.min(MOST_LANES, Math.max(1, marks?.flows.length ?? 1));
  const height = (): number => lanes() * LANE + 2 * MARGIN;
  const xOf = (us: number): number =>
    MARGIN + (us / Math.max(1, marks!.endUs)) * (width - 2 * MARGIN);
  const yOf = (index: number): number =>
    MARGIN +
    Math.min(marks!.flow[index]!, lanes() - 1) * LANE +
    ((index % LEVELS) + 0.5) * (LANE / LEVELS);

  function resize(): void {
    width = place.clientWidth;
    for (const [canvas, each] of [
      [marked, pen],
      [above, penAbove],
    ] as const) {
      canvas.width = width * devicePixelRatio;
      canvas.height = height() * devicePixelRatio;
      each.scale(devicePixelRatio, devicePixelRatio);
    }
    place.style.height = `${height()}px`;
    drawn = 0;
  }

  function draw(): void {
    if (marks === null) return;
    const { atUs, answer } = marks;
    if (place.clientWidth !== width) resize();
    if (drawn > 0 && (atUs[drawn - 1]! > shownUs || drawn - 1 > current)) {
      pen.clearRect(0, 0, width, height());
      drawn = 0;
    }
    const style = getComputedStyle(place);
    const colours = COLOURS.map((name) => style.getPropertyValue(name));
    for (; drawn <= current; drawn++) {
      const kind = answer[drawn]!;
      pen.fillStyle = colours[kind]!;
      pen.strokeStyle = colours[kind]!;
      SHAPES[kind]!(pen, xOf(atUs[drawn]!), yOf(drawn));
    }
    penAbove.clearRect(0, 0, width, height());
    penAbove.strokeStyle = style.getPropertyValue("--ink");
    penAbove.fillStyle = penAbove.strokeStyle;
    penAbove.fillRect(xOf(shownUs), 0, 1, height());
    for (const index of rings) circle(index, RADIUS + 1.5);
    if (current >= 0) circle(current, RADIUS + 3);
  }

  function circle(index: number, radius: number): void {
    penAbove.beginPath();
    penAbove.arc(xOf(marks!.atUs[index]!), yOf(index), radius, 0, 2 * Math.PI);
    penAbove.stroke();
  }

  /** The nearest drawn request; -1 if none is near. */
  function nearest(x: number, y: number): number {
    let [best, least] = [-1, REACH * REACH];
    for (let index = 0; index < drawn; index++) {
      const [dx, dy] = [xOf(marks!.atUs[index]!) - x, yOf(index) - y];
      if (dx * dx + dy * dy > least) continue;
      best = index;
      least = dx * dx + dy * dy;
    }
    return best;
  }

  above.addEventListener("click", ({ offsetX, offsetY }) => {
    const index = marks === null ? -1 : nearest(offsetX, offsetY);
    if (index >= 0) choose(index);
  });
  new ResizeObserver(() => {
    if (place.clientWidth !== width) draw();
  }).observe(place);

  return {
    load(shown) {
      marks = shown;
      rings = [];
      resize();
      const keys = MARK_ANSWERS.filter((_, kind) => shown.answer.includes(kind));
      marked.setAttribute(
        "aria-label",
        `Requests over time, a lane for each of ${shown.flows.join(", ")}: ${keys.join(", ")}`,
      );
    },
    show(us, index) {
      shownUs = us;
      if (index !== current) rings = [];
      current = index;
      draw();
    },
    ring(rows) {
      const wanted = new Set(rows);
      rings = [...(marks?.rows.entries() ?? [])].flatMap(([index, row]) =>
        wanted.has(row) ? [index] : [],
      );
      draw();
    },
  };
}
