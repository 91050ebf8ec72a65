// From a figure to rows, signals and a legend, on figures that are written by hand.
import { expect, test } from "vitest";
import { drawableOf } from "#src/show/figures/drawable-of.ts";
import { svgOf } from "#src/show/figures/svg.ts";
import { renderChartSvg } from "#src/show/html/saved-chart.ts";
import { templates } from "#src/show/figures/templates.ts";
import type { ComparedFigure, TimeFigure } from "#src/lab/report/model-figures.ts";

const time = (different: Partial<TimeFigure> = {}): TimeFigure => ({
  kind: "time",
  shows: "demand",
  title: "admitted and refused",
  unit: "requests per second",
  untilS: 4,
  binS: 1,
  bars: [
    { what: "admitted", values: [5, 0, 5, 5] },
    { what: "refused 429", values: [2, 3, 0, 0] },
  ],
  curves: [],
  lines: [],
  limits: [{ what: "limit: 5 per 1s", at: [0, 4], values: [5, 5] }],
  spans: [{ what: "store is down", fromS: 1, toS: 2, text: "store is down" }],
  marks: [{ what: "RateLimitSmoothingUp", atS: 2.5, text: "RateLimitSmoothingUp, and 1 more" }],
  top: null,
  ...different,
});

test("bars are stacked, and a bar of zero is absent", () => {
  expect(drawableOf(time()).data["bars"]).toEqual(
    [
      [0, 1, 0, 5, "admitted"],
      [2, 3, 0, 5, "admitted"],
      [3, 4, 0, 5, "admitted"],
      [0, 1, 5, 7, "refused"],
      [1, 2, 0, 3, "refused"],
    ].map(([from, to, low, high, colour]) => ({ from, to, low, high, colour: `var(--${colour})` })),
  );
});

test("both axes have their units", async () => {
  const drawing = await svgOf(time(), templates());
  expect(drawing).toContain(">requests per second</text>");
  expect(drawing).toContain(">seconds</text>");
});

test("an axis that counts requests has no half of one, and one of measured numbers has parts", async () => {
  const sixRequests = await svgOf(
    {
      kind: "sequence",
      title: "answers",
      runs: [{ flow: "a", from: 0, to: 6, status: 200, isRejected: false }],
    },
    templates(),
  );
  expect(sixRequests).toContain(">5</text>");
  expect(sixRequests).not.toMatch(/>\d\.5<\/text>/);
  const parts = [{ what: "operations", value: 2.5 }];
  const measured = await svgOf(
    { kind: "compared", title: "operations", unit: "operations", rows: [{ name: "log", parts }] },
    templates(),
  );
  expect(measured).toMatch(/>\d\.\d<\/text>/);
});

test("pointing at a bin shows all its values", () => {
  const tips = drawableOf(
    time({ lines: [{ what: "allowance", at: [0, 2.2, 4], values: [2, 6, 6] }] }),
  ).data["hover"]!.map(({ tip }) => tip);
  expect(tips).toEqual([
    "0 to 1 s\nadmitted: 5\nrefused 429: 2\nallowance: 2\nlimit: 5 per 1s: 5",
    "1 to 2 s\nadmitted: 0\nrefused 429: 3\nallowance: 2\nlimit: 5 per 1s: 5\nstore is down",
    "2 to 3 s\nadmitted: 5\nrefused 429: 0\nallowance: 6\nlimit: 5 per 1s: 5\nRateLimitSmoothingUp, and 1 more",
    "3 to 4 s\nadmitted: 5\nrefused 429: 0\nallowance: 6\nlimit: 5 per 1s: 5",
  ]);
});

test("a change at the end of a bin is shown in the next one", () => {
  const { data } = drawableOf(
    time({
      lines: [{ what: "allowance", at: [0, 2], values: [2, 6] }],
      limits: [{ what: "limit", at: [0, 1, 3], values: [5, 7, 9] }],
      spans: [{ what: "store is down", fromS: 1, toS: 2, text: "store is down" }],
      marks: [{ what: "Up", atS: 1, text: "Up" }],
    }),
  );
  expect(data["hover"]!.map(({ tip }) => String(tip).split("\n").slice(3))).toEqual([
    ["allowance: 2", "limit: 5"],
    ["allowance: 2", "limit: 7", "store is down", "Up"],
    ["allowance: 6", "limit: 7"],
    ["allowance: 6", "limit: 9"],
  ]);
});

test("a short time is shown in milliseconds", () => {
  const { signals, data } = drawableOf(time({ untilS: 0.4, binS: 0.1 }));
  expect(signals).toMatchObject({ until: 400, xTitle: "milliseconds" });
  expect(data["hover"]![1]!["tip"]).toMatch(/^100 to 200 ms\n/);
});

test("a curve is as wide as its bins, and has a gap where there was nothing", () => {
  const { data } = drawableOf(
    time({ bars: [], curves: [{ what: "p50", values: [3, null, 7, 8] }] }),
  );
  expect(data["lines"]!.filter(({ part }) => String(part).startsWith("0."))).toMatchObject([
    { part: "0.0", at: 0, value: 3 },
    { part: "0.0", at: 1, value: 3 },
    { part: "0.1", at: 2, value: 7 },
    { part: "0.1", at: 3, value: 8 },
    { part: "0.1", at: 4, value: 8 },
  ]);
});

test("lines differ by more than their colour, and everything drawn has its name", () => {
  const line = (what: string): TimeFigure["lines"][number] => ({
    what,
    at: [0, 4],
    values: [1, 1],
  });
  const { legend } = drawableOf(
    time({ lines: [line("offered"), line("allowance"), line("other")] }),
  );
  expect(legend.map(({ what, look }) => [what, look])).toEqual([
    ["admitted", "bar"],
    ["refused 429", "bar"],
    ["offered", "broad"],
    ["allowance", "line"],
    ["other", "dashed"],
    ["limit: 5 per 1s", "limit"],
    ["store is down", "span"],
    ["RateLimitSmoothingUp", "mark"],
  ]);
  expect(new Set(legend.map(({ colour }) => colour)).size).toBe(legend.length);
});

test("the axis leaves room above a line, and figures to be compared share one", () => {
  expect(drawableOf(time()).signals["top"]).toBe(7);
  expect(drawableOf(time({ bars: [] })).signals["top"]).toBeCloseTo(5.2);
  expect(drawableOf(time({ bars: [], limits: [] })).signals["top"]).toBe(1);
  expect(drawableOf(time({ top: 50 })).signals["top"]).toBeCloseTo(52);
});

test("one of several charts is smaller, and has only the words that its title lacks", () => {
  const small = drawableOf(
    time({ shows: "entries", bars: [], limits: [], curves: [{ what: "entries", values: [1, 2] }] }),
  );
  expect(small).toMatchObject({ isSmall: true, legend: [] });
  expect(small.height).toBeLessThan(drawableOf(time()).height);
});

const compared: ComparedFigure = {
  kind: "compared",
  title: "admitted and refused",
  unit: "requests",
  rows: [
    {
      name: "first",
      parts: [
        { what: "admitted", value: 30 },
        { what: "refused", value: 10 },
      ],
    },
    { name: "</svg><script>", parts: [{ what: "admitted", value: 25 }] },
  ],
};

test("parts of a comparison are drawn one after the other, on one scale", () => {
  const { data, signals } = drawableOf(compared);
  expect(signals["until"]).toBe(40);
  expect(data["names"]!.map(({ text }) => text)).toEqual(["first", "</svg><script>: 25"]);
  expect(data["pieces"]).toMatchObject([
    { from: 0, to: 30, text: "30 (75.0 %)", tip: "first: 30 admitted (75.0 %)" },
    { from: 30, to: 40, text: "10 (25.0 %)", tip: "first: 10 refused (25.0 %)" },
    { from: 0, to: 25 },
  ]);
});

test("a drawing has the height that is computed before, and no name is cut off", async () => {
  for (const figure of [time(), time({ shows: "bytes" }), compared]) {
    const svg = await svgOf(figure, templates());
    expect(svg).toContain(`height="${drawableOf(figure).height}"`);
    expect(svg).not.toContain("<script>");
  }
});

test("what looks like an attribute in a text stays in it, and a title is no pattern", async () => {
  const names = [`a role="`, `b class="c" opacity="1"`];
  const rows = names.map((name) => ({ name, parts: [{ what: "admitted", value: 1 }] }));
  const svg = await svgOf({ ...compared, title: `of $& and $'`, rows }, templates());
  for (const name of names) expect(svg).toContain(`>${name}: 1</text>`);
  expect(svg).toContain(`aria-label="of $&amp; and $&#39;"`);
});

test("a saved chart has its title, counts and address, in colours of its own, and no name becomes markup", async () => {
  const figure = time({
    title: "<b>",
    bars: [{ what: "admitted", values: [5, 0.5, 5, 5] }],
    binS: 2,
  });
  const saved = renderChartSvg(
    {
      figure,
      subject: "a limit & its <i>key</i>",
      caption: "<b>",
      legend: drawableOf(figure).legend,
      height: 240,
      drawing: await svgOf(figure, templates()),
      address: `https://example.org/#${"x".repeat(500)}`,
    },
    (name) => (name === "admitted" ? "#123456" : "#abcdef"),
  );
  expect(saved).toContain("<title>a limit &amp; its &lt;i&gt;key&lt;/i&gt;: &lt;b&gt;</title>");
  expect(saved).toContain(">admitted: 31</text>");
  expect(saved).toContain('fill="#123456"');
  expect(saved).toContain(`<desc>https://example.org/#${"x".repeat(500)}</desc>`);
  expect(saved).toMatch(/>https:\/\/example\.org\/#x{80,100}…<\/text>/);
  expect(saved).not.toContain("var(--");
});
