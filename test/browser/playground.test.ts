// The playground as a reader uses it: writes, reads problems at their places, shares an address, saves a file.
import { expect, test } from "vitest";
import { runScenario } from "#src/library/weir.node.ts";
import { answerRun } from "#src/show/answers/run.ts";
import { fragmentOf } from "#src/show/site/address.ts";
import { TWO_OF_THREE } from "../show/site/two-of-three.ts";
import { overhangOf, seriousIn } from "./axe.ts";
import { openServed } from "./opened.ts";
import {
  addressOf,
  digestsInNode,
  follow,
  openPlayground,
  part,
  PLAYGROUND,
  save,
  stateOf,
  write,
} from "./playground.ts";
import { startSite } from "./site.ts";

/** Bytes on the wire until the first run is drawn: scripts, styles and data. */
const MOST_BYTES = 1_000_000;
/** Time of its thread until then: without other work a reader waits little longer. */
const MOST_MS = 1_500;

test("it is ready at once, small, usable on a small screen, and read in both schemes", async () => {
  const { url } = await startSite();
  const look = { width: 360, colorScheme: "light", bypassCSP: true, isNew: true } as const;
  const page = await openServed(url, look, PLAYGROUND);
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  await page.reload();
  await page.locator("html[data-ready]").waitFor();
  const { metrics } = await session.send("Performance.getMetrics");
  const seconds = metrics.find(({ name }) => name === "ThreadTime")?.value ?? Number.NaN;
  expect(seconds * 1_000).toBeGreaterThan(20);
  expect(seconds * 1_000).toBeLessThan(MOST_MS);
  const bytes = await page.evaluate(() =>
    (
      [
        ...performance.getEntriesByType("navigation"),
        ...performance.getEntriesByType("resource"),
      ] as PerformanceResourceTiming[]
    ).map(({ name, decodedBodySize }) => [name, decodedBodySize] as const),
  );
  const sum = bytes.reduce((all, [, size]) => all + size, 0);
  expect(sum).toBeGreaterThan(100_000);
  expect(sum).toBeLessThan(MOST_BYTES);
  // Until they are used, neither the editor nor the charts are loaded.
  expect(bytes.filter(([name]) => /editor|charts|templates/.test(name))).toEqual([]);
  await expect.poll(stateOf(page)).toMatch("2 variants ran: pass.");
  expect(await page.locator("#panel-form").isVisible()).toBe(true);
  expect(await part(page, "count").allTextContents()).toEqual([
    expect.stringMatching(/^\d+ admitted, \d+ refused$/),
    expect.stringMatching(/^\d+ admitted, \d+ refused$/),
  ]);
  expect(await page.locator("[data-example] svg").count()).toBeGreaterThan(10);
  expect(await page.locator("[data-example]").count()).toBe(10);

  // With something that fails, the reason of a request, and the text open, too.
  await page.getByRole("button", { name: "Gateway crashes", exact: true }).click();
  await expect.poll(() => part(page, "count").first().textContent()).toMatch(/, \d+ lost$/);
  await part(page, "refusal").click();
  await expect.poll(() => part(page, "reason").textContent()).toContain(" got 429: ");
  await page.getByRole("tab", { name: "YAML" }).click();
  await page.locator(".cm-content").waitFor();
  expect(await overhangOf(page)).toBeLessThanOrEqual(0);
  expect(await seriousIn(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await seriousIn(page, ["color-contrast"])).toEqual([]);
});

test("a text runs as it is written: problems at their places, and names completed", async () => {
  const page = await openPlayground(TWO_OF_THREE);
  await expect.poll(stateOf(page)).toMatch("1 variant ran: pass.");
  const before = page.url();
  await page.locator("a.skip").press("Enter");
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("contents");
  await expect.poll(() => page.url()).toBe(before);

  await write(page, TWO_OF_THREE.replace("rate: 2", "ratee: 2"));
  await expect.poll(stateOf(page)).toMatch("Nothing runs until the errors below are corrected.");
  expect(await page.locator("#problems li").first().textContent()).toBe(
    'Line 4 error CFG-UNKNOWN-FIELD "ratee" is not a field of a key; did you mean "rate"?',
  );
  expect(await page.locator(".cm-lintRange-error").first().textContent()).toBe("ratee");
  await write(page, TWO_OF_THREE.replace("rate: 2", "rate: 1"));
  await expect.poll(stateOf(page)).toMatch("1 variant ran, 1 failed.");
  expect(await page.locator("#problems").isVisible()).toBe(false);
  await expect.poll(() => page.locator("#result .verdict").textContent()).toContain("200 2*429");

  // A matrix is answered above its results, as weir run answers it.
  const text = TWO_OF_THREE.replace("title:", "matrix: { rate: [1, 2] }\ntitle:")
    .replace("rate: 2", "rate: $rate")
    .replace("sequence: {}, equals: 2*200 429", "count: { status: 200 }, atMost: 2");
  await write(page, text);
  await expect.poll(stateOf(page)).toMatch("2 variants ran: pass.");
  const { variants } = await runScenario({ file: "mine/two.yaml", text }, { seed: 3 });
  const answer = answerRun(variants.map(({ result }) => result)).map((each) => each.text);
  expect(answer.length).toBeGreaterThan(1);
  await expect.poll(() => page.locator("#result .apart").allTextContents()).toEqual(answer);

  await write(page, `${TWO_OF_THREE}cha`);
  await expect.poll(stateOf(page)).toMatch("Nothing runs until the errors below are corrected.");
  await page.keyboard.press("Control+Space");
  await page.locator(".cm-tooltip-autocomplete li", { hasText: "charts" }).waitFor();
  await page.locator(".cm-completionInfo", { hasText: "What the report draws." }).waitFor();
  // A list that has just opened takes no key: it may have been pressed for the text.
  await page.waitForTimeout(150);
  await page.keyboard.press("Enter");
  await expect.poll(() => page.locator(".cm-line").last().textContent()).toBe("charts: ");
  await page
    .locator(".cm-line", { hasText: "title" })
    .first()
    .hover({ position: { x: 20, y: 5 } });
  await page.locator(".about-field", { hasText: "What the scenario shows" }).waitFor();
});

test("text that is damaged, too large or hostile is reported, and the page goes on", async () => {
  const fragment = await fragmentOf({ file: "two.yaml", seed: 3, text: TWO_OF_THREE });
  const { url } = await startSite();
  const page = await openServed(url, { at: fragment.slice(1, -9) }, PLAYGROUND);
  await expect.poll(stateOf(page)).toMatch(/^The address of this page is incomplete/);
  await write(page, TWO_OF_THREE);
  await expect.poll(stateOf(page)).toMatch("1 variant ran: pass.");

  await write(page, TWO_OF_THREE.replace("burst: 3", "burst: 3000000"));
  await expect
    .poll(stateOf(page))
    .toMatch(/^This scenario sends 3,000,000 requests, and a page runs at most/);
  await write(page, TWO_OF_THREE.replace("burst: 3", "burst: 1500000"));
  await page.locator("#stop").click();
  await expect.poll(stateOf(page)).toMatch("The run was stopped.");

  const hostile = `<img src=x onerror="document.title='taken'"><script>document.title='taken'</script>`;
  const text = TWO_OF_THREE.replace("two of three", JSON.stringify(hostile))
    .replace("two are admitted", JSON.stringify(hostile))
    .replace("burst: 3,", `name: ${JSON.stringify(hostile)}, burst: 3,`)
    .replaceAll("alice", JSON.stringify(hostile))
    .replace("title:", `matrix: { axis: [${JSON.stringify(hostile)}, none] }\ntitle:`)
    .replace(
      "expect:",
      "faults:\n  - { at: 0s, gateway: crash, node: 0 }\nexpect:\n  - { id: $axis, count: {}, atLeast: 1 }",
    );
  await write(page, text);
  await expect.poll(stateOf(page)).toMatch(/2 variants ran/);
  await part(page, "next").click();
  await expect.poll(() => part(page, "reason").textContent()).toContain("explain");
  await follow(
    page,
    await fragmentOf({
      file: `${hostile}.yaml`,
      seed: 3,
      text: TWO_OF_THREE.replaceAll("alice", JSON.stringify(hostile)),
    }),
  );
  await expect.poll(stateOf(page)).toMatch("1 variant ran: pass.");
  await page.locator("summary", { hasText: "Verdicts, charts and numbers" }).waitFor();
  await page.locator("summary", { hasText: "World and traffic" }).click();
  await page.locator("summary", { hasText: "1 refusal" }).click();
  await page.locator("details.refusal summary").click();
  expect(await page.locator("#result").textContent()).toContain(hostile);
  await write(page, `${text}${hostile}: 1\n`);
  await expect.poll(stateOf(page)).toMatch("Nothing runs until the errors below are corrected.");
  expect(await page.locator("img").count()).toBe(0);
  expect(await page.title()).toBe("Weir playground");
});

test("an address shows the same run again, and the saved file is run by Node to the same digest", async () => {
  const page = await openPlayground(TWO_OF_THREE);
  await expect.poll(stateOf(page)).toMatch("1 variant ran: pass.");
  await write(page, TWO_OF_THREE.replace("burst: 3", "burst: 4"));
  await expect.poll(stateOf(page)).toMatch("1 variant ran, 1 failed.");
  await page.locator("summary", { hasText: "Digests of the histories" }).click();
  const shown = await page.locator("#digests code").textContent();
  const four = { text: expect.stringContaining("burst: 4") };
  await expect.poll(() => addressOf(page)).toMatchObject(four);
  await page.reload();
  await expect.poll(stateOf(page)).toMatch("1 variant ran, 1 failed.");
  await page.locator("summary", { hasText: "Digests of the histories" }).click();
  expect(await page.locator("#digests code").textContent()).toBe(shown);

  const saved = await save(page);
  expect(saved.name).toBe("two.yaml");
  expect(saved.text).toContain("burst: 4");
  expect(await digestsInNode(page)).toEqual([shown]);
});

/** In the page: the second and the fourth address take longer to compress than a run. */
function slowAddresses(): void {
  let count = 0;
  const { CompressionStream: Whole } = globalThis;
  globalThis.CompressionStream = class extends Whole {
    readonly #slow = ++count % 2 === 0;
    override get readable(): CompressionStream["readable"] {
      const pause = new TransformStream({
        start: () => new Promise((done) => setTimeout(done, this.#slow ? 1_500 : 0)),
      });
      return super.readable.pipeThrough(pause);
    }
  };
}

test("the address is of the text that ran last, however long it takes to write", async () => {
  const permissions = ["clipboard-read", "clipboard-write"];
  const page = await openPlayground(TWO_OF_THREE, { before: slowAddresses, permissions });
  await expect.poll(stateOf(page)).toMatch("1 variant ran: pass.");
  await write(page, TWO_OF_THREE.replace("burst: 3", "burst: 4"));
  await expect.poll(stateOf(page)).toMatch("1 variant ran, 1 failed.");
  await write(page, TWO_OF_THREE.replace("title: two", "title: 2"));
  await expect.poll(stateOf(page)).toMatch("1 variant ran: pass.");
  await page.waitForTimeout(2_000);
  expect(await addressOf(page)).toMatchObject({ text: expect.stringContaining("title: 2") });
  await write(page, TWO_OF_THREE.replace("burst: 3", "burst: 5"));
  await expect.poll(stateOf(page)).toMatch("1 variant ran, 1 failed.");
  const clipboardText = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
  await page.evaluate(() => navigator.clipboard.writeText("nothing"));
  await page.locator("#share").click();
  await expect.poll(clipboardText).not.toBe("nothing");
  expect(await clipboardText()).toBe(page.url());
  expect(await addressOf(page)).toMatchObject({ text: expect.stringContaining("burst: 5") });
});

test("a worker that gives no sign of life is ended", async () => {
  const { url } = await startSite();
  const page = await openServed(url, { isNew: true }, PLAYGROUND);
  await page.locator("html[data-ready]").waitFor();
  await page.clock.install();
  await page.route("**/assets/worker.js", (route) =>
    route.fulfill({ contentType: "text/javascript", body: "for (;;);" }),
  );
  await page.reload();
  await expect.poll(stateOf(page)).toMatch("Running.");
  await page.clock.fastForward(30_000);
  await expect
    .poll(stateOf(page))
    .toMatch(/^The run was stopped: one of its variants takes longer than 20 s/);
  await page.unroute("**/assets/worker.js");
  await write(page, TWO_OF_THREE);
  await page.clock.fastForward(1_000);
  await expect.poll(stateOf(page)).toMatch("1 variant ran: pass.");
});
