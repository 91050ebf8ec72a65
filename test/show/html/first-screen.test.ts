// The first screen of a run: its requests by reason, what fails and where, and what differs between algorithms.
import { expect, test } from "vitest";
import { scenarioReport } from "#src/lab/report/build/report-of.ts";
import { algorithmsApart, runApartHtml } from "#src/show/html/algorithms-apart.ts";
import { requestsHtml } from "#src/show/html/requests.ts";
import { runPart } from "#src/show/html/run.ts";
import { sparkHtml, sparkOf } from "#src/show/html/sparkline.ts";
import type { Report, ScenarioReport } from "#src/lab/report/model.ts";
import { reportWith } from "../report-with.ts";
import { runReport, runReportOfText } from "../small-runs.ts";

const burst = scenarioReport(runReport({ traffic: "burst: 8" }), "");
const lasting = scenarioReport(
  runReport({ traffic: "stages: [{ name: flood, rate: 20, for: 30s }]" }),
  "",
);
const rejected = scenarioReport(
  runReportOfText(`id: limits/small
title: small
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 5, per: 1 } }
traffic:
  - { name: none, send: GET /orders, burst: 3 }
  - { name: some, as: alice, send: GET /orders, burst: 7, at: 1s }
expect:
  - { id: counted, count: {}, atLeast: 1 }
`),
  "",
);
const apart = scenarioReport(
  runReport({
    matrix: "matrix: { algorithm: [fixed_window, token_bucket, gcra] }",
    algorithm: "$algorithm",
    traffic: "burst: 8",
  }),
  "",
);

const textOf = (markup: unknown): string =>
  String(markup)
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");

test("requests are counted with their shares, and each refusal and rejection with its reason", () => {
  const text = textOf(requestsHtml(reportWith([rejected])));
  expect(text).toContain("Offered 10 requests");
  expect(text).toContain("Admitted 5 50.0 %");
  expect(text).toContain("Refused 2 20.0 % 2 (100 %) limit of a key, 429");
  expect(text).toContain("Rejected 3 30.0 % 3 (100 %) orders needs a key");
  expect(String(requestsHtml(reportWith([])))).toBe("");
});

const sumOf = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0);

test.each([
  ["in the order of answers", burst],
  ["with rejections", rejected],
])("a sparkline has every answer: %s", (_, { variants }) => {
  const [variant] = variants;
  const { counts } = sparkOf(variant!)!;
  expect(sumOf(counts.admitted)).toBeCloseTo(variant!.admitted);
  expect(sumOf(counts.refused)).toBeCloseTo(variant!.refused);
  expect(sumOf(counts.rejected)).toBeCloseTo(variant!.rejected);
});

test("a sparkline over time has at most as many steps as can be seen, and the shares of its answers", () => {
  const [variant] = lasting.variants;
  expect(variant!.figures[0]!.kind).toBe("time");
  const { counts } = sparkOf(variant!)!;
  expect(counts.admitted.length).toBeLessThanOrEqual(32);
  expect(sumOf(counts.refused) / sumOf(counts.admitted)).toBeCloseTo(
    variant!.refused / variant!.admitted,
    1,
  );
});

test("equal bins are steps of one height, also where no whole number of them is a step", () => {
  const figure = lasting.variants[0]!.figures[0]!;
  if (figure.kind !== "time") throw new Error("it is drawn over time");
  const values = Array.from({ length: 50 }, () => 3);
  const { counts } = sparkOf({ figures: [{ ...figure, bars: [{ what: "admitted", values }] }] })!;
  expect(counts.admitted).toHaveLength(32);
  for (const each of counts.admitted) expect(each).toBeCloseTo(3);
});

test("sparklines of one scale are as high as their numbers, and nothing is drawn of nothing", () => {
  const spark = {
    counts: { admitted: [2, 2], refused: [0, 2], rejected: [0, 0], lost: [0, 0] },
    top: 4,
  };
  const drawn = String(sparkHtml(spark));
  expect(drawn).toContain('<path class="admitted" d="M0 10h2v10h-2z"/>');
  expect(drawn).toContain('<path class="refused" d="M1 0h1v10h-1z"/>');
  expect(drawn).not.toContain("rejected");
  expect(String(sparkHtml(spark, 8))).toContain('d="M0 15h2v5h-2z"');
  expect(String(sparkHtml(null))).toBe("");
});

test("the difference between algorithms is one sentence, and none where there is none", () => {
  expect(algorithmsApart(apart)!.sentence).toBe(
    "fixed_window and token_bucket admit most (5 of 8 each, 62.5 %), gcra least (1 of 8, 12.5 %).",
  );
  expect(algorithmsApart(burst)).toBeNull();
  expect(textOf(runApartHtml(reportWith([burst, apart])))).toContain(
    "in 1 of 2 scenarios: five a second : fixed_window and token_bucket admit most",
  );
  expect(runApartHtml(reportWith([burst]))).toBeNull();
});

const pageOf = (scenarios: readonly ScenarioReport[], more: Partial<Report> = {}): string =>
  String(runPart(reportWith(scenarios, more)).html(new Map()));

test("the page of one scenario has its answer once, before its facts; a list of scenarios its first sentence", () => {
  const answer = ["Only GCRA differs.", "It admits one."].map((text) => ({
    id: "any",
    text,
    numbers: {},
  }));
  const answered = { ...apart, answer };
  const countIn = (page: string): readonly number[] =>
    answer.map(({ text }) => page.split(text).length - 1);
  expect(countIn(pageOf([answered]))).toEqual([1, 1]);
  const [top = ""] = pageOf([answered]).split("<dl>");
  expect(textOf(top)).toContain("Only GCRA differs. It admits one.");
  expect(countIn(pageOf([answered, burst]))).toEqual([1, 0]);
  expect(pageOf([apart]).split("gcra least")).toHaveLength(2); // a report without an answer
});

test("what fails has its first difference on the first screen", () => {
  const failing = scenarioReport(
    runReport({
      traffic: "burst: 8",
      expect: "{ id: six pass, sequence: { flow: first }, equals: 6*200 2*429 }",
    }),
    "",
  );
  const [top = ""] = pageOf([burst, failing]).split('class="tabs"');
  expect(textOf(top)).toContain(
    "six pass: expected 6*200 2*429 , observed 5*200 3*429 , first difference at first:6",
  );
});

test("a page of few scenarios has the numbers of all variants without its script", () => {
  const cards = '<ol class="cards">';
  expect(pageOf([apart])).toContain(cards);
  const text = textOf(pageOf([apart]));
  expect(text).toContain("The same in all: outcome pass, requests 8, rejected 0 (0 %)");
  expect(text).toMatch(
    /algorithm=gcra answers, in order request 1 8 admitted 1 \(12\.5 %\) refused 7/,
  );
  expect(pageOf([apart, burst, burst, burst])).not.toContain(cards);
});
