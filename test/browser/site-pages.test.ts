// Pages of the site on narrow and on wide screens, and how soon they are there.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openServed } from "./opened.ts";
import { startSite } from "./site.ts";

const PAGES = [
  "",
  "playground/",
  "algorithms/",
  "algorithms/smoothing.html",
  "implementations/",
  "implementations/spring-cloud-gateway.html",
  "docs/",
  "docs/reference/scenario-format.html",
  "first-steps.html",
];
const WIDTHS = [360, 768, 1280, 2560];

test("no page is wider than its screen, from 360 to 2,560 pixels", async () => {
  const { url } = await startSite();
  const page = await openServed(url, {}, "");
  for (const path of PAGES) {
    await page.goto(`${url}${path}`);
    if (path === "playground/") {
      await page.locator("html[data-ready]").waitFor();
      for (const details of ["#drag", "#moments", "#logs"])
        await page.locator(`${details} > summary`).click();
    }
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect.soft(overflow, `${path} at ${width} px`).toBeLessThanOrEqual(0);
    }
  }
});

test("on a wide screen what is read is in the middle, and no half of it is empty", async () => {
  const { url } = await startSite();
  const page = await openServed(url, { width: 2560 }, "");
  for (const path of ["", "algorithms/smoothing.html", "docs/reference/scenario-format.html"]) {
    await page.goto(`${url}${path}`);
    const [left, right] = await page.evaluate(() => {
      const parts = [...document.querySelectorAll(".home-page, .documents > *")].map((part) =>
        part.getBoundingClientRect(),
      );
      const shown = parts.filter(({ width }) => width > 0);
      return [
        Math.min(...shown.map((part) => part.left)),
        innerWidth - Math.max(...shown.map((part) => part.right)),
      ] as const;
    });
    expect.soft(Math.abs(left - right), path).toBeLessThan(40);
  }
});

/** Pages and badges that others link to. What moves needs a page at its old address, so none may leave the list. */
test("old addresses go on working", async () => {
  const { url } = await startSite();
  const file = join(import.meta.dirname, "../show/site/addresses.txt");
  const addresses = readFileSync(file, "utf8").trimEnd().split("\n");
  expect(addresses.length).toBeGreaterThan(100);
  const folders = addresses.flatMap((path) => path.match(/^(.*\/)index\.html$/)?.[1] ?? []);
  const gone: string[] = [];
  for (const path of [...addresses, ...folders]) {
    const response = await fetch(`${url}${path}`, { method: "GET" });
    if (response.status !== 200 || (await response.text()) === "") gone.push(path);
  }
  expect(gone).toEqual([]);
});

/** Tab by Tab, as a reader without a pointer. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let steps = 0; steps < 80; steps++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
  }
  throw new Error(`no Tab reaches ${selector}`);
}

test("by keyboard alone a reader filters the table, reads a cell and searches on", async () => {
  const { url } = await startSite();
  const page = await openServed(url, {}, "implementations/");
  const rows = page.locator(".limiters tr[data-limiter]:visible");
  const all = await rows.count();
  await tabTo(page, "select[name=group]");
  await page.keyboard.press("ArrowDown");
  const hits = page.locator("output[name=hits]");
  await expect.poll(() => hits.textContent()).toMatch(new RegExp(`^\\d+ of ${all} `));
  expect(await rows.count()).toBeLessThan(all);
  await tabTo(page, "select[name=behaviour]");
  await page.keyboard.press("ArrowDown");
  const behaviour = await page.locator("select[name=behaviour]").inputValue();
  await tabTo(page, ".limiters td a");
  const cell = page.locator(".limiters td a:focus");
  expect(await cell.getAttribute("aria-label")).toContain(`, ${behaviour.replaceAll("-", " ")}: `);
  expect(await cell.evaluate((link) => getComputedStyle(link).outlineStyle)).toBe("solid");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/implementations\/.+\.html#/);
  await page.locator(`[id="${behaviour}"]`).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("sliding log");
  await page.locator("#found a").first().waitFor();
  await page.keyboard.press("ArrowDown");
  const to = await page
    .locator("#found a")
    .first()
    .evaluate((link: HTMLAnchorElement) => link.href);
  await page.keyboard.press("Enter");
  await page.waitForURL(to);
});

const MOST_MS = 500;
const LOADS = 5;

test("the first paint of a page is at most 0.5 s after its address", async () => {
  const { url } = await startSite();
  const page = await openServed(url, {}, "");
  for (const path of [
    "",
    "playground/",
    "algorithms/gcra.html",
    "implementations/",
    "docs/reference/scenario-format.html",
  ]) {
    let least = Number.POSITIVE_INFINITY;
    for (let load = 0; load < LOADS && least > MOST_MS; load++) {
      await page.goto(`${url}${path}`);
      const paintedMs = await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            new PerformanceObserver((list) => {
              const [first] = list.getEntriesByName("first-contentful-paint");
              if (first !== undefined) resolve(first.startTime);
            }).observe({ type: "paint", buffered: true });
          }),
      );
      least = Math.min(least, paintedMs);
    }
    // A busy machine is slow, and no failure: the least of some loads counts.
    expect.soft(least, path).toBeGreaterThan(0);
    expect.soft(least, path).toBeLessThan(MOST_MS);
  }
});
