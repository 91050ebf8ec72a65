// Pages of algorithms and of implementations in a browser: dragged, filtered, read without a script and in both schemes.
import { expect, test } from "vitest";
import { firstText, LIVE_FILE, LIVE_LIMITS } from "#src/show/site/algorithms/live-limit.ts";
import { runScenario } from "#src/show/site/run-scenario.ts";
import { seriousIn } from "./axe.ts";
import { openServed } from "./opened.ts";
import { startSite } from "./site.ts";

async function countsIn(text: string): Promise<string> {
  for await (const message of runScenario({ file: LIVE_FILE, text, seed: 1 }))
    if (message.kind === "done") {
      const { requests, admitted, refused } = message.report.variants[0]!;
      return `${requests} requests: ${admitted} admitted, ${refused} refused.`;
    }
  throw new Error("it did not run");
}

test("a limit is dragged by keyboard, and its chart and numbers are those of Node", async () => {
  const { url } = await startSite();
  const page = await openServed(url, {}, "algorithms/token-bucket.html");
  const counts = page.locator("#limit-result .counts");
  const limit = LIVE_LIMITS["token-bucket"]!;
  expect(await counts.textContent()).toBe(await countsIn(firstText(limit)));
  const before = await page.locator("#limit-address").getAttribute("href");
  await page.locator("#limit-rate").focus();
  for (let step = 0; step < 3; step++) await page.keyboard.press("ArrowRight");
  const values = Object.fromEntries(limit.numbers.map(({ name, usual }) => [name, usual]));
  const dragged = await countsIn(limit.text({ ...values, rate: values["rate"]! + 3 }, {}));
  expect(dragged).not.toBe(await countsIn(firstText(limit)));
  await expect.poll(() => counts.textContent()).toBe(dragged);
  await page
    .locator("#limit-result .drawing.drawn canvas, #limit-result .drawing.drawn svg")
    .first()
    .waitFor();
  expect(await page.locator("#limit-address").getAttribute("href")).not.toBe(before);
  await page.locator("#limit-address").click();
  await expect.poll(() => page.locator("#state").textContent()).toMatch(/^1 variant ran/);
});

test("a scenario of the suite opens in the playground by its id", async () => {
  const { url } = await startSite();
  const page = await openServed(url, {}, "algorithms/sliding-log.html");
  await page.locator('[id="algorithms/sliding-log-writes-refusals"] a').click();
  await expect.poll(() => page.locator("#state").textContent()).toMatch(/^\d+ variants? ran: pass/);
  expect(await page.locator("#editor").textContent()).toContain("sliding-log-writes-refusals");
  expect(new URL(page.url()).hash).toMatch(/^#1\./);
  await page.goto(`${url}playground/#scenario=none`);
  await page.reload();
  await expect
    .poll(() => page.locator("#state").textContent())
    .toBe("The site has no scenario none.");
});

test("the table is filtered, and a cell leads to its evidence", async () => {
  const { url } = await startSite();
  const page = await openServed(url, {}, "implementations/");
  const rows = page.locator(".grid tbody tr:visible");
  const all = await rows.count();
  await page.locator("select[name=verdict]").selectOption("contradicts");
  const some = await rows.count();
  expect(some).toBeGreaterThan(0);
  expect(some).toBeLessThan(all);
  const cell = rows.locator("td:not(.other) a").first();
  await cell.focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/implementations\/.+\.html#/);
  const evidence = page.locator("article.cell:target");
  expect(await evidence.locator(".badge").textContent()).toContain("contradicts");
  expect(await evidence.locator("code").first().textContent()).toContain("weir");
});

test("both sections pass axe-core in both schemes, on narrow screens", async () => {
  const { url } = await startSite();
  for (const path of [
    "algorithms/drl.html",
    "implementations/",
    "implementations/spring-cloud-gateway.html",
  ]) {
    const look = { width: 360, colorScheme: "light", bypassCSP: true } as const;
    const page = await openServed(url, look, path);
    expect.soft(await seriousIn(page), path).toEqual([]);
    await page.locator("button.scheme").click();
    expect.soft(await seriousIn(page, ["color-contrast"]), path).toEqual([]);
  }
});

test("without a script the chart is drawn, and the table is a table of links", async () => {
  const { url } = await startSite();
  const page = await openServed(url, { javaScriptEnabled: false }, "algorithms/gcra.html");
  expect(await page.locator("#limit-result svg").isVisible()).toBe(true);
  expect(await page.locator("#limit-form").isVisible()).toBe(false);
  expect(await page.locator("article h2").count()).toBe(6);
  await page.goto(`${url}implementations/`);
  expect(await page.locator(".filter").isVisible()).toBe(false);
  expect(await page.locator(".grid tbody td a:visible").count()).toBeGreaterThan(500);
});
