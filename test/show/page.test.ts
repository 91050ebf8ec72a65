import { expect, test } from "vitest";
import { reportOf, scenarioReport } from "#src/lab/report/build/report-of.ts";
import { svgOf } from "#src/show/figures/svg.ts";
import { templates } from "#src/show/figures/templates.ts";
import { html, NOTHING, trustMarkup } from "#src/show/html/html.ts";
import { pageOf } from "#src/show/html/page.ts";
import { runPart } from "#src/show/html/run.ts";
import { runReport } from "./small-runs.ts";
import { RUN } from "./report-with.ts";

const sly = `"</title><script>alert(1)</script> <img src=x onerror='alert(2)'> & more"`;
const scenarios = [
  runReport({ title: sly, traffic: "burst: 8" }),
  runReport({ traffic: "stages: [{ name: flood, rate: 20, for: 3s }]" }),
].map((judged) => scenarioReport(judged, "its text"));
const report = reportOf({ ...RUN, argv: ["run", "<b>"] }, scenarios, () => "");
const figures = scenarios.map(({ variants }) => variants[0]!.figures[0]!);
const page = String(
  pageOf(
    [runPart(report)],
    new Map([["0.0.0", trustMarkup(await svgOf(figures[0]!, templates()))]]),
    {
      policy: trustMarkup("default-src 'none'"),
      style: NOTHING,
      script: html`the script`,
      data: "the data",
      templates: html`{}`,
    },
  ),
);

test("texts are shown as they are and never become part of the page", () => {
  expect(page).toContain(
    "&lt;script&gt;alert(1)&lt;/script&gt; &lt;img src=x onerror=&#39;alert(2)&#39;&gt; &amp; more",
  );
  expect(page).toContain("A &lt;b&gt;small&lt;/b&gt; world &amp; its traffic.");
  expect(page).toContain("weir run &#39;&lt;b&gt;&#39;");
  expect(page).not.toMatch(/<script>|<img|onerror='/);
});

test("the page names no address but places in itself", () => {
  const named = [...page.matchAll(/<[^>]*\s(?:href|src)="([^"]*)"/g)].map((match) => match[1]!);
  expect(named).toContain("#s-limits_small");
  expect(named.filter((address) => !/^data:,$|^#[A-Za-z0-9._-]+(?:$|\?)/.test(address))).toEqual(
    [],
  );
});

test("every scenario has a place for its chart, which contains charts that were drawn before", () => {
  expect(page.match(/<figure>/g)).toHaveLength(2);
  expect(page.match(/<svg role="img"/g)).toHaveLength(1);
  expect(page.match(/data-figure="1.0.0" style="height:240px"><\/div>/g)).toHaveLength(1);
  expect(page.match(/<td>counted/g)).toHaveLength(2);
  expect(page).toContain("5 × 200");
  expect(page).toContain("3 × 429");
});

test("a drawing takes its colours from the page and is small", async () => {
  for (const figure of figures) {
    const drawing = await svgOf(figure, templates());
    expect(drawing).toContain("var(--refused)");
    expect(drawing).not.toMatch(/(?:fill|stroke)="(?:#|rgb|white|black)/);
    expect(drawing.length).toBeLessThan(20_000);
  }
});
