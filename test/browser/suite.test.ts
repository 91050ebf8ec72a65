// The page that `npm start` leaves.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { allDrawn } from "./drawings.ts";
import { open } from "./opened.ts";
import { suitePage } from "./pages.ts";
import { sampler } from "../runs.ts";

/** docs/decisions/047-bounds-of-sizes.md */
const MOST_BYTES = 2_500_000;
const { scenarios } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../reports/reference/conformance.json"), "utf8"),
) as { readonly scenarios: readonly { readonly variants: readonly unknown[] }[] };
const variants = scenarios.reduce((sum, scenario) => sum + scenario.variants.length, 0);
/** Time of its thread until the first chart is drawn: without other work a reader waits little longer. */
const MOST_MS = 2_000;

test("the page of the whole suite is small, and there after two seconds of work", async () => {
  const file = await suitePage();
  expect(variants).toBeGreaterThan(2_000);
  expect(statSync(file).size).toBeLessThan(MOST_BYTES);
  const page = await open(file, { isNew: true });
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  await page.reload();
  await page.locator("#unfinished").waitFor({ state: "detached" });
  await page.locator("details.inside > summary").first().click();
  await page.locator(".drawing.drawn").first().waitFor();
  const { metrics } = await session.send("Performance.getMetrics");
  const seconds = metrics.find(({ name }) => name === "ThreadTime")?.value ?? Number.NaN;
  expect(seconds * 1_000).toBeGreaterThan(50);
  expect(seconds * 1_000).toBeLessThan(MOST_MS);
});

test("charts of the whole suite can be drawn", async () => {
  const page = await open(await suitePage(), { height: 3_000 });
  const opened = await page.locator("details.inside").evaluateAll((all) => {
    for (const each of all) (each as HTMLDetailsElement).open = true;
    return all.length;
  });
  expect(opened).toBe(scenarios.length);
  await page.waitForFunction(
    () => document.querySelector("details.inside:not(:has(> .variant))") === null,
  );
  const isWanted = sampler(0.2, "screens");
  let passedBy = 0;
  const all = await allDrawn(page, () => {
    const isVisited = isWanted();
    if (!isVisited) passedBy++;
    return isVisited;
  });
  expect(all.length).toBeGreaterThan(200);
  const drawn = all.filter(({ isWaiting }) => !isWaiting);
  expect(drawn.length).toBeGreaterThan(passedBy === 0 ? all.length - 1 : 20);
  expect(
    drawn.filter(({ marks }) => marks < 3).map(({ name, text }) => `${name}: ${text}`),
  ).toEqual([]);
});

test("an address opens its scenario, with the variant that it names", async () => {
  const page = await open(await suitePage());
  const section = page.locator("#s-limits_pattern-makes-keys-share");
  expect(await section.locator(".variant").count()).toBe(0);
  await page.evaluate(() => {
    location.hash = "#s-limits_pattern-makes-keys-share?variant=algorithm%3Dgcra";
  });
  await section.locator(".variant .drawing.drawn").first().waitFor();
  const choice = section.locator("select");
  expect(await choice.locator("option:checked").textContent()).toBe("algorithm=gcra");
  expect(await section.locator("table.verdicts tbody tr").count()).toBeGreaterThan(1);
});
