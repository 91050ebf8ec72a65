// Charts are drawn when they are looked at, a few at a time, and again when there is more room or less.
import type { Templates } from "../../figures/templates.ts";
import type { Figure } from "../../figures/drawable-of.ts";
import { chartIn, type Chart } from "./chart.ts";
import { explorable } from "./explore.ts";
import { movable } from "./limit.ts";

/** The rest of a frame is for scrolling. */
const MOST_A_FRAME = 2;
const SETTLED_MS = 150;

/** The name of the figure whose numbers these are; the page has it once, because it has a thousand of them. */
export const nameOfFigure = (numbers: HTMLElement): string =>
  (numbers.classList.contains("numbers")
    ? numbers.parentElement?.querySelector<HTMLElement>(".drawing")?.dataset["figure"]
    : undefined) ?? "";

export interface Charts {
  /** Draws what is in it, as soon as it becomes visible. */
  readonly lookAt: (part: ParentNode) => void;
  /** Takes what was drawn in it out of memory: it is about to be replaced. */
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

  /** Charts that share their time with this one. */
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

  // All of them, in the layout of a sheet: one that was drawn for a wider window would be scaled down with its letters.
  addEventListener("beforeprint", () => {
    const seen = [...document.querySelectorAll<HTMLElement>(".drawing")].filter(
      (place) => place.closest("[hidden]") === null,
    );
    document.documentElement.classList.add("paper");
    // Asking each for its width would lay out the whole page once for each.
    const widths = seen.map((place) => place.clientWidth);
    for (const [index, place] of seen.entries()) draw(place, widths[index]);
    document.documentElement.classList.remove("paper");
  });
  addEventListener("afterprint", () => {
    for (const place of drawn.keys()) watch.observe(place);
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
