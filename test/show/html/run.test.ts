import { expect, test } from "vitest";
import { scenarioReport } from "#src/lab/report/build/report-of.ts";
import { matrixHtml, matrixOf } from "#src/show/html/matrix.ts";
import { numbersHtml } from "#src/show/html/numbers.ts";
import { anchorOf } from "#src/show/html/parts.ts";
import { runPart } from "#src/show/html/run.ts";
import { sourceHtml } from "#src/show/html/source.ts";
import { summaryFigure } from "#src/show/html/summary.ts";
import { verdictOf } from "#src/show/html/top.ts";
import type { Report, ScenarioReport } from "#src/lab/report/model.ts";
import { reportWith } from "../report-with.ts";
import { runReport } from "../small-runs.ts";

const NONE = "{ id: none, count: { status: 429 }, equals: 0, among: { atLeast: 1 } }";
const good = scenarioReport(runReport({ traffic: "burst: 8" }), "");
const mixed = scenarioReport(
  runReport({ matrix: "matrix: { n: [5, 8] }", traffic: "burst: $n", expect: NONE }),
  "id: x\nexpect:\n",
);
const logged = scenarioReport(
  runReport({ algorithm: "sliding_log", traffic: "stages: [{ name: flood, rate: 20, for: 3s }]" }),
  "",
);

const elsewhere = (scenario: ScenarioReport, id: string): ScenarioReport => ({ ...scenario, id });

/** In real time by default. */
const came = (outcome: ScenarioReport["outcome"], driver = "redis"): ScenarioReport => ({
  ...good,
  outcome,
  variants: good.variants.map((variant) => ({ ...variant, driver, outcome })),
});

test("a cell is the worst that was found, and leads to it", () => {
  const { columns, areas } = matrixOf(reportWith([good, mixed, elsewhere(logged, "limits/log")]));
  expect(columns.map(({ algorithm }) => algorithm)).toEqual(["fixed_window", "sliding_log"]);
  const [limits] = areas;
  expect(limits!.rows.map(({ requirement }) => requirement.id)).toEqual(["LIM-1"]);
  expect(limits!.rows[0]!.cells).toEqual([
    {
      outcome: "fail",
      scenario: { id: "limits/small", file: "scenarios/limits/small.yaml" },
      variant: "n=8",
      line: mixed.variants[1]!.verdicts[0]!.line,
      alike: 1,
      variants: 3,
    },
    expect.objectContaining({
      outcome: "pass",
      scenario: expect.objectContaining({ id: "limits/log" }),
      variants: 1,
    }),
  ]);
  expect(limits!.untested.map(({ id }) => id)).toContain("LIM-2");
});

test("scenarios of one id, or of nearly one, have each an anchor of their own", () => {
  const lying = (id: string, file = `scenarios/${id}.yaml`) => ({ id, file });
  const anchors = [
    lying("limits/fine"),
    lying("limits/fine", "o/scenarios/limits/fine.yaml"),
    lying("limits/fine", "o/scenarios/limits/fine.yml"),
    lying("a-b/c"),
    lying("a/b-c"),
    lying("a/b_c"),
    lying("a/b c"),
    lying("a/\u{1f600}"),
    lying("a/\u{1f601}"),
  ].map(anchorOf);
  expect(new Set(anchors).size).toBe(anchors.length);
  expect(anchors.slice(0, 2)).toEqual(["s-limits_fine", "s-o_scenarios_limits_fine.2e.yaml"]);
});

test("a combination without variants has no cell, and every other one a sign, a number and an address", () => {
  const text = String(matrixHtml(matrixOf(reportWith([mixed]))));
  expect(text).toContain(
    `aria-label="LIM-1, fixed_window: 1 of 2 variants fails; links to it, in limits/small">✕<small>1 of 2</small>`,
  );
  expect(text).toMatch(/href="#s-limits_small\?variant=n%3D8&amp;line=\d+"/);
  expect(text.match(/<td>/g)).toHaveLength(1);
});

test.each([
  ["fail", 2, "2 of 3 variants fail; links to the first, in limits/small", "2 of 3"],
  ["error", 1, "1 of 3 variants has an error; links to it, in limits/small", "1 of 3"],
  ["vacuous", 2, "2 of 3 variants are vacuous; links to the first, in limits/small", "2 of 3"],
  [
    "inconclusive",
    3,
    "3 of 3 variants are inconclusive; links to the first, in limits/small",
    "3 of 3",
  ],
  ["pass", 3, "3 variants pass; links to the first, in limits/small", "3"],
] as const)(
  "a cell counts the variants with its worst outcome: %s, %i",
  (outcome, times, label, number) => {
    const [variant] = good.variants;
    const variants = [1, 2, 3].map((each) => ({
      ...variant!,
      name: `n=${each}`,
      // A variant with two such verdicts is one variant.
      verdicts: variant!.verdicts.flatMap((verdict) => {
        const changed = { ...verdict, outcome: each <= times ? outcome : ("pass" as const) };
        return [changed, changed];
      }),
    }));
    const text = String(matrixHtml(matrixOf(reportWith([{ ...good, variants }]))));
    expect(text).toContain(`: ${label}">`);
    expect(text).toContain(`<small>${number}</small></a>`);
  },
);

test("two drivers are two columns", () => {
  const other = {
    ...good,
    variants: good.variants.map((variant) => ({ ...variant, driver: "redis" })),
  };
  const { columns } = matrixOf(reportWith([good, other]));
  expect(columns.map(({ driver }) => driver)).toEqual(["redis", "virtual"]);
});

test.each([
  [reportWith([good]), "The variant passes."],
  [reportWith([good, logged]), "All 2 variants pass."],
  [reportWith([good, mixed]), "1 of 3 variants does not pass, in 1 scenario."],
  [reportWith([good], { isComplete: false }), "The variant passes so far."],
  [reportWith([]), "Nothing was run."],
  [reportWith([came("unsupported")]), "Nothing was run: no driver supports these variants."],
  [reportWith([came("inconclusive")]), "No variant passes; 1 was inconclusive."],
  [
    reportWith([good, came("pass"), came("inconclusive"), came("unsupported")]),
    "2 of 4 variants pass; 1 was inconclusive; 1 was not supported.",
  ],
  [
    reportWith([good, came("unsupported"), came("unsupported")]),
    "1 of 3 variants passes; 2 were not supported.",
  ],
  [reportWith([came("inconclusive", "virtual")]), "1 of 1 variant does not pass, in 1 scenario."],
])("%#: a run is summarised in one sentence", (report, sentence) => {
  expect(verdictOf(report)).toBe(sentence);
});

test("the page of a stopped run reports that first", () => {
  const html = (report: Report): string => String(runPart(report).html(new Map()));
  expect(html(reportWith([good]))).not.toContain("stopped before its end");
  const stopped = html(reportWith([good], { isComplete: false }));
  expect(stopped.indexOf("stopped before its end")).toBeLessThan(stopped.indexOf("<h1"));
  expect(stopped.indexOf("stopped before its end")).toBeGreaterThan(0);
});

test("the page of a run that fails for another reason reports that first, and is not green", () => {
  const differs = "1 difference from <kept>";
  const html = (report: Report): string => String(runPart(report).html(new Map()));
  expect(html(reportWith([good]))).toContain('<h1 class="pass">The variant passes.</h1>');
  const failed = html(reportWith([good], { faults: [differs] }));
  expect(failed).toContain('<h1 class="fail">This run fails. The variant passes.</h1>');
  expect(failed.split("<h1")[0]).toContain("1 difference from &lt;kept&gt;");
  expect(runPart(reportWith([good], { faults: [differs] })).title).toMatch(/^run failed, /);
  const both = html(reportWith([mixed], { faults: [differs] }));
  expect(both).toContain('<h1 class="fail">1 of 2 variants does not pass, in 1 scenario.</h1>');
});

test("many reasons are one banner, with the first three and a list of all that is folded", () => {
  const html = (count: number): string => {
    const faults = Array.from({ length: count }, (_, index) => `reason <${index + 1}>.`);
    return String(runPart(reportWith([], { faults })).html(new Map())).split("<h1")[0]!;
  };
  const banners = (text: string): number => text.split('class="notice fail"').length - 1;
  expect(html(1)).toContain("<strong>This run fails:</strong> reason &lt;1&gt;.");
  for (const count of [1, 3, 4, 1_022]) expect(banners(html(count))).toBe(1);
  expect(html(3)).toContain("This run fails for 3 reasons:");
  expect(html(3)).toContain("<li>reason &lt;3&gt;.</li>");
  expect(html(3)).not.toContain("<details>");
  const [open, folded] = html(1_022).split("<details><summary>All 1,022</summary>");
  expect(open).toContain("This run fails for 1,022 reasons; the first 3:");
  expect(open!.split("<li>")).toHaveLength(1 + 3);
  expect(folded!.split("<li>")).toHaveLength(1 + 1_022);
  const nothing = runPart(reportWith([], { faults: ["x"] }));
  expect(nothing.title).toBe("run failed, nothing ran");
  expect(nothing.html(new Map())).not.toContain("<h2");
  expect(String(runPart(reportWith([good])).html(new Map()))).toContain('<h2 id="requirements">');
});

test("the page lists the warnings of the files, and is as green as without them", () => {
  const warnings = [
    "a.yaml:8:35 warning CFG-UNKNOWN-POLICY there is no policy <paid>",
    "b",
    "c",
    "d",
  ];
  const page = (lines: readonly string[]): string =>
    String(runPart(reportWith([good], { warnings: lines })).html(new Map()));
  const [top, rest] = page(warnings).split("<h1");
  expect(rest).toMatch(/^ class="pass">The variant passes\./);
  expect(top).toContain("4 warnings in the scenario files:");
  expect(top).toContain(
    "<li>a.yaml:8:35 warning CFG-UNKNOWN-POLICY there is no policy &lt;paid&gt;</li>",
  );
  expect(top).toContain("<details><summary>All 4</summary>");
  expect(page(warnings.slice(0, 1))).toContain("1 warning in the scenario files:");
  expect(page([])).not.toContain("in the scenario files");
});

test("the line that runs it again is one that a shell takes", () => {
  expect(String(runPart(reportWith([good])).html(new Map()))).toContain(
    "weir run &#39;two words&#39;",
  );
});

test("variants that do not pass are first, in the list and in the page", () => {
  const text = String(
    runPart(reportWith([good, elsewhere(mixed, "limits/mixed")])).html(new Map()),
  );
  const order = (pattern: RegExp): readonly string[] =>
    [...text.matchAll(pattern)].map((match) => match[1]!);
  expect(order(/data-listed="(\d)"/g)).toEqual(["1", "0"]);
  expect(order(/data-scenario="(\d)"/g)).toEqual(["1", "0"]);
});

test("a variant that real time leaves open or a driver cannot run is not among those that do not pass", () => {
  const open = [good, came("inconclusive"), came("unsupported")];
  const text = String(runPart(reportWith(open)).html(new Map()));
  expect(text).not.toContain("does not pass");
  expect(text).not.toContain('class="worst"');
  const inVirtual = String(
    runPart(reportWith([good, came("inconclusive", "virtual")])).html(new Map()),
  );
  expect(inVirtual).toContain("<h3>does not pass");
});

test("only charts of failures are drawn before they are visible", () => {
  expect(runPart(reportWith([good])).drawnFirst).toEqual([]);
  const drawn = runPart(reportWith([good, mixed])).drawnFirst;
  expect(drawn.map(({ name }) => name)).toEqual(["1.1.0"]);
});

test("variants are counted by subject", () => {
  expect(summaryFigure(reportWith([good]))).toBeNull();
  const figure = summaryFigure(reportWith([elsewhere(good, "fleet/one"), mixed]));
  expect(figure!.rows.map(({ what, value }) => [what, value])).toEqual([
    ["fleet", "✓ 1 pass"],
    ["limits", "✕ 1 fail  ✓ 1 pass"],
  ]);
  expect(figure!.rows[1]!.marks.map(({ from, to, tone }) => [from, to, tone])).toEqual([
    [0, 1, "good"],
    [1, 2, "bad"],
  ]);
});

test("the numbers of a chart over time are one row for each bin", () => {
  const [figure] = logged.variants[0]!.figures;
  if (figure?.kind !== "time") throw new Error("it is drawn over time");
  const bins = Math.round(figure.untilS / figure.binS);
  const [first = ""] = String(numbersHtml(figure)).split("</table>");
  expect(first.match(/<tr>/g)).toHaveLength(bins + 1);
});

test("the numbers of any other chart are those of its marks", () => {
  const [figure] = good.variants[0]!.figures;
  expect(String(numbersHtml(figure!)).match(/<td>[^<]*429/g)).toHaveLength(1);
});

test("lines of a file whose expectations do not hold are marked", () => {
  const { line } = mixed.variants[1]!.verdicts[0]!;
  const text = String(sourceHtml({ ...mixed, source: "a: <b>\n".repeat(line) }));
  expect(text.match(/<li/g)).toHaveLength(line);
  expect(text.match(/<li class="marked">/g)).toHaveLength(1);
  expect(text.endsWith(`does not hold</span></li></ol>`)).toBe(true);
  expect(text).not.toContain("<b>");
});
