import { buffer } from "node:stream/consumers";
import { PNG } from "pngjs";
import { expect, test } from "vitest";
import { allDrawn, drawings, faultsOf } from "./drawings.ts";
import { open } from "./opened.ts";
import { smallPage } from "./pages.ts";

// In light colours looks.test.ts has it.
test("in dark colours every chart is drawn when it becomes visible", async () => {
  const page = await open(await smallPage(), { colorScheme: "dark" });
  expect(faultsOf(await allDrawn(page))).toEqual([]);
});

test("a chart that was never visible is not drawn", async () => {
  const page = await open(await smallPage(), { height: 400 });
  await page.locator(".drawing.drawn").first().waitFor();
  const all = await drawings(page);
  expect(all.some(({ marks }) => marks === 0)).toBe(true);
});

test("a chart reads its values to a pointer and to arrow keys", async () => {
  const page = await open(await smallPage(), { at: "s-limits_five-at-once" });
  const place = page.locator("#s-limits_five-at-once .variant .drawing").first();
  await place.locator("svg").waitFor();
  const box = (await place.boundingBox())!;
  await page.mouse.move(box.x + box.width / 4, box.y + 30);
  await expect.poll(() => page.locator("#tip").textContent()).toMatch(/answers 1 to 5 are 200/);
  await page.mouse.move(2, 2);
  await expect.poll(() => page.locator("#tip").isHidden()).toBe(true);
  await place.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => page.locator("#tip").textContent()).toMatch(/6 to 8 are 429/);
});

test("a chart's numbers are a table too, next to its image", async () => {
  const page = await open(await smallPage(), { at: "s-limits_five-at-once" });
  await page.locator("#s-limits_five-at-once .variant details.numbers > summary").first().click();
  const table = page.locator("#s-limits_five-at-once .variant details.numbers table").first();
  await expect.poll(() => table.textContent()).toContain("429");
  const save = async (type: "png" | "svg"): Promise<Buffer> => {
    const saved = page.waitForEvent("download");
    await page.locator(`.variant [data-save=${type}]`).first().click();
    return buffer(await (await saved).createReadStream());
  };
  const svg = (await save("svg")).toString();
  expect(svg).toMatch(/<title>[^<]*: [^<]*, algorithm=fixed_window<\/title>/);
  expect(svg).toContain("small.html#s-limits_five-at-once");
  expect(svg).not.toContain("var(--");
  const { width, data } = PNG.sync.read(await save("png"));
  expect(width).toBe(2 * 932);
  expect(
    new Set(new Uint32Array(data.buffer, data.byteOffset, data.length / 4)).size,
  ).toBeGreaterThan(20);
});

test("all charts of what is shown are drawn before it is printed", async () => {
  const page = await open(await smallPage());
  await page.locator(".drawing.drawn").first().waitFor();
  // As the browser itself prints, and counted before it lays anything out for paper.
  await page.evaluate(() => {
    const countLeft = (): number =>
      [...document.querySelectorAll(".drawing")].filter(
        (place) => place.checkVisibility() && place.querySelector("svg path, svg text") === null,
      ).length;
    const counts = [countLeft()];
    addEventListener("beforeprint", () => counts.push(countLeft()));
    Object.assign(globalThis, { counts });
  });
  await page.pdf();
  const counts = await page.evaluate(() => (globalThis as unknown as { counts: number[] }).counts);
  expect(counts[0]).toBeGreaterThan(0);
  expect(counts.slice(1)).toEqual([0]);
});

test("all that move in time are zoomed together, and back", async () => {
  const page = await open(await smallPage(), { at: "s-smoothing_climbs" });
  const places = page.locator("#s-smoothing_climbs .variant .drawing");
  await places.nth(1).scrollIntoViewIfNeeded();
  await places.nth(1).locator("svg").waitFor();
  await places.first().scrollIntoViewIfNeeded();
  await places.first().locator("svg").waitFor();
  const axes = (): Promise<string[]> =>
    places.evaluateAll((all) =>
      all.map((each) =>
        [...each.querySelectorAll("text")]
          .map(({ textContent }) => textContent)
          .toSorted()
          .join(" "),
      ),
    );
  const before = await axes();
  await places.first().focus();
  await page.keyboard.press("+");
  await expect.poll(async () => (await axes())[0]).not.toBe(before[0]);
  await expect.poll(async () => (await axes())[1]).not.toBe(before[1]);
  await page.keyboard.press("0");
  await expect.poll(axes).toEqual(before);
});

test("a chart that is drawn again while it is read is read on, and once", async () => {
  const page = await open(await smallPage(), { at: "s-smoothing_climbs" });
  const place = page.locator("#s-smoothing_climbs .variant .drawing").first();
  await place.locator("svg").waitFor();
  await place.focus();
  const announcementOfZoom = async (): Promise<string | null> => {
    await page.keyboard.press("+");
    const announcement = await page.locator("body > [role=status]").textContent();
    await page.keyboard.press("0");
    return announcement;
  };
  const before = await announcementOfZoom();
  expect(before).toMatch(/^from .* s to .* s$/);
  const old = await place.locator("svg").evaluateHandle((svg) => svg);
  await page.setViewportSize({ width: 900, height: 900 });
  await place.scrollIntoViewIfNeeded();
  await page.waitForFunction((svg) => !svg.isConnected, old);
  expect(await announcementOfZoom()).toBe(before);
  const tools = page.locator("#s-smoothing_climbs .variant figure").first().locator(".tools");
  expect(await tools.count()).toBe(1);
  await place.scrollIntoViewIfNeeded();
  const box = (await place.boundingBox())!;
  await page.mouse.move(box.x + 200, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + 300, box.y + 60);
  expect(await place.locator(".brush").count()).toBe(1);
});
