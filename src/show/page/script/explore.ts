// Reading a chart by pointer, touch and keyboard, and zooming charts over time, all charts of a scenario together.
// The listeners that read values are added when a chart is first used.
import type { Chart } from "./chart.ts";
import { spotsOf } from "./spots.ts";
import { announce, hideTip, showTip } from "./notices.ts";
import { nearer, rangeOf, showRange, type Range } from "./zoom.ts";

type Together = (chart: Chart) => readonly Chart[];

export function explorable(chart: Chart, together: Together): void {
  const { place, figure, ended: signal } = chart;
  let isBegun = false;
  const begin = (): void => {
    if (isBegun) return;
    isBegun = true;
    readable(chart, figure.kind === "time" ? overTime(chart, together) : overSpots(chart));
  };
  place.addEventListener("pointerenter", begin, { signal });
  place.addEventListener("focus", begin, { signal });
  // The chart may have been redrawn while it was in use.
  if (place.matches(":hover, :focus")) begin();
}

/** Reads the values of a chart, by position or step by step. */
interface Reader {
  readonly at: (x: number, y: number) => Reading | null;
  readonly step: (by: 1 | -1) => Reading | null;
  readonly key: (key: string) => boolean;
}

interface Reading {
  readonly words: string;
  readonly x: number; // position in the chart
  readonly y: number;
}

function readable({ place, ended: signal }: Chart, reader: Reader): void {
  const show = (reading: Reading | null): void => {
    if (reading === null) return hideTip();
    const { left, top } = place.getBoundingClientRect();
    showTip(reading.words, left + reading.x - place.scrollLeft, top + reading.y);
  };
  const under = ({ clientX, clientY }: PointerEvent): void => {
    const { left, top } = place.getBoundingClientRect();
    show(reader.at(clientX - left + place.scrollLeft, clientY - top));
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      const reading = reader.step(event.key === "ArrowRight" ? 1 : -1);
      show(reading);
      if (reading !== null) announce(reading.words);
    } else if (event.key === "Escape") hideTip();
    else if (!reader.key(event.key)) return;
    event.preventDefault();
  };
  place.addEventListener("pointermove", under, { signal });
  place.addEventListener("pointerdown", under, { signal });
  place.addEventListener("pointerleave", hideTip, { signal });
  place.addEventListener("blur", hideTip, { signal });
  place.addEventListener("keydown", onKey, { signal });
}

/** A pointer within this distance of a small mark, in pixels, selects the mark. */
const SLACK = 3;

function overSpots({ view, place }: Chart): Reader {
  let current = -1;
  return {
    at(x, y) {
      const spot = spotsOf(view).findLast(
        ({ x1, x2, y1, y2 }) =>
          x >= x1 - SLACK && x <= x2 + SLACK && y >= y1 - SLACK && y <= y2 + SLACK,
      );
      return spot === undefined ? null : { words: spot.words, x, y };
    },
    step(by) {
      const spots = spotsOf(view);
      current = Math.max(0, Math.min(spots.length - 1, current + by));
      const spot = spots[current];
      if (spot === undefined) return null;
      const y = Math.min(spot.y2, (spot.y1 + place.clientHeight) / 2);
      return { words: spot.words, x: (spot.x1 + spot.x2) / 2, y };
    },
    key: () => false,
  };
}

const LEAST_DRAG = 8;

function overTime(chart: Chart, together: Together): Reader {
  const { place, view, ended } = chart;
  const momentAt = (x: number): number =>
    (view.scale("x") as { invert: (x: number) => number }).invert(x - view.origin()[0]);
  const show = (range: Range | null): void => {
    hideTip();
    announce(showRange(together(chart), chart, range));
  };
  const zoom = (by: number, shift: number): void => show(nearer(rangeOf(chart), by, shift, chart));
  const tools = document.createElement("div");
  tools.className = "tools";
  for (const [name, sign, act] of [
    ["Earlier", "‹", () => zoom(1, -0.5)],
    ["Later", "›", () => zoom(1, 0.5)],
    ["Nearer", "+", () => zoom(0.5, 0)],
    ["Farther", "−", () => zoom(2, 0)],
    ["All of the time", "All", () => show(null)],
  ] as const) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = sign;
    button.title = name;
    button.setAttribute("aria-label", name);
    button.addEventListener("click", act);
    tools.append(button);
  }
  place.after(tools);
  ended.addEventListener("abort", () => tools.remove());
  tools.style.top = `${place.offsetTop + place.offsetHeight}px`; // below the chart, so that nothing moves
  onBrush(chart, (from, to) => show([momentAt(from), momentAt(to)]));
  const keys: Readonly<Record<string, () => void>> = {
    "+": () => zoom(0.5, 0),
    "-": () => zoom(2, 0),
    PageDown: () => zoom(1, 0.5),
    PageUp: () => zoom(1, -0.5),
    "0": () => show(null),
  };
  return {
    ...overSpots(chart),
    key(key) {
      const act = keys[key];
      act?.();
      return act !== undefined;
    },
  };
}

/** Calls `then` with the range that the pointer was dragged over, in either direction. */
function onBrush({ place, ended: signal }: Chart, then: (from: number, to: number) => void): void {
  place.style.touchAction = "pan-y";
  const begin = (down: PointerEvent): void => {
    if (down.button !== 0) return;
    const brush = document.createElement("div");
    brush.className = "brush";
    const xOf = ({ clientX }: PointerEvent): number =>
      clientX - place.getBoundingClientRect().left + place.scrollLeft;
    const from = xOf(down);
    const move = (event: PointerEvent): void => {
      const [left, right] = [from, xOf(event)].toSorted((a, b) => a - b) as [number, number];
      if (right - left < LEAST_DRAG) return;
      if (!brush.isConnected) {
        place.append(brush);
        place.setPointerCapture(down.pointerId);
      }
      brush.style.left = `${left}px`;
      brush.style.width = `${right - left}px`;
    };
    const end = (event: PointerEvent): void => {
      place.removeEventListener("pointermove", move);
      place.removeEventListener("pointerup", end);
      place.removeEventListener("pointercancel", end);
      const isDrawn = brush.isConnected;
      brush.remove();
      const [left, right] = [from, xOf(event)].toSorted((a, b) => a - b) as [number, number];
      if (isDrawn && event.type === "pointerup") then(left, right);
    };
    place.addEventListener("pointermove", move, { signal });
    place.addEventListener("pointerup", end, { signal });
    place.addEventListener("pointercancel", end, { signal });
  };
  place.addEventListener("pointerdown", begin, { signal });
}
