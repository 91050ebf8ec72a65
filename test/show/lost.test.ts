// Requests without a response, in every text of a run (LIM-C18).
import { describe, expect, test } from "vitest";
import { explain } from "#src/lab/check/explain.ts";
import { explanationText } from "#src/cli/explain-text.ts";
import { scenarioLine } from "#src/cli/run-text.ts";
import { lossLines, variantTable } from "#src/cli/variant-table.ts";
import { worldOf } from "#src/lab/oracle/world.ts";
import { scenarioReport } from "#src/lab/report/build/report-of.ts";
import { junitXml } from "#src/show/ci/junit.ts";
import { markdownSummary } from "#src/show/ci/markdown.ts";
import { requestsHtml } from "#src/show/html/requests.ts";
import { sparkHtml, sparkOf } from "#src/show/html/sparkline.ts";
import { lossesHtml, totalsHtml } from "#src/show/html/totals.ts";
import { plainPaint } from "#src/kit/reading/legible.ts";
import { reportWith } from "./report-with.ts";
import { runReportOfText } from "./small-runs.ts";

/** Of seven at once two are refused, and five wait for the upstream of a gateway that crashes; three find none. */
const TEXT = `id: limits/small
title: small
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 5, per: 1 } }
  gateway: { algorithm: fixed_window }
  upstream: { time: 1s }
traffic:
  - { name: first, as: alice, send: GET /orders, burst: 7, at: 1s }
  - { name: late, as: alice, send: GET /orders, every: 250ms, count: 3, at: 4s }
faults:
  - { at: 1500ms, gateway: crash, node: 0 }
expect:
  - { id: eight are lost, count: { status: lost }, equals: 8 }
  - { id: all get a response, invariant: responses }
charts:
  - { title: lost, x: time, bars: [status.lost, status.429], lines: [offered.rps] }
`;
const reported = runReportOfText(TEXT);
const [run] = reported.runs;
const { result, variant, history } = run!;
const report = scenarioReport(reported, TEXT);
const [page] = report.variants;
const summary = { seed: 1, results: [result], faults: [] };
const textOf = (markup: unknown): string =>
  String(markup)
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

const ENDED =
  "5 of 10 requests got no response, sent at 1s, first:3 first: the gateway ended before its response";
const UNREACHABLE =
  "3 of 10 requests got no response, sent from 4s to 4.5s, late:1 first: no gateway took the connection";

test("the terminal has their number, and a line for each reason", () => {
  expect(scenarioLine("limits/small", [result], plainPaint)).toBe(
    "fail limits/small 10 requests, 2 refused, 8 lost",
  );
  expect(lossLines([result], plainPaint)).toEqual([`lost: ${ENDED}`, `lost: ${UNREACHABLE}`]);
  const many = Array.from({ length: 5 }, (_, at) => ({ ...result, variant: `at=${at}` }));
  const lines = lossLines(many, plainPaint);
  expect([lines.length, lines[0], lines.at(-1)]).toEqual([
    7,
    `lost at=0: ${ENDED}`,
    "and 4 more; --json has all",
  ]);
  const [head = "", row = ""] = variantTable(many, plainPaint).filter((line) => line !== "");
  expect(head).toContain("lost");
  expect(row.split(/\s{2,}/)).toContain("8");
});

test("a test case of JUnit has them as its output, if it passed too", () => {
  const output = `<system-out>${ENDED}\n${UNREACHABLE}</system-out></testcase>`;
  expect(junitXml(summary)).toContain(`</failure>${output}`);
  const passed = { ...result, outcome: "pass", verdicts: [] } as const;
  expect(junitXml({ ...summary, results: [passed] })).toContain(`>${output}`);
  const none = { ...passed, losses: [] };
  expect(junitXml({ ...summary, results: [none] })).not.toContain("system-out");
});

test("the summary in Markdown has a line for each reason, and no more than it can show", () => {
  const markdown = markdownSummary(summary);
  expect(markdown).toContain("Requests without a response:");
  expect(markdown).toContain(`- \`limits/small\`: \`${ENDED}\``);
  expect(markdown).toContain(`- \`limits/small\`: \`${UNREACHABLE}\``);
  const whole = { ...result, losses: [] };
  expect(markdownSummary({ ...summary, results: [whole] })).not.toContain("without a response:");
});

describe("the page", () => {
  test("has them in the line of totals, and by reason", () => {
    expect(textOf(totalsHtml(page!))).toContain(
      "10 requests offered, 0 (0 %) admitted, 2 (20.0 %) refused, 8 (80.0 %) lost",
    );
    expect(textOf(lossesHtml(page!))).toBe(
      `8 requests lost, without a response: reasons ${ENDED} ${UNREACHABLE}`,
    );
    expect(String(lossesHtml({ ...page!, lost: 0, losses: [] }))).toBe("");
  });

  test("has them on its first screen", () => {
    const first = textOf(requestsHtml(reportWith([report])));
    expect(first).toContain("Lost 8 80.0 % 5 (62.5 %) the gateway ended before its response");
    expect(first).toContain("3 (37.5 %) no gateway took the connection");
  });

  test("draws them when they were lost, and what was sent when it was sent", () => {
    const figures = page!.figures.flatMap((figure) => (figure.kind === "time" ? [figure] : []));
    const demand = figures.find(({ shows }) => shows === "asked")!;
    const binsOf = (values: readonly (number | null)[]): readonly number[] =>
      values.flatMap((value, bin) => (value === null || value === 0 ? [] : [bin * demand.binS]));
    const bars = Object.fromEntries(demand.bars.map(({ what, values }) => [what, binsOf(values)]));
    expect(bars).toEqual({ lost: [1.5, 4, 4.25, 4.5], "refused 429": [1] });
    expect(demand.curves.map(({ what, values }) => [what, binsOf(values)])).toEqual([
      ["offered", [1, 4, 4.25, 4.5]],
    ]);
  });

  test("has them in its sparkline", () => {
    const spark = sparkOf(page!)!;
    expect(spark.counts.lost.some((count) => count > 0)).toBe(true);
    expect(String(sparkHtml(spark, spark.top))).toContain("lost");
  });
});

test.each([
  [
    2,
    "first:3",
    "alice got no response: the gateway ended before its response (sent at 1 s, and lost at 1.5 s).",
  ],
  [8, "late:2", "alice got no response: no gateway took the connection (sent at 4.25 s)."],
])("row %d (%s) is explained: %s", (row, name, text) => {
  const explanation = explain(history!, worldOf(variant, history)!, row);
  expect(explanation).toMatchObject({ agrees: "open", budget: null, passesAtUs: null, text });
  const lines = explanationText(explanation, null, history!, { paint: plainPaint, columns: 80 });
  expect(lines[0]).toContain(`${name}, GET /orders as alice at `);
  expect(lines[0]).toMatch(/: lost$/);
  expect(lines.join("\n")).toContain("LIM-C18");
  expect(lines.join("\n")).not.toMatch(/^ {2}(?:admitted|spec) /m);
});
