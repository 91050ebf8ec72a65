// The limit that a reader changes on a page about a log: in its field, with arrow keys, or by dragging its line.
// Only the field stores the value.
import { nearestLimit, refusalsAbove } from "../../figures/measured/peaks.ts";
import type { PeaksFigure } from "../../../lab/report/measured-figures.ts";
import { countsHtml } from "../../html/peaks.ts";
import { formatCount, many } from "../../html/parts.ts";
import type { Figure } from "../../figures/drawable-of.ts";
import type { Chart } from "./chart.ts";
import { replaceContents } from "./insert.ts";

const panelOf = (name: string): HTMLElement | null =>
  document.querySelector(`[data-limit="${CSS.escape(name)}"]`);

const fieldOf = (panel: HTMLElement): HTMLInputElement => panel.querySelector("input")!;

/** Updates the counts below each chart when its field changes. */
export function followLimits(figureOf: (name: string) => Figure | undefined): void {
  for (const panel of document.querySelectorAll<HTMLElement>("[data-limit]")) {
    const figure = figureOf(panel.dataset["limit"]!);
    if (figure?.kind !== "peaks") continue;
    const field = fieldOf(panel);
    field.addEventListener("input", () => {
      const limit = limitOf(field, figure);
      if (limit !== null)
        replaceContents(panel.querySelector(".counts")!, countsHtml(figure, limit));
    });
    // When the reader leaves the field, an invalid limit is replaced by the nearest valid one.
    field.addEventListener("change", () => {
      const limit = Math.max(1, Math.min(figure.limits.at(-1)!, Math.floor(Number(field.value))));
      set(field, Number.isNaN(limit) ? figure.start : limit);
    });
  }
}

/** The limit in the field; null while the field has no valid limit. */
function limitOf(field: HTMLInputElement, { limits }: PeaksFigure): number | null {
  const limit = Number(field.value);
  return field.value !== "" && Number.isInteger(limit) && limit >= 1 && limit <= limits.at(-1)!
    ? limit
    : null;
}

function set(field: HTMLInputElement, limit: number): void {
  if (field.value === String(limit)) return;
  field.value = String(limit);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** The factor by which Page Up and Page Down change the limit. */
const FAR = 1.19;

/** Makes the line of a chart movable. A redrawn chart places the line at the value of its field. */
export function movable({ place, view, figure, ended: signal }: Chart): void {
  const panel = panelOf(place.dataset["figure"]!);
  if (panel === null || figure.kind !== "peaks") return;
  const field = fieldOf(panel);
  const handle = document.createElement("div");
  handle.className = "handle";
  handle.tabIndex = 0;
  handle.setAttribute("role", "slider");
  handle.setAttribute("aria-label", `Limit in ${figure.unit} per ${figure.per}`);
  handle.setAttribute("aria-valuemin", "1");
  handle.setAttribute("aria-valuemax", String(figure.limits.at(-1)!));
  place.append(handle);
  const scale = view.scale("x") as ((value: number) => number) & { invert: (x: number) => number };
  const show = (): void => {
    const limit = limitOf(field, figure);
    if (limit === null) return;
    view.signal("line", limit).run();
    handle.style.left = `${view.origin()[0] + scale(limit + 0.5)}px`;
    handle.setAttribute("aria-valuenow", String(limit));
    handle.setAttribute("aria-valuetext", wordsOf(figure, limit));
  };
  const move = (limit: number): void =>
    set(field, Math.max(1, Math.min(figure.limits.at(-1)!, Math.round(limit))));
  field.addEventListener("input", show, { signal });
  const follow = (event: PointerEvent): void => {
    const { left } = place.getBoundingClientRect();
    move(scale.invert(event.clientX - left + place.scrollLeft - view.origin()[0]) - 0.5);
  };
  handle.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    handle.focus();
    handle.setPointerCapture(event.pointerId);
  });
  handle.addEventListener("pointermove", (event) => {
    if (handle.hasPointerCapture(event.pointerId)) follow(event);
  });
  // A tap or click on the chart moves the line to that position.
  place.addEventListener(
    "click",
    (event) => {
      if (event.target !== handle) follow(event);
    },
    { signal },
  );
  handle.addEventListener("keydown", (event) => {
    const limit = limitOf(field, figure) ?? figure.start;
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: limit + 1,
      ArrowUp: limit + 1,
      ArrowLeft: limit - 1,
      ArrowDown: limit - 1,
      PageUp: Math.max(limit + 1, limit * FAR),
      PageDown: Math.min(limit - 1, limit / FAR),
      Home: 1,
      End: figure.limits.at(-1)!,
    };
    const next = steps[event.key];
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation(); // the chart itself uses the same keys
    move(next);
  });
  show();
}

function wordsOf(figure: PeaksFigure, limit: number): string {
  const refused = refusalsAbove(figure, nearestLimit(figure, limit)).map(
    ({ what, requests, clients }) =>
      `${what} refuses ${many(requests, "request")} of ${many(clients, "client")}`,
  );
  return [`${formatCount(limit)} ${figure.unit} per ${figure.per}`, ...refused].join("; ");
}
