// The pages of weir replay, weir recommend and weir try, as a reader opens them.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { cut, oneLine } from "#src/kit/reading/legible.ts";
import type { ReplayResult } from "#src/studies/replay/result.ts";
import { seriousIn } from "./axe.ts";
import { allDrawn, faultsOf } from "./drawings.ts";
import { open } from "./opened.ts";
import {
  FIELD,
  HOSTILE_KEYS,
  pageOfRecommendation,
  pageOfReplay,
  pageOfTry,
  replayAt,
} from "./log-pages.ts";

const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });

/** Within the margins that browsers have by default. */
const A4 = { width: 717, height: 1046 };

/** How much of tables with the names of candidates can only be scrolled to. */
const hiddenOf = async (page: Page): Promise<number> => {
  const widths = await page
    .locator(".scroll:has(.two-names)")
    .evaluateAll((all) => all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
  return Math.max(...widths);
};

/** No name becomes markup, turns the text around or fills the page. */
async function expectHarmless(page: Page): Promise<void> {
  for (const summary of await page.locator("main summary").all()) await summary.click();
  const { scripts, others, text, hasRun } = await page.evaluate(() => ({
    scripts: document.querySelectorAll("script").length,
    others: document.querySelectorAll("img, iframe, object, link:not([rel=icon]), b[title]").length,
    text: [document.body, ...document.querySelectorAll("svg text")]
      .map((each) => each.textContent)
      .join("\n"),
    hasRun: "hostile" in globalThis,
  }));
  expect({ scripts, others, hasRun }).toEqual({ scripts: 3, others: 0, hasRun: false });
  for (const key of HOSTILE_KEYS) expect(text).toContain(cut(oneLine(key)));
  const signs = ["\u0001", "\u001B", "\u202E", "\u2066"];
  expect(signs.filter((sign) => text.includes(sign))).toEqual([]);
  expect(text).not.toContain("a".repeat(61));
}

/** Words of a drawing that leave it: its parent cuts them. Names of clients are cut on purpose, by their own width. */
const cutWords = (page: Page): Promise<readonly string[]> =>
  page.locator(".drawing.drawn > svg").evaluateAll((drawings) =>
    drawings.flatMap((svg) => {
      const room = svg.getBoundingClientRect();
      return [...svg.querySelectorAll("text")]
        .filter((text) => {
          const { left, right } = text.getBoundingClientRect();
          return text.textContent !== "" && (left < room.left - 1 || right > room.right + 1);
        })
        .map((text) => text.textContent);
    }),
  );

test.each([
  ["replay", pageOfReplay, 19, expectHarmless],
  ["recommend", pageOfRecommendation, 15, null],
  ["try", pageOfTry, 10, null],
] as const)(
  "every chart of the page of weir %s is drawn with all of its words, from small to large, and read in both schemes",
  async (_, pageOf, charts, expectMore) => {
    const page = await open(await pageOf(), { colorScheme: "light", width: 360, bypassCSP: true });
    expect(faultsOf(await allDrawn(page), charts)).toEqual([]);
    expect(await cutWords(page)).toEqual([]);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    expect(await hiddenOf(page)).toBeLessThanOrEqual(0);
    expect(await seriousIn(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await seriousIn(page, ["color-contrast"])).toEqual([]);
    await page.setViewportSize({ width: 2560, height: 1200 });
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    await page.emulateMedia({ media: "print" });
    await page.setViewportSize(A4);
    expect(await hiddenOf(page)).toBeLessThanOrEqual(0);
    await page.emulateMedia({ media: "screen" });
    await expectMore?.(page);
  },
);

/** A limit as the line and the field have it, and the numbers of each algorithm. */
const readPanel = (page: Page) =>
  page.evaluate((selector) => {
    const panel = document.querySelector(selector)!;
    const handle = panel.closest("section")!.querySelector(".handle")!;
    return {
      line: Number(handle.getAttribute("aria-valuenow")),
      field: Number(panel.querySelector("input")!.value),
      rows: [...panel.querySelectorAll("tbody tr")].map((row) =>
        [...row.querySelectorAll("td")].map((cell) => cell.textContent),
      ),
    };
  }, FIELD);

function rowsOf(result: ReplayResult, rate: number): readonly (readonly string[])[] {
  const thousands = (count: number): string => count.toLocaleString("en-US");
  const between = (counts: readonly number[]): string => {
    const [least, most] = [Math.min(...counts), Math.max(...counts)];
    return least === most ? thousands(least) : `${thousands(least)} to ${thousands(most)}`;
  };
  return ["sliding_log", "fixed_window"].map((algorithm) => {
    const found = result.candidates.find(
      (each) => each.rate === rate && each.algorithm === algorithm,
    )!;
    return [
      algorithm,
      thousands(found.refused),
      between(found.placements.map(({ refused }) => refused)),
      thousands(found.refusedClients),
      between(found.placements.map(({ refusedClients }) => refusedClients)),
    ];
  });
}

test("a limit is moved by keys, a field, a pointer and a finger, and has the counts of a replay", async () => {
  const page = await open(await pageOfReplay(), { hasTouch: true });
  const handle = page.getByRole("slider").first();
  await page.locator(FIELD).scrollIntoViewIfNeeded();
  await expect.poll(() => handle.count()).toBe(1);
  const seen: number[] = [];
  const see = async (moved: (limit: number) => boolean): Promise<void> => {
    const { line, field, rows } = await readPanel(page);
    expect(line).toBe(field);
    expect(moved(line), `${line}`).toBe(true);
    seen.push(line);
    shown.set(line, rows);
  };
  const shown = new Map<number, readonly (readonly string[])[]>();
  await see((limit) => limit === 30);
  await handle.press("ArrowRight");
  await see((limit) => limit === 31);
  await handle.press("PageDown");
  await see((limit) => limit < 28 && limit > 20);
  await handle.press("Home");
  await see((limit) => limit === 1);
  const input = page.locator(`${FIELD} input`);
  await input.fill("47");
  await see((limit) => limit === 47);
  await input.fill("0");
  await input.blur();
  await see((limit) => limit === 1);
  await input.fill("60");
  const { x, y, width, height } = (await handle.boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x - 100, y + height / 2, { steps: 3 });
  await page.mouse.up();
  await see((limit) => limit < 60 && limit > 5);
  const dragged = seen.at(-1)!;
  await page.touchscreen.tap(x - 250, y + height / 2);
  await see((limit) => limit < dragged);
  const result = await replayAt([...new Set(seen)]);
  for (const [limit, rows] of shown) {
    const counts = rows.map((row) => [0, 1, 2, 4, 5].map((column) => row[column]));
    expect(counts, `${limit}`).toEqual(rowsOf(result, limit));
  }
});
