// The page around reports that follow one another, as `weir run --serve` shows them.
import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import type { Frame, Page } from "playwright-core";
import { startLiveServer, type LiveServer } from "../../src/page/live-server.node.ts";
import { openServed } from "./opened.ts";
import { smallPage } from "./pages.ts";

/** A browser waits some seconds before it asks again for what has gone. */
const PATIENCE_MS = 20_000;

async function served(port: number, command: string): Promise<LiveServer> {
  const server = await startLiveServer(port, command);
  let isOver = false;
  const stop = async (): Promise<void> => {
    if (!isOver) await server.stop();
    isOver = true;
  };
  onTestFinished(stop);
  return { ...server, stop };
}

const said = (page: Page): Promise<string | null> => page.locator("#said").textContent();

async function reportIn(page: Page, run: number): Promise<Frame> {
  const found = (): Frame | undefined =>
    page.frames().find((each) => each.url().includes(`/report?run=${run}`));
  await expect.poll(found, { timeout: PATIENCE_MS }).toBeDefined();
  const frame = found()!;
  await frame.locator(".drawing.drawn").first().waitFor();
  return frame;
}

test("each report is shown where a reader was in the last one, and what is under way is told", async () => {
  const server = await served(0, "weir run '<b>x</b>'");
  const page = await openServed(server.url);
  expect(await page.locator("h1").textContent()).toBe("weir run '<b>x</b>'");
  await expect.poll(() => said(page)).toBe("running");
  server.tell({ progress: { done: 1, of: 3, names: "limits/<one>" } });
  await expect.poll(() => said(page)).toBe("1 of 3 scenarios: limits/<one>");
  const { value, max } = await page
    .locator("progress")
    .evaluate((bar: HTMLProgressElement) => ({ value: bar.value, max: bar.max }));
  expect({ value, max }).toEqual({ value: 1, max: 3 });
  expect(await page.locator("#report").isVisible()).toBe(false);

  const report = readFileSync(await smallPage());
  server.show(report);
  const first = await reportIn(page, 1);
  expect(await said(page)).toBe("done");
  expect(await page.locator("progress").isVisible()).toBe(false);
  await first.locator(".overview a[href='#s-limits_five-at-once']").click();
  await expect.poll(() => first.evaluate(() => scrollY)).toBeGreaterThan(0);
  await first.evaluate(() => scrollBy(0, 70));
  const scrolled = await first.evaluate(() => scrollY);

  server.tell({ isRunning: true, progress: null });
  await expect.poll(() => said(page)).toBe("running; below is the run before");
  server.show(report);
  const second = await reportIn(page, 2);
  expect(new URL(second.url()).hash).toBe("#s-limits_five-at-once");
  await expect.poll(() => second.evaluate(() => scrollY)).toBe(scrolled);

  const fault = "one.yaml:1:1 SCN-YAML <i>no</i>";
  server.tell({ isRunning: false, faults: [fault] });
  await expect.poll(() => page.locator("[role=alert]").textContent()).toBe(fault);
  expect(await page.locator("[role=alert]").isVisible()).toBe(true);
  expect(await said(page)).toBe("nothing was played; below is the run before");
});

test("a command that was started anew is not taken for the one before", async () => {
  const report = readFileSync(await smallPage(), "utf8");
  const before = await served(0, "weir run before");
  before.show(Buffer.from(report));
  const page = await openServed(before.url);
  await reportIn(page, 1);
  await before.stop();
  await expect.poll(() => said(page)).toContain("the command has ended");

  const after = await served(Number(new URL(before.url).port), "weir run after");
  await expect
    .poll(() => page.locator("h1").textContent(), { timeout: PATIENCE_MS })
    .toBe("weir run after");
  expect(await page.locator("#report").isVisible()).toBe(false);
  after.show(Buffer.from(report.replace("<title>", "<title>Another ")));
  const frame = await reportIn(page, 1);
  expect(await frame.title()).toMatch(/^Another /);
});
