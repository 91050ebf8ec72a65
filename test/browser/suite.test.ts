// The page that `npm start` leaves.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { allDrawn } from "./drawings.ts";
import { open } from "./opened.ts";
import { suitePage } from "./pages.ts";
import { sampler } from "../runs.ts";

/** Two thousand variants are 3 MB (docs/decisions/047-bounds-of-sizes.md). */
const MOST_BYTES_A_VARIANT = 1_500;
const { scenarios } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../reports/reference/conformance.json"), "utf8"),
) as { readonly scenarios: readonly { readonly variants: readonly unknown[] }[] };
const variants = scenarios.reduce((sum, scenario) => sum + scenario.variants.length, 0);
/** Time of its thread until the first chart is drawn: without other work a reader waits little longer. */
const MOST_MS = 2_000;

test("the page of the whole suite is small, and there after two seconds of work", async () => {
  const file = await suitePage();
  expect(variants).toBeGreaterThan(2_000);
  expect(statSync(file).size / variants).toBeLessThan(MOST_BYTES_A_VARIANT);
  const page = await open(file);
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  await page.reload();
  await page.locator(".drawing.drawn").first().waitFor();
  const { metrics } = await session.send("Performance.getMetrics");
  const seconds = metrics.find(({ name }) => name === "ThreadTime")?.value ?? Number.NaN;
  expect(seconds * 1_000).toBeGreaterThan(50);
  expect(seconds * 1_000).toBeLessThan(MOST_MS);
});

test("charts of the whole suite can be drawn", async () => {
  const page = await open(await suitePage(), { height: 3_000 });
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
