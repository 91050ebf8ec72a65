// The page of what was measured: a benchmark, what was admitted, a comparison, and accuracy against cost.
import { expect, test } from "vitest";
import { overhangOf, seriousIn } from "./axe.ts";
import { allDrawn, faultsOf } from "./drawings.ts";
import { open } from "./opened.ts";
import { pageOfMeasurements } from "./pages.ts";

test("every chart of what was measured is drawn, a small screen holds it, and it is read in both schemes", async () => {
  const page = await open(await pageOfMeasurements(), {
    colorScheme: "light",
    width: 360,
    bypassCSP: true,
  });
  expect(await page.locator("h1").allTextContents()).toHaveLength(4);
  expect(faultsOf(await allDrawn(page))).toEqual([]);
  expect(await overhangOf(page)).toBeLessThanOrEqual(0);
  expect(await seriousIn(page)).toEqual([]);
  // Nothing but its colours is another.
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await seriousIn(page, ["color-contrast"])).toEqual([]);
});
