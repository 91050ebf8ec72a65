// What of a page is there on paper, where nothing can be opened and browsers leave backgrounds out.
import { expect, test } from "vitest";
import { allDrawn } from "./drawings.ts";
import { open } from "./opened.ts";
import { smallPage } from "./pages.ts";

test("on paper what a colour means is kept, and a page is as light as paper", async () => {
  const page = await open(await smallPage(), { colorScheme: "dark", at: "?scheme=dark" });
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  for (const means of [".key i", ".strip i", ".grid td a.fail", ".requests .bar i", "mark"])
    expect.soft(await styleOf(means, "printColorAdjust"), means).toEqual(["exact"]);
  expect(await styleOf("body", "color")).toEqual(["rgb(28, 36, 48)"]);

  function styleOf(which: string, property: "printColorAdjust" | "color"): Promise<string[]> {
    return page
      .locator(which)
      .evaluateAll(
        (all, name) => [...new Set(all.map((each) => getComputedStyle(each)[name]))],
        property,
      );
  }
});

test("on paper a heading stays with what it heads, and neither a row nor a chart is torn", async () => {
  const page = await open(await smallPage());
  await page.emulateMedia({ media: "print" });
  const others = (which: string, property: "breakAfter" | "breakInside"): Promise<string[]> =>
    page
      .locator(which)
      .evaluateAll(
        (all, name) =>
          all
            .filter((each) => getComputedStyle(each)[name] !== "avoid")
            .map(({ outerHTML }) => outerHTML.slice(0, 80)),
        property,
      );
  expect(await others("h1, h2, h3, .head, figcaption", "breakAfter")).toEqual([]);
  expect(await others("tr, figure, .verdict", "breakInside")).toEqual([]);
});

test("on paper the world of what does not pass is open, and of all else is not", async () => {
  const page = await open(await smallPage());
  await page.emulateMedia({ media: "print" });
  const isShown = (scenario: string): Promise<boolean> =>
    page
      .locator(`#s-${scenario} > .words li`)
      .first()
      .evaluate((line) => line.checkVisibility({ contentVisibilityAuto: true }));
  expect(await isShown("limits_four-is-wrong")).toBe(true);
  expect(await isShown("limits_nobody-comes")).toBe(true);
  expect(await isShown("limits_five-at-once")).toBe(false);
});

test("on paper a chart that was drawn for a wider window is shown whole", async () => {
  const page = await open(await smallPage());
  await allDrawn(page);
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: 700, height: 900 });
  // Found and measured in one step: a chart that is drawn again meanwhile is another element.
  const cut = await page.evaluate(
    () =>
      [...document.querySelectorAll(".drawing.drawn > svg")].filter((svg) => {
        const place = svg.parentElement!.getBoundingClientRect();
        return svg.getBoundingClientRect().right > place.right + 1;
      }).length,
  );
  expect(cut).toBe(0);
});

test("charts are drawn for paper before it is printed, and for the window afterwards", async () => {
  const page = await open(await smallPage(), { width: 1900 });
  await allDrawn(page);
  const inWindow = await widths();
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: 768, height: 900 });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  const onPaper = await widths();
  // With letters of their own size, and small ones as wide as each other.
  expect(onPaper.filter(({ shown, drawn }) => shown < drawn - 2)).toEqual([]);
  const small = onPaper.filter(({ perRow }) => perRow === 3).map(({ shown }) => shown);
  expect(small.length).toBeGreaterThan(2);
  expect(Math.max(...small) - Math.min(...small)).toBeLessThan(2);
  await page.emulateMedia({ media: "screen" });
  await page.setViewportSize({ width: 1900, height: 900 });
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  // The others follow when they are seen.
  await page.locator(".drawing").first().scrollIntoViewIfNeeded();
  await expect.poll(async () => (await widths())[0]).toEqual(inWindow[0]);

  function widths() {
    return page.evaluate(() =>
      [...document.querySelectorAll<SVGElement>(".drawing.drawn > svg")].map((svg) => ({
        shown: Math.round(svg.getBoundingClientRect().width),
        drawn: Number(svg.getAttribute("width")),
        perRow: svg.closest("figure.small")?.parentElement?.querySelectorAll(".small").length ?? 1,
      })),
    );
  }
});
