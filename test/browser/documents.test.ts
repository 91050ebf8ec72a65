// The documentation in a browser: it is found, read on a small screen and in both schemes, and without a script.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { seriousIn } from "./axe.ts";
import { openServed } from "./opened.ts";
import { startSite } from "./site.ts";

const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test("the search finds words of all pages, by keyboard alone", async () => {
  const { url } = await startSite();
  const page = await openServed(url, {}, "docs/");
  await page.keyboard.press("/");
  await page.keyboard.type("power loss");
  const first = page.locator("#found a").first();
  await first.waitFor();
  expect((await page.locator("#found a").allTextContents()).join("\n")).toContain("Reliability");
  await page.keyboard.press("ArrowDown");
  expect(await first.evaluate((link) => link === document.activeElement)).toBe(true);
  const to = await first.evaluate((link: HTMLAnchorElement) => link.href);
  await page.keyboard.press("Enter");
  await page.waitForURL(to);
  await page.locator(`[id="${decodeURIComponent(new URL(to).hash.slice(1))}"]`).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("qqqqqqqqq");
  await page.locator("#found", { hasText: "Nothing was found." }).waitFor();
  await page.keyboard.press("Escape");
  expect(await page.locator("#found").isVisible()).toBe(false);
});

test("pages fit a small screen and are read in both schemes", async () => {
  const { url } = await startSite();
  const look = { width: 360, colorScheme: "light", bypassCSP: true } as const;
  const page = await openServed(url, look, "");
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  for (const path of [
    "docs/",
    "docs/answer/semantics.html",
    "docs/answer/replay.html",
    "contributing.html",
  ]) {
    await page.goto(`${url}${path}`);
    expect.soft(await overflowOf(page), path).toBeLessThanOrEqual(0);
  }
  await page.goto(`${url}docs/answer/semantics.html`);
  expect(await seriousIn(page)).toEqual([]);
  // The button of the page, not the system.
  await page.locator("button.scheme").click();
  expect(await seriousIn(page, ["color-contrast"])).toEqual([]);
  await page.goto(`${url}docs/`);
  expect(await page.locator("html").getAttribute("data-scheme")).toBe("dark");
  expect(await seriousIn(page)).toEqual([]);
});

test("an address from before pages had folders leads to its page and its heading", async () => {
  const { url } = await startSite();
  const page = await openServed(url, {}, "docs/");
  for (const [old, to] of [
    ["tutorial.html", "start/tutorial.html"],
    ["benchmarking.html#the-suites", "inside/single-parts.html#the-suites"],
    ["scenario-format.html#no-such-heading", "reference/scenario-format.html"],
  ] as const) {
    await page.goto(`${url}docs/${old}`);
    await expect.poll(() => page.url()).toBe(`${url}docs/${to}`);
  }
});

test("a scenario of a page runs in the playground", async () => {
  const { url } = await startSite();
  const page = await openServed(url, {}, "docs/reference/scenario-format.html");
  await page.locator(".run a").first().click();
  await expect.poll(() => page.locator("#state").textContent()).toMatch(/^\d+ variants? ran/);
});

test("without a script everything is there to be read, and nothing that needs one", async () => {
  const { url } = await startSite();
  const page = await openServed(url, { javaScriptEnabled: false }, "docs/answer/semantics.html");
  expect(await page.locator("article h2").count()).toBeGreaterThan(3);
  expect(await page.locator("#search").isVisible()).toBe(false);
  await page.locator(".all-pages summary").waitFor({ state: "attached" });
  await page.goto(`${url}playground/`);
  expect(await page.locator("noscript").innerText()).toMatch(/which needs JavaScript/);
});

test("on paper nothing is cut off, and nothing is there that only a screen needs", async () => {
  const { url } = await startSite();
  const page = await openServed(url, { width: 700 }, "");
  await page.emulateMedia({ media: "print" });
  for (const path of [
    "docs/answer/semantics.html",
    "implementations/",
    "algorithms/smoothing.html",
  ]) {
    await page.goto(`${url}${path}`);
    const cut = await page.locator("pre, .scroll").evaluateAll((all) =>
      all
        .filter((each) => each.checkVisibility())
        .filter((each) => {
          const { overflow, maxHeight } = getComputedStyle(each);
          const isHigher = maxHeight !== "none" && each.scrollHeight > each.clientHeight + 1;
          return isHigher || (overflow !== "visible" && each.scrollWidth > each.clientWidth + 1);
        })
        .map((each) => each.textContent.slice(0, 80)),
    );
    expect.soft(cut, path).toEqual([]);
    expect.soft(await page.locator("form:visible, input:visible").count(), path).toBe(0);
  }
});
