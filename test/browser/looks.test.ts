import { expect, test } from "vitest";
import { overhangOf, seriousIn } from "./axe.ts";
import { allDrawn, faultsOf } from "./drawings.ts";
import { open } from "./opened.ts";
import { smallPage } from "./pages.ts";
import { differenceTo } from "./pictures.ts";

/** The least share of different pixels that a chart causes; letters alone cause less. */
const OTHER = 0.005;

test.for([360, 1280])(
  "at %i pixels axe-core has nothing serious against it, in both schemes",
  async (width) => {
    // The page's own policy lets no other script in.
    const page = await open(await smallPage(), {
      width,
      bypassCSP: true,
      at: "s-limits_four-is-wrong",
    });
    await page.locator("#s-limits_four-is-wrong .drawing").first().scrollIntoViewIfNeeded();
    await page.locator("#s-limits_four-is-wrong .drawing.drawn").first().waitFor();
    await page.locator("#s-limits_four-is-wrong details.refusals > summary").click();
    await page.locator("#s-limits_four-is-wrong details.refusal > summary").first().click();
    expect(await seriousIn(page)).toEqual([]);
    // Nothing but its colours is another.
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await seriousIn(page, ["color-contrast"])).toEqual([]);
  },
);

/** In the page: how far its parts move on their own. */
function recordShifts(): void {
  const shifts: number[] = [];
  Object.assign(globalThis, { shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      shifts.push((entry as unknown as { value: number }).value);
  }).observe({ type: "layout-shift", buffered: true });
}

test.for([360, 768, 1280, 2560])(
  "at %i pixels every chart is drawn when it becomes visible, and nothing exceeds the width",
  async (width) => {
    const isUsual = width === 1280;
    const page = await open(await smallPage(), {
      width,
      ...(isUsual ? { before: recordShifts } : {}),
    });
    expect(faultsOf(await allDrawn(page))).toEqual([]);
    // Nothing moves while charts are drawn.
    const shifts = await page.evaluate(
      () => (globalThis as unknown as { shifts?: number[] }).shifts ?? [],
    );
    expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.02);
    for (const summary of await page.locator("#s-limits_sly-names summary").all())
      await summary.click();
    await page.locator("#s-limits_five-at-once details.variants summary").click();
    expect(await overhangOf(page)).toBeLessThanOrEqual(0);
  },
);

test("on a wide screen two charts share a row, and one alone has all of it", async () => {
  const page = await open(await smallPage(), { width: 2560, at: "s-smoothing_climbs" });
  const lefts = (scenario: string): Promise<number[]> =>
    page
      .locator(`#s-${scenario} .variant .figures > figure:not(.small)`)
      .evaluateAll((all) => all.map((figure) => figure.getBoundingClientRect().left));
  const [first, second] = await lefts("smoothing_climbs");
  expect(second! - first!).toBeGreaterThan(800);
  const [alone, ...others] = await page
    .locator("#s-limits_five-at-once .variant .figures")
    .evaluate((figures) => [...figures.children].map(({ clientWidth }) => clientWidth));
  expect(others).toEqual([]);
  expect(alone).toBeGreaterThan(1600);
});

test.for([1280, 2560])(
  "at %i pixels charts fill their rows, and small ones have one width",
  async (width) => {
    const page = await open(await smallPage(), { width });
    const all = await page.locator(".figures").evaluateAll((groups) =>
      groups.map((figures) => {
        const edge = figures.getBoundingClientRect().right;
        const each = [...figures.children].map((figure) => figure.getBoundingClientRect());
        const rights = each.map(({ right }) => right);
        const areSmall = figures.querySelector("figure:not(.small)") === null;
        return {
          // All rows but the last one of small charts.
          free: Math.abs(edge - (areSmall ? Math.max(...rights) : rights.at(-1)!)),
          widths: areSmall ? each.map((box) => box.width) : [0],
        };
      }),
    );
    expect(all.length).toBeGreaterThan(3);
    expect(Math.max(...all.map(({ free }) => free))).toBeLessThan(2);
    for (const { widths } of all)
      expect.soft(Math.max(...widths) - Math.min(...widths)).toBeLessThan(2);
  },
);

test("on a small screen the observed is visible with the expected", async () => {
  const page = await open(await smallPage(), { width: 360, at: "s-limits_five-at-once" });
  const rows = page.locator("#s-limits_five-at-once .verdicts");
  await rows.waitFor();
  const hidden = await rows.evaluate(
    (table) => table.scrollWidth - table.closest(".scroll")!.clientWidth,
  );
  expect(hidden).toBeLessThanOrEqual(0);
  const heads = await rows
    .locator("tbody td")
    .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell, "::before").content));
  expect(heads).toEqual(["none", "none", '"expected"', '"observed"', '"examined"']);
});

test.for([
  ["top-light", { colorScheme: "light" }],
  ["top-dark", { colorScheme: "dark" }],
  ["top-small", { colorScheme: "light", width: 360 }],
  ["smoothing", { colorScheme: "light", at: "s-smoothing_climbs" }],
] as const)("%s looks as it did", async ([name, look]) => {
  const page = await open(await smallPage(), { height: 800, ...look });
  await page.locator("#unfinished").waitFor({ state: "detached" });
  await page.waitForFunction(() =>
    [...document.querySelectorAll(".drawing")].every((place) => {
      const { top, bottom } = place.getBoundingClientRect();
      return bottom < 0 || top > innerHeight || place.classList.contains("drawn");
    }),
  );
  expect(differenceTo(name, await page.screenshot())).toBeLessThan(OTHER);
});

test("an image without its chart, or in other colours, differs", async () => {
  const page = await open(await smallPage(), { height: 800, at: "s-smoothing_climbs" });
  await page.locator("#s-smoothing_climbs .drawing.drawn").first().waitFor();
  await page
    .locator("#s-smoothing_climbs .drawing.drawn")
    .first()
    .evaluate((place) => place.replaceChildren());
  expect(differenceTo("smoothing", await page.screenshot(), { isKept: false })).toBeGreaterThan(
    OTHER,
  );
  const dark = await open(await smallPage(), { height: 800, colorScheme: "dark" });
  await dark.locator(".drawing.drawn").first().waitFor();
  expect(differenceTo("top-light", await dark.screenshot(), { isKept: false })).toBeGreaterThan(
    0.5,
  );
});
