// The playground as tests use it: what a reader does there, in steps that several tests have.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { inject } from "vitest";
import { runScenario } from "#src/library/weir.node.ts";
import { digest } from "#src/lab/scenario/history/digest.node.ts";
import { writeHistory } from "#src/lab/scenario/history/write.ts";
import { fragmentOf, stateOf as stateIn } from "#src/show/site/address.ts";
import { openServed, type Look } from "./opened.ts";
import { startSite } from "./site.ts";

export const PLAYGROUND = "playground/";

export async function openPlayground(text: string | null, look: Look = {}): Promise<Page> {
  const { url } = await startSite();
  const fragment = text === null ? "" : await fragmentOf({ file: "mine/two.yaml", seed: 3, text });
  return openServed(url, { ...look, at: fragment.slice(1) }, PLAYGROUND);
}

export const stateOf =
  (page: Page): (() => Promise<string | null>) =>
  () =>
    page.locator("#state").textContent();

export const addressOf = (page: Page): ReturnType<typeof stateIn> =>
  stateIn(new URL(page.url()).hash);

export async function write(page: Page, text: string): Promise<void> {
  await page.getByRole("tab", { name: "YAML" }).click();
  await page.locator(".cm-content").click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
}

export async function save(page: Page): Promise<{ readonly name: string; readonly text: string }> {
  const saving = page.waitForEvent("download");
  await page.locator("#save").click();
  const saved = await saving;
  const file = join(inject("folder"), "saved.yaml");
  await saved.saveAs(file);
  return { name: saved.suggestedFilename(), text: readFileSync(file, "utf8") };
}

/** Of the file that the page saves, run by Node. */
export async function digestsInNode(page: Page): Promise<readonly string[]> {
  const { name, text } = await save(page);
  const seed = Number(await page.locator("#seed").inputValue());
  const { variants } = await runScenario({ file: `elsewhere/${name}`, text }, { seed });
  return variants.map(({ history }) => digest(writeHistory(history)));
}

export const part = (page: Page, name: string): Locator =>
  page.locator(`#timeline [data-part="${name}"]`);

/** Shows another scenario in the same page, as a link does. */
export const follow = (page: Page, fragment: string): Promise<void> =>
  page.evaluate((hash) => {
    location.hash = hash;
  }, fragment);
