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

/** Goes down the whole page, as a reader does, or to some of its screens. */
export async function allDrawn(page: Page, isWanted: () => boolean = () => true): Promise<Drawn[]> {
  for (let top = 0; top < (await heightOf(page)); top += (await viewOf(page)) * 0.8) {
    if (!isWanted()) continue;
    await page.evaluate((to) => {
      document.scrollingElement!.scrollTop = to;
    }, top);
    await waitUntilDrawn(page);
  }
  return drawings(page);
}

const heightOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.scrollingElement!.scrollHeight);

const viewOf = (page: Page): Promise<number> => page.evaluate(() => innerHeight);

const missingInView = (): string[] =>
  [...document.querySelectorAll<HTMLElement>(".drawing:not(.drawn):not(.wrong)")]
    .filter((place) => {
      const { top, bottom } = place.getBoundingClientRect();
      return place.checkVisibility() && bottom > 0 && top < innerHeight;
    })
    .map((place) => place.dataset["figure"]!);

/** Charts are drawn in frames. This waits by a clock, or a browser that gives no frames would be waited for for ever. */
async function waitUntilDrawn(page: Page): Promise<void> {
  const patience = Date.now() + PATIENCE_MS;
  for (;;) {
    const left = await page.evaluate(missingInView);
    if (left.length === 0) return;
    if (Date.now() > patience) {
      const hasFrames = await page.evaluate(givesFrames);
      const why = hasFrames
        ? "though the browser gives frames"
        : "because the browser gives no frames";
      throw new Error(`not drawn after ${PATIENCE_MS / 1000} s, ${why}: ${left.join(", ")}`);
    }
    await page.waitForTimeout(20);
  }
}

const givesFrames = (): Promise<boolean> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => resolve(true));
    setTimeout(() => resolve(false), 10_000);
  });
