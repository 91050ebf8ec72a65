// Draws charts when they become visible, a few per frame, and again when their width changes.
import type { Templates } from "../../figures/templates.ts";
import type { Figure } from "../../figures/drawable-of.ts";
import { chartIn, type Chart } from "./chart.ts";
import { explorable } from "./explore.ts";
import { movable } from "./limit.ts";
import { showNotice } from "./notices.ts";
import { chartSvg } from "./save.ts";
import { saveImage, type ImageType } from "./save-image.ts";

/** The maximum number of charts drawn in a frame, so that scrolling stays smooth. */
const MOST_A_FRAME = 2;
const SETTLED_MS = 150;

/** The name of the figure that a table of numbers shows: to save space, only the chart's element has the name. */
export const nameOfFigure = (numbers: HTMLElement): string =>
  (numbers.classList.contains("numbers")
    ? numbers.parentElement?.querySelector<HTMLElement>(".drawing")?.dataset["figure"]
    : undefined) ?? "";

export interface Charts {
  /** Draws the charts of a part as soon as they become visible. */
  readonly lookAt: (part: ParentNode) => void;
  /** Releases the charts of a part that is about to be replaced. */
  readonly leave: (part: ParentNode) => void;
}

export function charts(
  figureOf: (name: string) => Figure | undefined,
  templates: Templates,
): Charts {
  const drawn = new Map<Element, Chart>();
  const waiting = new Set<HTMLElement>();
  let isDue = false;

  function draw(place: HTMLElement, width = place.clientWidth): void {
    waiting.delete(place);
    watch.unobserve(place);
    drawn.get(place)?.end();
    drawn.delete(place);
    const chart = chartIn(place, figureOf(place.dataset["figure"]!), templates, width);
    if (chart === null) return;
    drawn.set(place, chart);
    explorable(chart, others);
    movable(chart);
  }

  /** Charts that zoom together with this one. */
  const others = ({ place }: Chart): readonly Chart[] => {
    const scenario = place.closest("section");
    return [...drawn.values()].filter((other) => other.place.closest("section") === scenario);
  };

  function drawSome(): void {
    isDue = false;
    for (const place of [...waiting].slice(0, MOST_A_FRAME)) draw(place);
    schedule();
  }

  function schedule(): void {
    if (isDue || waiting.size === 0) return;
    isDue = true;
    requestAnimationFrame(drawSome);
  }

  const watch = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries)
        if (isIntersecting) waiting.add(target as HTMLElement);
        else waiting.delete(target as HTMLElement);
      schedule();
    },
    { rootMargin: "300px" },
  );

  let settling = 0;
  let width = document.documentElement.clientWidth;
  addEventListener("resize", () => {
    clearTimeout(settling);
    settling = setTimeout(() => {
      if (document.documentElement.clientWidth === width) return;
      width = document.documentElement.clientWidth;
      for (const place of drawn.keys()) watch.observe(place);
    }, SETTLED_MS);
  });

  // Redraws all charts for the width of paper: a wider chart would be scaled down with its text.
  addEventListener("beforeprint", () => {
    const seen = [...document.querySelectorAll<HTMLElement>(".drawing")].filter(
      (place) => place.closest("[hidden]") === null,
    );
    document.documentElement.classList.add("paper");
    // Reads all widths before any drawing, because each read after a change would lay out the whole page again.
    const widths = seen.map((place) => place.clientWidth);
    for (const [index, place] of seen.entries()) draw(place, widths[index]);
    document.documentElement.classList.remove("paper");
  });
  addEventListener("afterprint", () => {
    for (const place of drawn.keys()) watch.observe(place);
  });

  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>("[data-save]") : null;
    const place = button?.closest("figure")?.querySelector(".drawing");
    const chart = place && drawn.get(place);
    if (!chart) return;
    chartSvg(chart, templates)
      .then((svg) => saveImage(svg, chart.figure.title, button!.dataset["save"] as ImageType))
      .catch((error: Error) => showNotice(`The chart cannot be saved: ${error.message}.`));
  });

  return {
    lookAt(part) {
      for (const place of part.querySelectorAll(".drawing")) watch.observe(place);
    },
    leave(part) {
      for (const place of part.querySelectorAll<HTMLElement>(".drawing")) {
        watch.unobserve(place);
        waiting.delete(place);
        drawn.get(place)?.end();
        drawn.delete(place);
      }
    },
  };
}
