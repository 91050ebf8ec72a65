// A log on the playground: chosen or dropped, replayed in the page, and shown as text.
import { expect, test } from "vitest";
import { overhangOf, seriousIn } from "./axe.ts";
import { openServed } from "./opened.ts";
import { startSite } from "./site.ts";

const HOSTILE = `<img src=x onerror="document.title='taken'">`;
const LOG = [0, 0, 0, 1, 2]
  .map((second) =>
    JSON.stringify({ time: `2026-01-05T10:00:0${second}Z`, user: HOSTILE, path: "/orders" }),
  )
  .join("\n");

test("a log is replayed when it is dropped or chosen, and again with another limit", async () => {
  const { url } = await startSite();
  const page = await openServed(url, { width: 360 }, "playground/");
  await page.locator("html[data-ready]").waitFor();
  const output = page.locator("#logs pre");
  await page.evaluate((text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], "access.log"));
    const init = { dataTransfer, bubbles: true, cancelable: true };
    document.body.dispatchEvent(new DragEvent("dragover", init));
    document.body.dispatchEvent(new DragEvent("drop", init));
  }, LOG);
  await expect
    .poll(() => output.textContent())
    .toContain("no column has ip; the columns of the log are time, user, path");
  await page.locator("#logs input[name=key]").fill("user");
  await page.locator("#logs input[name=rate]").fill("1");
  await page.locator("#logs input[name=per]").fill("60");
  await page.locator("#logs input[name=per]").press("Tab");
  await expect.poll(() => output.textContent()).toMatch(/1\/1m +fixed_window +4 /);
  expect(await output.textContent()).toContain("<img src=x");
  const charts = page.locator("#logs [data-charts]");
  const moving = charts.locator("section", { hasText: "a limit that moves" });
  await moving.scrollIntoViewIfNeeded();
  await moving.locator(".drawing.drawn").waitFor();
  const limit = moving.locator("input").first();
  const before = await moving.locator("output, [aria-live]").first().textContent();
  await limit.focus();
  await limit.press("ArrowUp");
  await expect
    .poll(() => moving.locator("output, [aria-live]").first().textContent())
    .not.toBe(before);
  const overTime = charts.locator("section", { hasText: "Refused over time" });
  await overTime.scrollIntoViewIfNeeded();
  await overTime.locator(".drawing.drawn").first().waitFor();
  expect(await charts.textContent()).toContain("<img src=x");
  expect(await page.locator("img").count()).toBe(0);
  expect(await page.title()).toBe("Weir playground");
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
  await page.locator("#logs input[name=log]").setInputFiles({
    name: "notes.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("no log\n"),
  });
  await expect
    .poll(() => output.textContent())
    .toMatch(/^notes\.txt: its first lines have no known format; a page reads only logs/);
  await expect.poll(() => charts.locator("section").count()).toBe(0);
});

const nginx = (rate: number): string =>
  `limit_req_zone $http_x_plan zone=<b>:1m rate=1r/s;
limit_req_zone $remote_addr zone=all:1m rate=${rate}r/m;
server { limit_req zone=all burst=9 nodelay; location /a { limit_req zone=<b>; } }
`;

test("two configurations are compared when they are pasted or dropped, and nothing is sent", async () => {
  const { url } = await startSite();
  const page = await openServed(url, { width: 360, bypassCSP: true }, "playground/");
  await page.locator("html[data-ready]").waitFor();
  const sent: string[] = [];
  page.on("request", (request) =>
    sent.push(`${request.method()} ${request.url().replace(url, "")}`),
  );
  const output = page.locator("#compare [data-part=result]");
  await page.locator("#compare summary").click();
  await page.locator("#compare textarea[name=before]").fill(nginx(60));
  await page.evaluate((text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], "new.conf"));
    const init = { dataTransfer, bubbles: true, cancelable: true };
    document.querySelector("[name=after]")!.dispatchEvent(new DragEvent("drop", init));
  }, nginx(30));
  await expect.poll(() => output.textContent()).toMatch(/^10 clients would lose [\d,]+ requests, /);
  expect(await output.textContent()).toContain("rate=60r/m became rate=30r/m (new.conf:2)");
  expect(await page.locator("#logs pre").textContent()).toBe("");
  await page.locator("#compare input[name=clients]").fill("1");
  await expect.poll(() => output.textContent()).toMatch(/^1 client would lose [\d.]+ % of its /);
  await page.locator("#compare textarea[name=after]").fill("<img src=x>");
  await expect.poll(() => output.textContent()).toMatch(/^new\.conf is no configuration that /);
  await page.locator("#compare input[name=after-file]").setInputFiles({
    name: "large.conf",
    mimeType: "text/plain",
    buffer: Buffer.alloc(5_000_000, "#"),
  });
  await expect
    .poll(() => output.textContent())
    .toBe("large.conf is too large for a page; use weir diff OLD NEW.");
  expect(await page.locator("#compare :is(img, b)").count()).toBe(0);
  expect(sent).toContain("GET assets/configuration-worker.js");
  expect(sent.filter((each) => !each.startsWith("GET assets/"))).toEqual([]);
  expect(await overhangOf(page)).toBeLessThanOrEqual(0);
  expect(await seriousIn(page)).toEqual([]);
});
