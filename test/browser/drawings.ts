import type { Page } from "playwright-core";
import { PATIENCE_MS } from "./opened.ts";

export interface Drawn {
  readonly name: string;
  readonly marks: number; // shapes and words in its drawing
  readonly text: string;
  readonly isWaiting: boolean; // until it is in view
  readonly overflow: number; // pixels by which it is larger than its place
}

export const drawings = (page: Page): Promise<Drawn[]> =>
  page.locator(".drawing").evaluateAll((places) =>
    places
      .filter((place) => place.checkVisibility())
      .map((place) => {
        const svg = place.querySelector("svg");
        const own = place.getBoundingClientRect();
        return {
          name: (place as HTMLElement).dataset["figure"]!,
          marks: svg?.querySelectorAll("path, text, line, rect").length ?? 0,
          text: place.textContent,
          isWaiting: !place.matches(".drawn, .wrong"),
          overflow: svg === null ? 0 : svg.getBoundingClientRect().bottom - own.bottom,
        };
      }),
  );

/** Drawings that are missing, empty or larger than their places. */
export function faultsOf(drawn: readonly Drawn[], atLeast = 11): readonly string[] {
  const faults = drawn.flatMap(({ name, marks, text, overflow }) => [
    ...(text.includes("could not be drawn") ? [`${name}: ${text}`] : []),
    ...(marks > 2 ? [] : [`${name} has ${marks} marks`]),
    ...(overflow > 1 ? [`${name} is ${overflow} pixels larger than its place`] : []),
  ]);
  return drawn.length < atLeast ? [`${drawn.length} drawings`, ...faults] : faults;
}

/** Goes down the whole page, as a reader does, or to some of its screens. */
export async function allDrawn(page: Page, isWanted: () => boolean = () => true): Promise<Drawn[]> {
  let screen = await page.evaluate(showScreen, { top: null, patienceMs: 0 });
  for (let top = 0; top < screen.height; top += screen.view * 0.8) {
    if (!isWanted()) continue;
    screen = await page.evaluate(showScreen, { top, patienceMs: PATIENCE_MS });
    if (screen.left.length > 0) throw new Error(await whyLeft(page, screen.left));
  }
  return drawings(page);
}

interface Screen {
  readonly height: number; // of the whole page
  readonly view: number;
  readonly left: readonly string[]; // in view, and not drawn
}

/**
 * In the page: scrolls there, and waits until what is in view is drawn. Charts are drawn in frames. This waits by a
 * clock, or a browser that gives no frames would be waited for for ever.
 */
async function showScreen({
  top,
  patienceMs,
}: {
  readonly top: number | null; // null: it stays where it is, and waits for nothing
  readonly patienceMs: number;
}): Promise<Screen> {
  const missingInView = (): readonly string[] =>
    [...document.querySelectorAll<HTMLElement>(".drawing:not(.drawn):not(.wrong)")]
      .filter((place) => {
        const { top: upper, bottom } = place.getBoundingClientRect();
        return place.checkVisibility() && bottom > 0 && upper < innerHeight;
      })
      .map((place) => place.dataset["figure"]!);
  const scrolled = document.scrollingElement!;
  if (top !== null) scrolled.scrollTop = top;
  let left = top === null ? [] : missingInView();
  for (const until = Date.now() + patienceMs; left.length > 0 && Date.now() < until;) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    left = missingInView();
  }
  return { height: scrolled.scrollHeight, view: innerHeight, left };
}

async function whyLeft(page: Page, left: readonly string[]): Promise<string> {
  const hasFrames = await page.evaluate(givesFrames);
  const why = hasFrames ? "though the browser gives frames" : "because the browser gives no frames";
  return `not drawn after ${PATIENCE_MS / 1000} s, ${why}: ${left.join(", ")}`;
}

const givesFrames = (): Promise<boolean> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => resolve(true));
    setTimeout(() => resolve(false), 10_000);
  });
