// A reader without a mouse: everything that the playground is for, by keys alone.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { fragmentOf, stateOf } from "#src/show/site/address.ts";
import { openServed } from "./opened.ts";
import { startSite } from "./site.ts";

const TEXT = `title: two of four
world:
  gateway: { algorithm: fixed_window }
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 2, per: 1 } }
traffic:
  - { as: alice, send: GET /orders, rate: 4, for: 10s }
expect:
  - { id: some are admitted, count: { status: 200 }, atLeast: 1 }
`;

const MOST_TABS = 80;

/** By the tabulator, forwards or backwards, as often as it needs. */
async function tabTo(
  page: Page,
  selector: string,
  key: "Shift+Tab" | "Tab" = "Tab",
): Promise<void> {
  for (let tabs = 0; tabs < MOST_TABS; tabs++) {
    const isThere = await page.evaluate(
      (wanted) => document.activeElement?.matches(wanted) === true,
      selector,
    );
    if (isThere) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${selector} is not reached by ${key}`);
}

test("a keyboard edits, runs, pauses, steps, reads why, moves a flag and shares", async () => {
  const { url } = await startSite();
  const fragment = await fragmentOf({ file: "mine/four.yaml", seed: 1, text: TEXT });
  const page = await openServed(
    url,
    { at: fragment.slice(1), permissions: ["clipboard-read", "clipboard-write"] },
    "playground/",
  );
  const { keyboard } = page;
  const text = (selector: string) => () => page.locator(selector).textContent();
  const part = (name: string): string => `#timeline [data-part="${name}"]`;
  await expect.poll(text("#state")).toMatch("1 variant ran: pass.");

  await tabTo(page, ".cm-content");
  await keyboard.press("ControlOrMeta+End");
  await keyboard.press("ArrowUp");
  await keyboard.press("End");
  await keyboard.press("ArrowLeft");
  await keyboard.press("ArrowLeft");
  await keyboard.press("Backspace");
  await keyboard.type("21");
  await expect.poll(text("#state")).toMatch("1 variant ran, 1 failed.");
  await keyboard.press("Backspace");
  await keyboard.press("Backspace");
  await keyboard.type("20");
  await expect.poll(text("#state")).toMatch("1 variant ran: pass.");

  await tabTo(page, part("moment"), "Shift+Tab");
  await keyboard.press("Home");
  expect(await text(part("now"))()).toBe("0s");
  await tabTo(page, part("start"));
  await keyboard.press("Enter");
  await expect.poll(text(part("now"))).not.toBe("0s");
  await keyboard.press("Space");
  expect(await text(part("start"))()).toBe("Start");
  const paused = await text(part("now"))();
  await page.waitForTimeout(100);
  expect(await text(part("now"))()).toBe(paused);
  await tabTo(page, part("next"));
  await keyboard.press("Enter");
  expect(await text(part("now"))()).not.toBe(paused);
  await tabTo(page, part("moment"), "Shift+Tab");
  await keyboard.press("Home");
  await tabTo(page, part("refusal"));
  await keyboard.press("Enter");
  expect(await text(part("now"))()).toBe("500ms");
  await expect
    .poll(text(part("reason")))
    .toContain("all 2 requests per second for this key were used");
  expect(await text(part("reason"))()).toContain("The specification requires this response.");
  await tabTo(page, part("back"), "Shift+Tab");
  await keyboard.press("Enter");
  expect(await text(part("now"))()).toBe("250ms");
  expect(await text(part("reason"))()).toBe("");

  // What fails comes at the moment, is moved by arrow keys, as fast as they come, and is removed.
  await tabTo(page, "[data-inject]");
  await keyboard.press("Enter");
  await expect.poll(text("#state")).toMatch("1 variant ran, 1 failed.");
  await tabTo(page, ".flag .move", "Shift+Tab");
  for (let presses = 0; presses < 3; presses++) await keyboard.press("ArrowRight");
  await expect.poll(text(".cm-content")).toContain("at: 0.9s, gateway: crash");
  await keyboard.press("Delete");
  await expect.poll(text("#state")).toMatch("1 variant ran: pass.");

  // With its flag gone, the focus is on the slider.
  await tabTo(page, "#share", "Shift+Tab");
  await keyboard.press("Enter");
  await expect.poll(text("#share")).toBe("Copied");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(await stateOf(new URL(copied).hash)).toEqual({
    file: "mine/four.yaml",
    seed: 1,
    text: TEXT.replace("atLeast: 1 ", "atLeast: 20 "),
  });
});
