// The playground without YAML: its form, which is in step with the text, its examples, and its timeline.
import { expect, test } from "vitest";
import { TWO_OF_THREE } from "../show/site/two-of-three.ts";
import { openServed } from "./opened.ts";
import {
  addressOf,
  digestsInNode,
  openPlayground,
  part,
  PLAYGROUND,
  stateOf,
  write,
} from "./playground.ts";
import { startSite } from "./site.ts";

test("the form and the text are always in step, and Node runs what they have become", async () => {
  const { url } = await startSite();
  const page = await openServed(url, {}, PLAYGROUND);
  await page.locator("html[data-ready]").waitFor();
  const names = (): Promise<readonly string[]> => page.locator(".lane h3").allTextContents();
  const tab = (name: string): Promise<void> => page.getByRole("tab", { name }).click();
  expect(await page.locator("#form-burst").isVisible()).toBe(false);
  await page.locator("select[name=second]").selectOption("gcra");
  await expect.poll(names).toEqual(["fixed_window", "gcra"]);
  expect(await page.locator("#form-burst").isVisible()).toBe(true);
  await page.locator("#form-rate").focus();
  await page.keyboard.press("End");
  expect(await page.locator('output[for="form-rate"]').textContent()).toBe("100 requests");
  await expect.poll(() => part(page, "count").first().textContent()).toMatch(/^\d+ admitted$/);

  // What fails is in the text, and stays there while the form goes on.
  await page.getByRole("button", { name: "Gateway crashes", exact: true }).click();
  await expect
    .poll(() => page.locator(".flag .move").allTextContents())
    .toEqual(["gateway 0 crashes"]);
  await page.locator("#form-gateways").press("ArrowRight");
  await page.locator("#form-rate").press("Home");
  const crash = { text: expect.stringContaining("{ at: 15s, gateway: crash, node: 0 }") };
  await expect.poll(() => addressOf(page)).toMatchObject(crash);
  await tab("YAML");
  await page.locator(".cm-line", { hasText: "nodes: 2" }).waitFor();
  await page.locator(".cm-line", { hasText: "rate: 1, per: 5s" }).waitFor();

  // A change by hand moves the form, or hides it.
  await expect
    .poll(() => addressOf(page))
    .toMatchObject({ text: expect.stringContaining("nodes: 2") });
  const { text: written } = (await addressOf(page)) as { readonly text: string };
  await write(page, written.replace("per: 5s", "per: 7").replace("nodes: 2", "nodes: 3"));
  await expect.poll(() => page.locator("#form-per").inputValue()).toBe("7");
  expect(await page.locator("#form-gateways").inputValue()).toBe("3");
  await page.locator("summary", { hasText: "Digests of the histories" }).click();
  await expect.poll(() => page.locator("#digests code").count()).toBe(2);
  const shown = await page.locator("#digests code").allTextContents();
  expect(await digestsInNode(page)).toEqual(shown);
  await write(page, TWO_OF_THREE);
  await expect.poll(stateOf(page)).toMatch("1 variant ran: pass.");
  await tab("Form");
  expect(await page.locator("#form").isVisible()).toBe(false);
  await page.locator("#to-form").click();
  await expect.poll(names).toEqual(["fixed_window", "gcra"]);
  expect(await page.locator("#form").isVisible()).toBe(true);
});

test("each example opens its example, and the first is where the page begins", async () => {
  const { url } = await startSite();
  const page = await openServed(url, {}, PLAYGROUND);
  const names = (): Promise<readonly string[]> => page.locator(".lane h3").allTextContents();
  await expect.poll(names).toEqual(["fixed_window", "token_bucket"]);
  const herd = page.locator('[data-example="examples/retrying-herd"]');
  await herd.click();
  await expect.poll(names).toEqual(["sliding_log", "fixed_window"]);
  expect(await herd.getAttribute("aria-pressed")).toBe("true");
  await expect
    .poll(() => page.locator(".cm-content").textContent())
    .toContain("id: examples/retrying-herd");
  await page.locator("#result .drawing").first().scrollIntoViewIfNeeded();
  await page.locator("#result .drawing.drawn").first().waitFor();
  await page.locator("[data-example]").first().click();
  await expect.poll(names).toEqual(["fixed_window", "token_bucket"]);
  expect(await page.locator("#panel-form").isVisible()).toBe(true);
});

const FOUR = TWO_OF_THREE.replace("burst: 3, at: 0s", "name: steady, rate: 4, for: 10s").replace(
  "world:",
  "world:\n  gateway: { algorithm: fixed_window }",
);

test("a run is scrubbed, a request pointed at, and what fails is added, dragged and removed", async () => {
  const page = await openPlayground(FOUR);
  const counts = (): Promise<string | null> => part(page, "count").textContent();
  await expect.poll(counts).toBe("20 admitted, 20 refused");
  await part(page, "moment").press("Home");
  expect(await counts()).toBe("1 admitted");

  // The third request, at half a second: on an axis of 10 s, in the middle of its graph's first twentieth.
  const graph = page.locator(".lane .graph");
  const { x, y, width, height } = (await graph.boundingBox())!;
  await page.mouse.click(x + 0.0505 * width, y + height - 10);
  await expect.poll(() => part(page, "reason").textContent()).toContain("steady:3");
  expect(await part(page, "request").textContent()).toBe(
    "a request of steady at 500ms: refused 429.",
  );
  expect(await counts()).toBe("2 admitted, 1 refused");
  await page.mouse.move(x + 0.2 * width, y + 10);
  await page.mouse.down();
  await page.mouse.move(x + 0.51 * width, y + 10, { steps: 4 });
  await page.mouse.up();
  expect(await part(page, "when").textContent()).toBe("5.1 s");

  // Of the only gateway that crashes, the rest of the requests is lost, and the axis stays.
  await page.getByRole("button", { name: "Gateway crashes", exact: true }).click();
  const flag = page.locator(".flag .move");
  await flag.waitFor();
  await part(page, "moment").press("End");
  await expect.poll(counts).toBe("11 admitted, 10 refused, 19 lost");
  expect(await part(page, "ticks").locator("span").last().textContent()).toBe("10s");
  const box = (await flag.boundingBox())!;
  await page.mouse.move(box.x + 5, box.y + 5);
  await page.mouse.down();
  await page.mouse.move(box.x + 5 - 0.3 * width, box.y + 5, { steps: 4 });
  await page.mouse.up();
  await expect.poll(counts).toBe("5 admitted, 4 refused, 31 lost");
  expect(await page.locator(".cm-content").textContent()).toContain("at: 2.1s, gateway: crash");
  await page.getByRole("button", { name: "Remove: gateway 0 crashes" }).click();
  await expect.poll(counts).toBe("20 admitted, 20 refused");

  // A limit that changes is a call, which Node performs as well.
  const rate = page.locator("[data-part=limits] input");
  expect(await rate.inputValue()).toBe("4");
  await rate.fill("3");
  await page.getByRole("button", { name: "Change the limit" }).click();
  await expect.poll(counts).toMatch(/^2[1-9] admitted/);
  expect(await page.locator(".cm-content").textContent()).toContain(
    "{ at: 5s, name: change 1, call: PUT admin/org/keys/alice, body: { rate: 3 } }",
  );
  await page.locator("summary", { hasText: "Digests of the histories" }).click();
  await expect.poll(() => page.locator("#digests code").count()).toBe(1);
  const shown = await page.locator("#digests code").allTextContents();
  expect(await digestsInNode(page)).toEqual(shown);
});
