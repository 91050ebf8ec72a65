// The page around reports that follow one another, as `weir run --serve` shows them.
import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import type { Frame, Page } from "playwright-core";
import { startLiveServer, type LiveServer } from "#src/show/page/live-server.node.ts";
import { openServed } from "./opened.ts";
import { smallPage } from "./pages.ts";

/** A browser waits some seconds before it connects again. */
const PATIENCE_MS = 50_000;

async function startServer(port: number, command: string): Promise<LiveServer> {
  const server = await startLiveServer(port, command);
  let isOver = false;
  const stop = async (): Promise<void> => {
    if (!isOver) await server.stop();
    isOver = true;
  };
  onTestFinished(stop);
  return { ...server, stop };
}

const statusOf = (page: Page): Promise<string | null> => page.locator("#status").textContent();

/** The report of a run, with its name in the title. */
const withName = (report: Buffer, run: string): Buffer =>
  Buffer.from(report.toString().replace("<title>", `<title>${run} `));

async function reportIn(page: Page, run: string): Promise<Frame> {
  const findFrame = (): Frame | undefined =>
    page.frames().find((each) => each.url().includes("/report"));
  const title = async (): Promise<string> =>
    (await findFrame()
      ?.title()
      .catch(() => null)) ?? "";
  await expect.poll(title, { timeout: PATIENCE_MS }).toMatch(new RegExp(`^${run} `));
  const frame = findFrame()!;
  await frame.locator(".drawing.drawn").first().waitFor();
  return frame;
}

test("each report is shown where a reader was in the last one, and the progress is shown", async () => {
  const server = await startServer(0, "weir run '<b>x</b>'");
  const page = await openServed(server.url);
  expect(await page.locator("h1").textContent()).toBe("weir run '<b>x</b>'");
  await expect.poll(() => statusOf(page)).toBe("running");
  server.update({ progress: { done: 1, of: 3, names: "limits/<one>" } });
  await expect.poll(() => statusOf(page)).toBe("1 of 3 scenarios: limits/<one>");
  const { value, max } = await page
    .locator("progress")
    .evaluate((bar: HTMLProgressElement) => ({ value: bar.value, max: bar.max }));
  expect({ value, max }).toEqual({ value: 1, max: 3 });
  expect(await page.locator("#report").isVisible()).toBe(false);

  const report = readFileSync(await smallPage());
  server.show(withName(report, "first"));
  const first = await reportIn(page, "first");
  expect(await statusOf(page)).toBe("done");
  expect(await page.locator("progress").isVisible()).toBe(false);
  await first.locator(".overview a[href='#s-limits_five-at-once']").click();
  await expect.poll(() => first.evaluate(() => scrollY)).toBeGreaterThan(0);
  await first.evaluate(() => scrollBy(0, 70));
  const scrolled = await first.evaluate(() => scrollY);

  server.update({ isRunning: true, progress: null });
  await expect.poll(() => statusOf(page)).toBe("running; the report below is of the previous run");
  server.show(withName(report, "second"));
  const second = await reportIn(page, "second");
  expect(new URL(second.url()).hash).toBe("#s-limits_five-at-once");
  await expect.poll(() => second.evaluate(() => scrollY)).toBe(scrolled);

  const fault = "one.yaml:1:1 error SCN-YAML <i>no</i>";
  server.update({ isRunning: false, faults: [fault] });
  await expect.poll(() => page.locator("[role=alert]").textContent()).toBe(fault);
  expect(await page.locator("[role=alert]").isVisible()).toBe(true);
  expect(await statusOf(page)).toBe("no scenario ran; the report below is of the previous run");
});

test("a command that was started anew is not taken for the one before", async () => {
  const report = readFileSync(await smallPage());
  const before = await startServer(0, "weir run before");
  before.show(withName(report, "first"));
  const page = await openServed(before.url);
  await reportIn(page, "first");
  await before.stop();
  await expect.poll(() => statusOf(page)).toContain("the command has ended");

  const after = await startServer(Number(new URL(before.url).port), "weir run after");
  await expect
    .poll(() => page.locator("h1").textContent(), { timeout: PATIENCE_MS })
    .toBe("weir run after");
  expect(await page.locator("#report").isVisible()).toBe(false);
  after.show(withName(report, "another"));
  await reportIn(page, "another");
});

const FIVE = "s-limits_five-at-once";

test("the address of the page leads into the report, and follows the reader there", async () => {
  const report = readFileSync(await smallPage());
  const server = await startServer(0, "weir run");
  server.show(withName(report, "first"));
  const at = `${FIVE}?variant=algorithm%3Dtoken_bucket&refusal=5`;
  const page = await openServed(server.url, { at });
  const address = (): string => new URL(page.url()).hash;
  let frame = await reportIn(page, "first");
  const chosen = (): Promise<string> => frame.locator(`#${FIVE} select`).inputValue();
  await frame.locator(`#${FIVE} details.refusal[open] svg`).first().waitFor();
  expect(await chosen()).toBe("2");

  await frame.locator(`#${FIVE} [data-step='1']`).click();
  await expect.poll(address).toBe(`#${FIVE}?variant=algorithm%3Dfixed_window`);
  await frame.locator(".overview a[href='#s-smoothing_climbs']").click();
  await expect.poll(address).toBe("#s-smoothing_climbs");

  server.show(withName(report, "second"));
  frame = await reportIn(page, "second");
  expect(address()).toBe("#s-smoothing_climbs");
  await page.goBack();
  await expect.poll(address).toBe(`#${FIVE}?variant=algorithm%3Dfixed_window`);
  await expect.poll(chosen).toBe("0");
  await page.goBack();
  await expect.poll(address).toBe(`#${at}`);
  await expect.poll(chosen).toBe("2");
  await page.goForward();
  await page.goForward();
  await expect.poll(address).toBe("#s-smoothing_climbs");
  expect(new URL(frame.url()).hash).toBe("#s-smoothing_climbs");

  await page.reload();
  frame = await reportIn(page, "second");
  expect(new URL(frame.url()).hash).toBe("#s-smoothing_climbs");
  await page.evaluate((hash) => (location.hash = hash), at); // as a reader types it
  await expect.poll(chosen).toBe("2");
  await page.goBack();
  await expect.poll(() => new URL(frame.url()).hash).toBe("#s-smoothing_climbs");
  await expect.poll(address).toBe("#s-smoothing_climbs");
});

test("a link that was copied out of the report leads to the page around it", async () => {
  const server = await startServer(0, "weir run");
  server.show(withName(readFileSync(await smallPage()), "first"));
  const page = await openServed(server.url);
  await page.goto(`${server.url}report#${FIVE}`);
  expect(page.url()).toBe(`${server.url}#${FIVE}`);
  const frame = await reportIn(page, "first");
  await expect.poll(() => frame.locator(`#${FIVE}.here`).count()).toBe(1);
});
