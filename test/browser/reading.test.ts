import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { open } from "./opened.ts";
import { pageWithChange, smallPage } from "./pages.ts";
import { SLY } from "./small-suite.ts";

test("the verdict is first, with the failures", async () => {
  const page = await open(await smallPage());
  await expect.poll(() => page.locator("h1").first().textContent()).toMatch(/\d/);
  const first = page.locator(".scenarios > section").first();
  expect(await first.locator(".badge").first().textContent()).toMatch(/fail|vacuous/);
});

test("on a wide screen the parts of the first screen fill its width", async () => {
  const page = await open(await smallPage(), { width: 2560 });
  const { right, last } = await page.evaluate(() => {
    const about = document.querySelector(".about-run")!;
    const parts = [...about.children].map((part) => part.getBoundingClientRect().right);
    return { right: about.getBoundingClientRect().right, last: Math.max(...parts) };
  });
  expect(right - last).toBeLessThan(40);
});

test("words and filters leave the matches, count them, and are part of the address", async () => {
  const page = await open(await smallPage());
  const shown = page.locator(".scenarios > section:not([hidden])");
  await expect.poll(() => shown.count()).toBe(9);
  await page.keyboard.press("/");
  await page.keyboard.type("allowance climbs");
  await expect.poll(() => shown.count()).toBe(1);
  expect(await page.locator("output[name=hits]").textContent()).toBe("1 of 9 scenarios");
  const address = page.url();
  await page.locator("form button[type=reset]").click();
  await expect.poll(() => shown.count()).toBe(9);
  await page.selectOption("#find-outcome", "vacuous");
  await expect.poll(() => shown.count()).toBe(1);
  expect(await shown.getAttribute("id")).toBe("s-limits_nobody-comes");

  const again = await open(await smallPage(), { at: address.split("#")[1]! });
  await expect.poll(() => again.locator(".scenarios > section:not([hidden])").count()).toBe(1);
});

test("an address leads to its variant, and back", async () => {
  const page = await open(await smallPage(), {
    at: "s-limits_five-at-once?variant=algorithm%3Dtoken_bucket",
  });
  const select = page.locator("#s-limits_five-at-once select");
  await expect.poll(() => select.inputValue()).toBe("2");
  await page.locator("#s-limits_five-at-once [data-step='1']").click();
  await expect.poll(() => select.inputValue()).toBe("0");
  await page.goBack();
  await expect.poll(() => select.inputValue()).toBe("2");
});

test("every line that shows something again is copied, also one that is written when it is opened", async () => {
  const page = await open(await smallPage(), {
    before: () => {
      Object.defineProperty(navigator, "clipboard", {
        value: { writeText: async (text: string) => void (document.title = text) },
      });
    },
  });
  const section = page.locator("#s-limits_four-is-wrong");
  await section.locator("details.refusals > summary").click();
  await section.locator("details.refusal > summary").first().click();
  for (const [place, line] of [
    [page.locator(".again"), /^weir run /],
    [section.locator(".verdict").first(), /^weir run .*four-is-wrong\.yaml --only '.*' --seed 1$/],
    [
      section.locator(".refusal").first(),
      /^weir explain .*four-is-wrong\.yaml flood:\d+ .*--seed 1$/,
    ],
  ] as const) {
    const button = place.locator("[data-copy]").first();
    await button.click();
    await expect.poll(() => button.textContent()).toBe("Copied");
    expect(await page.title()).toMatch(line);
  }
});

test("an address whose variant is gone shows a notice", async () => {
  const page = await open(await smallPage(), { at: "s-limits_five-at-once?variant=other" });
  await expect
    .poll(() => page.locator("#s-limits_five-at-once .lost").textContent())
    .toContain("other");
});

test.for([
  ["s-limits_nope", "The scenario that this address names is not in this report: limits_nope."],
  [
    "r-NOPE-1?scheme=dark",
    "The requirement that this address names is not in this report: NOPE-1.",
  ],
  ["nope", "What this address names is not in this report: nope."],
] as const)("an address without a target shows a notice: %s", async ([at, words]) => {
  const page = await open(await smallPage(), { at });
  const notice = page.locator("main > .lost");
  await expect.poll(() => notice.textContent()).toBe(words);
  await page.locator(".overview a[href='#s-limits_five-at-once']").click();
  await expect.poll(() => notice.count()).toBe(0);
});

test.for(["", "r-LIM-1", "r-LIM-4", "r-LIM", "requirements"])(
  "an address with a target shows no notice: #%s",
  async (at) => {
    const page = await open(await smallPage(), { at });
    await page.locator("#unfinished").waitFor({ state: "detached" });
    expect(await page.locator(".lost").count()).toBe(0);
  },
);

test("a refusal opens to its budget, its rule, what filled it and when it would have passed", async () => {
  const page = await open(await smallPage(), { at: "s-limits_five-at-once" });
  await page.locator("#s-limits_five-at-once details.refusals > summary").click();
  await page.locator("#s-limits_five-at-once details.refusal > summary").first().click();
  const opened = page.locator("#s-limits_five-at-once details.refusal").first();
  await opened.locator("svg").first().waitFor();
  const text = (await opened.textContent())!;
  expect(text).toContain("5 per 1s");
  expect(text).toContain("LIM-");
  expect(text).toMatch(/1\s?s/);
});

test("a cell of the matrix leads to the verdict that speaks for it", async () => {
  const page = await open(await smallPage(), { at: "requirements" });
  const cell = page.locator(".grid a[href*='four-is-wrong']").first();
  await cell.click();
  const marked = page.locator("#s-limits_four-is-wrong .variant .here");
  await expect.poll(() => marked.first().textContent()).toContain("four in any second");
});

test("everything is reached by keys alone, and what has the focus is seen", async () => {
  const page = await open(await smallPage());
  await page.locator(".drawing.drawn").first().waitFor();
  const seen = new Set<string>();
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const element = document.activeElement!;
      const { outlineStyle, boxShadow } = getComputedStyle(element);
      return {
        what: `${element.tagName} ${element.id || element.className}`,
        isSeen: outlineStyle !== "none" || boxShadow !== "none",
      };
    });
    expect.soft(focused.isSeen, focused.what).toBe(true);
    seen.add(focused.what);
  }
  expect([...seen][0]).toBe("A skip");
  expect([...seen]).toContain("INPUT find");
  expect(seen.size).toBeGreaterThan(8);
});

test("names that mean harm are words", async () => {
  const page = await open(await smallPage(), { at: "s-limits_sly-names" });
  const section = page.locator("#s-limits_sly-names");
  await expect.poll(() => section.locator("h3").first().textContent()).toContain(SLY);
  await section.locator("[data-step='1']").click();
  for (const summary of await section.locator("summary").all()) await summary.click();
  expect(await page.locator("img, iframe, object").count()).toBe(0);
});

test("an address keeps how the page looks, whatever is done next", async () => {
  const page = await open(await smallPage(), { colorScheme: "light" });
  const address = (): Promise<string> => page.evaluate(() => location.hash);
  await page.locator("#scheme").click();
  expect(await address()).toBe("#?scheme=dark");
  await page.locator("#find").fill("window");
  await expect.poll(address).toBe("#?text=window&scheme=dark");
  await page.locator("[type=reset]").click();
  await expect.poll(address).toBe("#?scheme=dark");
  await page.locator(".overview a[href='#s-limits_five-at-once']").click();
  await expect.poll(address).toBe("#s-limits_five-at-once?scheme=dark");
  await page.locator("#scheme").click();
  await page.locator("#s-limits_five-at-once [data-step='1']").click();
  await expect.poll(address).toMatch(/^#s-limits_five-at-once\?variant=.*&scheme=light$/);
});

describe("without a script", () => {
  test("a failure is described and drawn", async () => {
    const page = await open(await smallPage(), { javaScriptEnabled: false });
    const failed = page.locator("#s-limits_four-is-wrong");
    expect(await failed.locator(".badge").first().textContent()).toContain("fail");
    expect(await failed.locator("svg").count()).toBeGreaterThan(0);
    expect(await failed.textContent()).toContain("four in any second");
    expect(await page.locator(".live").first().isVisible()).toBe(false);
  });
});

test.for([
  ["cut off", (text: string) => text.replace(/(id="packed">.{800}).*?</, "$1<")],
  ["edited", (text: string) => text.replace(/(id="packed">.{400})...../, "$1AAAAA")],
] as const)("data that was %s shows a notice", async ([name, change]) => {
  const page = await open(await pageWithChange(`${name.replace(" ", "-")}.html`, change));
  await expect
    .poll(() => page.locator("[role=alert]").first().textContent())
    .toContain("cannot be read");
});

/** A page has some seconds to begin; whether it shows its notice after them. */
const isUnfinished = async (page: Page): Promise<boolean> => {
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.finish();
  });
  return page.locator("#unfinished").isVisible();
};

test.for([
  ["texts", 'id="s-limits_four-is-wrong"', 200],
  ["data", 'id="packed">', 800],
  ["script", '<script type="module">', 800],
  ["end", "</script>\n</body>", 0],
] as const)("a page that was cut off in its %s shows a notice", async ([name, mark, more]) => {
  const page = await open(
    await pageWithChange(`cut-in-${name}.html`, (text) => text.slice(0, text.indexOf(mark) + more)),
  );
  expect(await isUnfinished(page)).toBe(true);
  expect(await page.locator("[role=alert]").textContent()).toContain("incomplete");
});

test("a complete page shows no notice of being cut off, nor does one without scripts", async () => {
  const page = await open(await smallPage());
  await page.locator("#unfinished").waitFor({ state: "detached" });
  const silent = await open(await smallPage(), { javaScriptEnabled: false });
  expect(await isUnfinished(silent)).toBe(false);
});

test("requirements are a tab that an address leads to, and so do links into it and back", async () => {
  const page = await open(await smallPage());
  const [run, matrix] = [page.locator(".run"), page.locator(".matrix")];
  await expect.poll(() => matrix.isVisible()).toBe(false);
  expect(await run.isVisible()).toBe(true);
  await page.locator(".tabs a[href='#requirements']").click();
  await expect.poll(() => matrix.isVisible()).toBe(true);
  expect(await run.isVisible()).toBe(false);
  expect(await page.locator(".tabs [aria-current]").textContent()).toMatch(/^Requirements \d+$/);
  await page.locator(".matrix .area[open] .grid td a").first().click();
  await expect.poll(() => run.isVisible()).toBe(true);
  expect(await matrix.isVisible()).toBe(false);
  const again = await open(await smallPage(), { at: "r-LIM-1" });
  await expect.poll(() => again.locator("#r-LIM-1").isVisible()).toBe(true);
  const still = await open(await smallPage(), { javaScriptEnabled: false });
  expect(await still.locator(".matrix").isVisible()).toBe(true);
  expect(await still.locator(".run").isVisible()).toBe(true);
});

test("variants are sorted by the number whose button is pressed, each with its chart", async () => {
  const page = await open(await smallPage(), { at: "s-limits_five-at-once" });
  const all = page.locator("#s-limits_five-at-once details.variants");
  await all.locator("summary").click();
  const names = (): Promise<readonly string[]> => all.locator(".cards a").allTextContents();
  const before = await names();
  expect(before).toEqual(
    ["fixed_window", "sliding_log", "token_bucket"].map((each) => `algorithm=${each}`),
  );
  const button = all.getByRole("button", { name: "variant" });
  await button.click();
  expect(await names()).toEqual(before.toReversed());
  expect(await button.getAttribute("aria-pressed")).toBe("true");
  await button.press("Enter");
  expect(await names()).toEqual(before);
  expect(await all.locator("svg.spark").count()).toBe(before.length);
});
