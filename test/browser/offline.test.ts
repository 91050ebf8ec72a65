// The site without its server, once it has been loaded.
import { expect, onTestFinished, test } from "vitest";
import { serveSite } from "#src/show/site/site-files.node.ts";
import { openServed } from "./opened.ts";
import { filesOfSite, startSite } from "./site.ts";

test("after the first load the playground runs without a server, and pages that were read are there", async () => {
  const server = await serveSite(await filesOfSite(), 0);
  let isServed = true;
  const stop = async (): Promise<void> => {
    if (isServed) await server.stop();
    isServed = false;
  };
  onTestFinished(stop);
  const url = server.url.replace("127.0.0.1", "localhost");
  const page = await openServed(url, {}, "playground/");
  await page.locator("html[data-ready]").waitFor();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.goto(`${url}docs/answer/replay.html`);
  await stop();

  await page.goto(`${url}docs/answer/replay.html`);
  expect(await page.locator("article h1").textContent()).toBeTruthy();
  await page.locator("#sought").fill("token bucket");
  await page.locator("#found a").first().waitFor();
  await page.goto(url);
  await page.locator("a", { hasText: "Playground" }).first().click();
  await page.locator("html[data-ready]").waitFor();
  await page.locator('[data-example="examples/store-outage"]').click();
  await expect.poll(() => page.locator("#state").textContent()).toMatch(/^3 variants ran/);
  await page.locator("#result .drawing").first().scrollIntoViewIfNeeded();
  await page.locator("#result .drawing.drawn").first().waitFor();
  await page.locator(".cm-content").waitFor();
});

test("weir site, whose port is another one each time, leaves nothing in a browser", async () => {
  const { url } = await startSite();
  const page = await openServed(url, {}, "playground/");
  await page.locator("html[data-ready]").waitFor();
  const registered = await page.evaluate(async () => ({
    workers: (await navigator.serviceWorker.getRegistrations()).length,
    caches: (await caches.keys()).length,
  }));
  expect(registered).toEqual({ workers: 0, caches: 0 });
});

// Tests show their pages in the same tab, one after the other (opened.ts).
test.for(["first", "second"])("the %s test of a page finds nothing that it kept", async () => {
  const { url } = await startSite();
  const page = await openServed(url, {}, "first-steps.html");
  const entriesBefore = await page.evaluate(() => {
    const before = localStorage.length;
    localStorage.setItem("kept", "yes");
    return before;
  });
  expect(entriesBefore).toBe(0);
  expect(await page.evaluate(() => localStorage.length)).toBe(1);
});
