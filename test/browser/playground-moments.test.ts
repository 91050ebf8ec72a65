// A run up to a moment, moved by hand and by keyboard, and the reason of one request.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { fragmentOf } from "#src/show/site/address.ts";
import { overhangOf, seriousIn } from "./axe.ts";
import { openServed, type Look } from "./opened.ts";
import { startSite } from "./site.ts";

const TEXT = `title: two of four
world:
  gateway: { algorithm: fixed_window }
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 2, per: 1 } }
traffic:
  - { name: steady, as: alice, send: GET /orders, rate: 4, for: 10s }
expect:
  - { id: half are admitted, count: { status: 200 }, equals: 20 }
`;

async function openMoments(look: Look = {}): Promise<Page> {
  const { url } = await startSite();
  const fragment = await fragmentOf({ file: "mine/four.yaml", seed: 1, text: TEXT });
  const page = await openServed(url, { ...look, at: fragment.slice(1) }, "playground/");
  await page.locator("html[data-ready]").waitFor();
  await page.locator("#moments summary").press("Enter");
  await expect
    .poll(() => part(page, "counts").textContent())
    .toBe("40 requests until 9.75s: 20 admitted, 20 refused.");
  return page;
}

const part = (page: Page, name: string) => page.locator(`#moments [data-part="${name}"]`);

test("a keyboard moves the moment, steps to a refusal, and reads why", async () => {
  const page = await openMoments({ width: 360, bypassCSP: true });
  await part(page, "moment").press("Home");
  expect(await part(page, "counts").textContent()).toBe("1 request until 0s: 1 admitted.");
  await part(page, "refusal").press("Enter");
  expect(await part(page, "counts").textContent()).toBe(
    "3 requests until 500ms: 2 admitted, 1 refused.",
  );
  expect(await part(page, "request").textContent()).toBe(
    "The last one is of steady at 500ms: refused 429.",
  );
  await part(page, "why").press("Enter");
  await expect
    .poll(() => part(page, "reason").textContent())
    .toContain(" got 429: all 2 requests per second for this key were used; ");
  const reason = await part(page, "reason").textContent();
  expect(reason).toContain("The specification requires this response.");
  expect(reason).toContain("explain mine/four.yaml steady:3 --seed 1");
  expect(await overhangOf(page)).toBeLessThanOrEqual(0);
  expect(await seriousIn(page)).toEqual([]);
  await part(page, "next").press("Enter");
  expect(await part(page, "reason").textContent()).toBe("");
  await part(page, "back").press("Enter");
  await part(page, "back").press("Enter");
  expect(await part(page, "counts").textContent()).toBe("2 requests until 250ms: 2 admitted.");
});

test("a click on a refused dot opens why", async () => {
  const page = await openMoments();
  const { width } = (await part(page, "marks").boundingBox())!;
  const margin = 6;
  const third = { x: margin + (0.5 / 9.75) * (width - 2 * margin), y: margin + 2.5 * (26 / 5) };
  await part(page, "marks").click({ position: third });
  await expect.poll(() => part(page, "reason").textContent()).toContain("steady:3");
  expect(await part(page, "now").textContent()).toBe("500ms");
});

test("virtual time starts, pauses, and goes on to the end", async () => {
  const page = await openMoments();
  await part(page, "start").click();
  await expect.poll(() => part(page, "counts").textContent()).toMatch(/^1?\d requests until/);
  await part(page, "start").click();
  const paused = await part(page, "now").textContent();
  await page.waitForTimeout(100);
  expect(await part(page, "now").textContent()).toBe(paused);
  expect(await part(page, "start").textContent()).toBe("Start");
  await part(page, "speed").selectOption({ label: "as it happened" });
  await part(page, "moment").press("End");
  await part(page, "moment").press("ArrowLeft");
  await part(page, "start").click();
  await expect.poll(() => part(page, "now").textContent()).toBe("9.75s");
  await expect.poll(() => part(page, "start").textContent()).toBe("Start");
});
