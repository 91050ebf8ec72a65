import { expect, test } from "vitest";
import { buildReport } from "../../src/report/build.ts";
import { toHtml } from "../../src/report/html.ts";
import { svgOf } from "../../src/report/svg.ts";
import { played } from "./played.ts";

const sly = `"</title><script>alert(1)</script> <img src=x onerror='alert(2)'> & more"`;
const report = buildReport(
  [
    played({ title: sly, traffic: "burst: 8" }),
    played({ traffic: "stages: [{ name: flood, rate: 20, for: 3s }]" }),
  ],
  1,
);
const page = await toHtml(report);

test("texts are shown as they are and never become part of the page", () => {
  expect(page).toContain(
    "&lt;script&gt;alert(1)&lt;/script&gt; &lt;img src=x onerror=&#39;alert(2)&#39;&gt; &amp; more",
  );
  expect(page).toContain("A &lt;b&gt;small&lt;/b&gt; world &amp; its traffic.");
  expect(page).not.toMatch(/<script|<img|onerror='/);
});

test("the page names no address but places in itself", () => {
  expect([...page.matchAll(/<[^>]*\s(?:href|src)="([^"]*)"/g)].map((match) => match[1])).toEqual([
    "data:,",
    "#s-limits-small",
    "#s-limits-small",
  ]);
  expect(page).not.toMatch(/https?:|url\(|@import/);
  expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'`);
});

test("every scenario has its chart and its verdicts", () => {
  expect(page.match(/<figure>/g)).toHaveLength(2);
  expect(page.match(/<svg role="img"/g)).toHaveLength(2);
  expect(page.match(/counted/g)).toHaveLength(2);
  expect(page).toContain("5 × 200");
  expect(page).toContain("3 × 429");
});

test("the same report is the same page", async () => {
  expect(await toHtml(report)).toBe(page);
});

test("a drawing takes its colours from the page and is small", async () => {
  for (const { charts } of report.scenarios)
    for (const chart of charts) {
      const drawing = await svgOf(chart);
      expect(drawing).toContain("var(--refused)");
      expect(drawing).not.toMatch(/(?:fill|stroke)="(?:#|rgb|white|black)/);
      expect(drawing.length).toBeLessThan(20_000);
    }
});
