// One chart in its place: drawn by Vega, or the reason why it could not be drawn.
import { Error as ERRORS, logger, parse, View, type Spec } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { bound } from "../../figures/bound.ts";
import type { Drawable } from "../../figures/drawable.ts";
import { drawableOf } from "../../figures/drawable-of.ts";
import type { Templates } from "../../figures/templates.ts";
import type { Figure } from "../../figures/drawable-of.ts";
import { hideTip } from "./notices.ts";

export interface Chart {
  readonly place: HTMLElement;
  readonly figure: Figure;
  readonly drawable: Drawable;
  readonly view: View;
  readonly width: number;
  /** Aborted when the chart is removed: the abort removes its event listeners and buttons. */
  readonly ended: AbortSignal;
  readonly end: () => void;
}

/** Minimum width of a chart in pixels: a narrower axis is illegible. A narrower element scrolls. */
const LEAST_WIDTH = 180;

/** Draws a chart. Null if it could not be drawn; its place then shows the reason. */
export function chartIn(
  place: HTMLElement,
  figure: Figure | undefined,
  templates: Templates,
  width: number,
): Chart | null {
  try {
    if (figure === undefined) throw new Error("the page has no data for it");
    const drawnWidth = Math.max(LEAST_WIDTH, width);
    const drawable = drawableOf(figure, drawnWidth);
    const spec: Spec = bound(templates[drawable.kind], drawable, drawnWidth);
    const problems = logger(ERRORS);
    problems.error = (...words) => {
      refuse(place, words.map(wordsOf).join(" "));
      return problems;
    };
    place.replaceChildren();
    place.classList.add("drawn");
    const view = new View(parse(spec, {}, { ast: true }), {
      expr: expressionInterpreter,
      renderer: "svg",
      container: place,
      logger: problems,
      tooltip: () => hideTip(), // the page has its own tooltip, which a keyboard can reach
    });
    view.runAsync().catch((error: unknown) => refuse(place, wordsOf(error)));
    // Screen readers read the place, not each line of the chart.
    place.querySelector("svg")?.setAttribute("aria-hidden", "true");
    place.tabIndex = 0;
    place.setAttribute("role", "group");
    place.setAttribute("aria-roledescription", "chart");
    place.setAttribute("aria-label", `${drawable.title}. Arrow keys read its values.`);
    const life = new AbortController();
    const end = (): void => {
      life.abort();
      view.finalize();
    };
    return { place, figure, drawable, view, width, ended: life.signal, end };
  } catch (error) {
    refuse(place, wordsOf(error));
    return null;
  }
}

const wordsOf = (problem: unknown): string =>
  problem instanceof Error ? problem.message : String(problem);

/** Replaces the chart by the reason, because half a chart would look complete. */
function refuse(place: HTMLElement, why: string): void {
  place.replaceChildren();
  place.classList.add("wrong");
  place.removeAttribute("tabindex");
  place.textContent = `This chart could not be drawn: ${why}`;
}
