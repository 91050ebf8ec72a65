import type { Page } from "playwright-core";

export interface Drawn {
  readonly name: string;
  readonly marks: number; // shapes and words in its drawing
  readonly text: string;
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
          overflow: svg === null ? 0 : svg.getBoundingClientRect().bottom - own.bottom,
        };
      }),
  );

/** Goes down the whole page, as a reader does. */
export async function allDrawn(page: Page): Promise<Drawn[]> {
  await page.evaluate(async () => {
    const waitUntilSettled = (): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          const left = [...document.querySelectorAll(".drawing:not(.drawn):not(.wrong)")].some(
            (place) => {
              const { top, bottom } = place.getBoundingClientRect();
              return place.checkVisibility() && bottom > 0 && top < innerHeight;
            },
          );
          if (left) requestAnimationFrame(look);
          else resolve();
        };
        requestAnimationFrame(() => requestAnimationFrame(look));
      });
    const root = document.scrollingElement!;
    for (let y = 0; y < root.scrollHeight; y += innerHeight * 0.8) {
      root.scrollTop = y;
      await waitUntilSettled();
    }
  });
  return drawings(page);
}
