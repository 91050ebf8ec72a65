// The playground as a reader uses it: writes, reads problems at their places, shares an address, saves a file.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, inject, test } from "vitest";
import { runScenario } from "#src/library/weir.node.ts";
import { digest } from "#src/lab/scenario/history/digest.node.ts";
import { writeHistory } from "#src/lab/scenario/history/write.ts";
import { answerRun } from "#src/show/answers/run.ts";
import { fragmentOf, stateOf as stateIn } from "#src/show/site/address.ts";
import { overhangOf, seriousIn } from "./axe.ts";
import { openServed, type Look } from "./opened.ts";
import { TWO_OF_THREE } from "../show/site/two-of-three.ts";
import { startSite } from "./site.ts";

const PLAYGROUND = "playground/";

async function openPlayground(text: string | null, look: Look = {}): Promise<Page> {
  const { url } = await startSite();
  const fragment = text === null ? "" : await fragmentOf({ file: "mine/two.yaml", seed: 3, text });
  return openServed(url, { ...look, at: fragment.slice(1) }, PLAYGROUND);
}

const stateOf =
  (page: Page): (() => Promise<string | null>) =>
  () =>
    page.locator("#state").textContent();

const addressOf = (page: Page): ReturnType<typeof stateIn> => stateIn(new URL(page.url()).hash);

async function write(page: Page, text: string): Promise<void> {
  await page.locator(".cm-content").click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
}

async function save(page: Page): Promise<{ readonly name: string; readonly text: string }> {
  const saving = page.waitForEvent("download");
  await page.locator("#save").click();
  const saved = await saving;
  const file = join(inject("folder"), "saved.yaml");
  await saved.saveAs(file);
  return { name: saved.suggestedFilename(), text: readFileSync(file, "utf8") };
}

/** Of the file that the page saves, run by Node. */
async function digestsInNode(page: Page): Promise<readonly string[]> {
  const { name, text } = await save(page);
  const seed = Number(await page.locator("#seed").inputValue());
  const { variants } = await runScenario({ file: `elsewhere/${name}`, text }, { seed });
  return variants.map(({ history }) => digest(writeHistory(history)));
}

/** Bytes on the wire until the first run is drawn: scripts, styles and data. */
const MOST_BYTES = 1_000_000;
/** Time of its thread until then: without other work a reader waits little longer. */
const MOST_MS = 1_500;

test("it is ready at once, small, usable on a small screen, and read in both schemes", async () => {
  const { url } = await startSite();
  const look = { width: 360, colorScheme: "light", bypassCSP: true } as const;
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
    ).reduce((sum, { transferSize }) => sum + transferSize, 0),
  );
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThan(MOST_BYTES);
  await expect.poll(stateOf(page)).toMatch("1 variant ran: pass.");
  expect(await overhangOf(page)).toBeLessThanOrEqual(0);
  expect(await seriousIn(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await seriousIn(page, ["color-contrast"])).toEqual([]);
});

test("a problem is a sentence at its place, and its correction runs", async () => {
  const page = await openPlayground(TWO_OF_THREE);
  await expect.poll(stateOf(page)).toMatch("1 variant ran: pass.");
  await write(page, TWO_OF_THREE.replace("rate: 2", "ratee: 2"));
  await expect.poll(stateOf(page)).toMatch("Nothing runs until the errors below are corrected.");
  expect(await page.locator("#problems li").first().textContent()).toBe(
    'Line 4 error CFG-UNKNOWN-FIELD "ratee" is not a field of a key; did you mean "rate"?',
  );
  expect(await page.locator(".cm-lintRange-error").first().textContent()).toBe("ratee");
  await write(page, TWO_OF_THREE.replace("rate: 2", "rate: 1"));
  await expect.poll(stateOf(page)).toMatch("1 variant ran, 1 failed.");
  expect(await page.locator("#problems").isVisible()).toBe(false);
  expect(await page.locator("#result .verdict").textContent()).toContain("200 2*429");
});

test("a matrix is answered above its results, as weir run answers it", async () => {
  const text = TWO_OF_THREE.replace("title:", "matrix: { rate: [1, 2] }\ntitle:")
    .replace("rate: 2", "rate: $rate")
    .replace("sequence: {}, equals: 2*200 429", "count: { status: 200 }, atMost: 2");
  const page = await openPlayground(text);
  await expect.poll(stateOf(page)).toMatch("2 variants ran: pass.");
  const { variants } = await runScenario({ file: "two.yaml", text }, { seed: 3 });
  const answer = answerRun(variants.map(({ result }) => result)).map((each) => each.text);
  expect(answer.length).toBeGreaterThan(1);
  expect(await page.locator("#result .apart").allTextContents()).toEqual(answer);
});

test("names are completed and explained from the schema", async () => {
  const page = await openPlayground(`${TWO_OF_THREE}cha`);
  await expect.poll(stateOf(page)).toMatch("Nothing runs until the errors below are corrected.");
  await page.locator(".cm-content").click();
  await page.keyboard.press("ControlOrMeta+End");
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

test("an address shows the same run elsewhere, and the saved file is run by Node to the same digest", async () => {
  const page = await openPlayground(TWO_OF_THREE);
  await expect.poll(stateOf(page)).toMatch("1 variant ran: pass.");
  await write(page, TWO_OF_THREE.replace("burst: 3", "burst: 4"));
  await expect.poll(stateOf(page)).toMatch("1 variant ran, 1 failed.");
  await page.locator("summary", { hasText: "Digests of the histories" }).click();
  const shown = await page.locator("#digests code").textContent();
  const four = { text: expect.stringContaining("burst: 4") };
  await expect.poll(() => addressOf(page)).toMatchObject(four);
  const other = await openServed(
    new URL("..", page.url()).href,
    { at: new URL(page.url()).hash.slice(1) },
    PLAYGROUND,
  );
  await expect.poll(stateOf(other)).toMatch("1 variant ran, 1 failed.");
  await other.locator("summary", { hasText: "Digests of the histories" }).click();
  expect(await other.locator("#digests code").textContent()).toBe(shown);

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

test("an address that was cut off is reported, and the page goes on", async () => {
  const { url } = await startSite();
  const fragment = await fragmentOf({ file: "two.yaml", seed: 3, text: TWO_OF_THREE });
  const page = await openServed(url, { at: fragment.slice(1, -9) }, PLAYGROUND);
  await expect.poll(stateOf(page)).toMatch(/^The address of this page is incomplete/);
  await write(page, TWO_OF_THREE);
  await expect.poll(stateOf(page)).toMatch("1 variant ran: pass.");
});

test("a run that is too large does not begin, one that is long is stopped, and the page goes on", async () => {
  const page = await openPlayground(TWO_OF_THREE.replace("burst: 3", "burst: 3000000"));
  await expect
    .poll(stateOf(page))
    .toMatch(/^This scenario sends 3,000,000 requests, and a page runs at most/);
  await write(page, TWO_OF_THREE.replace("burst: 3", "burst: 1500000"));
  await page.locator("#stop").click();
  await expect.poll(stateOf(page)).toMatch("The run was stopped.");
  await write(page, TWO_OF_THREE);
  await expect.poll(stateOf(page)).toMatch("1 variant ran: pass.");
});

test("a worker that gives no sign of life is ended", async () => {
  const { url } = await startSite();
  const page = await openServed(url, {}, PLAYGROUND);
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

test("nothing of a hostile scenario becomes markup", async () => {
  const hostile = `<img src=x onerror="document.title='taken'"><script>document.title='taken'</script>`;
  const text = TWO_OF_THREE.replace("two of three", JSON.stringify(hostile))
    .replace("two are admitted", JSON.stringify(hostile))
    .replaceAll("alice", JSON.stringify(hostile));
  const page = await openPlayground(text);
  await expect.poll(stateOf(page)).toMatch(/1 variant ran/);
  await page.locator("summary", { hasText: "World and traffic" }).click();
  await page.locator("summary", { hasText: "1 refusal" }).click();
  await page.locator("details.refusal summary").click();
  await write(page, `${text}${hostile}: 1\n`);
  await expect.poll(stateOf(page)).toMatch("Nothing runs until the errors below are corrected.");
  expect(await page.locator("img").count()).toBe(0);
  expect(await page.title()).toBe("Weir playground");
  expect(await page.locator("#result").textContent()).toContain(hostile);
});

test("two limiters are compared without YAML, and the charts follow the hand", async () => {
  const { url } = await startSite();
  const page = await openServed(url, {}, PLAYGROUND);
  await page.locator("html[data-ready]").waitFor();
  await page.locator("#drag summary").click();
  await page.locator("select[name=second]").selectOption("gcra");
  await expect.poll(stateOf(page)).toMatch("2 variants ran: pass.");
  await page.locator("#form-rate").focus();
  await page.keyboard.press("End");
  await expect
    .poll(() => page.locator(".sides > div > h4").allTextContents())
    .toEqual(["limit=100/5s algorithm=fixed_window", "limit=100/5s algorithm=gcra"]);
  await page.locator(".sides .drawing.drawn").nth(1).waitFor();
  expect(await page.locator('output[for="form-rate"]').textContent()).toBe("100 requests");
  expect(await page.locator(".cm-content").textContent()).toContain("rate: 100, per: 5s");
  await expect.poll(() => page.locator("#state").textContent()).toBe("2 variants ran: pass.");
  await expect
    .poll(() => addressOf(page))
    .toMatchObject({
      file: "scenarios/try/traffic.yaml",
      form: { numbers: { rate: 100 }, names: { second: "gcra" } },
    });
  const fragment = new URL(page.url()).hash;

  const other = await openServed(url, { at: fragment.slice(1) }, PLAYGROUND);
  await expect.poll(stateOf(other)).toBe("2 variants ran: pass.");
  expect(await other.locator("#drag").getAttribute("open")).toBe("");
  expect(await other.locator("select[name=second]").inputValue()).toBe("gcra");
  expect(await other.locator("#form-rate").inputValue()).toBe("100");
  expect(await other.locator('output[for="form-rate"]').textContent()).toBe("100 requests");
  await other.locator("summary", { hasText: "Digests of the histories" }).click();
  await expect.poll(() => other.locator("#digests code").count()).toBe(2);
  const shown = await other.locator("#digests code").allTextContents();
  expect(await digestsInNode(other)).toEqual(shown);
  // Of a text that was changed by hand the form knows nothing.
  await write(other, TWO_OF_THREE);
  await expect.poll(stateOf(other)).toMatch("1 variant ran: pass.");
  await expect.poll(() => addressOf(other)).not.toHaveProperty("form");
});

test("a click adds an injected fault to the scenario", async () => {
  const page = await openPlayground(TWO_OF_THREE.replace("burst: 3, at: 0s", "rate: 4, for: 10s"));
  await expect.poll(stateOf(page)).toMatch("1 variant ran, 1 failed.");
  await page.locator("summary", { hasText: "Let something fail" }).click();
  const admitted = page.locator("#result .variant p", { hasText: "offered" }).first();
  const before = await admitted.textContent();
  await page.locator("#inject-at").press("Home");
  for (let tenths = 0; tenths < 25; tenths++) await page.locator("#inject-at").press("ArrowRight");
  await page.getByRole("button", { name: "Gateway crashes" }).click();
  await expect
    .poll(() => page.locator(".cm-content").textContent())
    .toContain("faults:  - { at: 2.5s, gateway: crash, node: 0 }");
  // Requests on the way to it are lost.
  await expect.poll(() => admitted.textContent()).not.toBe(before);
});

test("a click changes a limit by a call, and Node performs the same", async () => {
  const page = await openPlayground(TWO_OF_THREE.replace("burst: 3, at: 0s", "rate: 4, for: 10s"));
  await expect.poll(stateOf(page)).toMatch("1 variant ran, 1 failed.");
  await page.locator("summary", { hasText: "Let something fail" }).click();
  expect(await page.locator("#inject select").inputValue()).toBe("0");
  expect(await page.locator("#inject option").allTextContents()).toEqual(["key alice"]);
  const rate = page.locator("#inject input[name=rate]");
  expect(await rate.inputValue()).toBe("4");
  await rate.fill("5");
  await page.locator("#inject-at").fill("2");
  const admitted = page.locator("#result .variant p", { hasText: "offered" }).first();
  const before = await admitted.textContent();
  await page.getByRole("button", { name: "Change the limit" }).click();
  await expect
    .poll(() => page.locator(".cm-content").textContent())
    .toContain("{ at: 2s, name: change 1, call: PUT admin/org/keys/alice, body: { rate: 5 } }");
  await expect.poll(() => admitted.textContent()).not.toBe(before);
  await page.locator("summary", { hasText: "Digests of the histories" }).click();
  await expect.poll(() => page.locator("#digests code").count()).toBe(1);
  const shown = await page.locator("#digests code").allTextContents();
  expect(await digestsInNode(page)).toEqual(shown);
});

test("the link to the contents keeps the address of the run", async () => {
  const page = await openPlayground(TWO_OF_THREE);
  await expect.poll(stateOf(page)).toMatch("1 variant ran: pass.");
  const before = page.url();
  await page.locator("a.skip").press("Enter");
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("contents");
  await expect.poll(() => page.url()).toBe(before);
  expect(await page.locator("#state").textContent()).toBe("1 variant ran: pass.");
});
