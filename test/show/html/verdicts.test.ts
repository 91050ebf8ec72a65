import { expect, test } from "vitest";
import { scenarioReport } from "#src/lab/report/build/report-of.ts";
import { verdictsHtml } from "#src/show/html/verdicts.ts";
import type { ScenarioReport, VerdictReport } from "#src/lab/report/model.ts";
import { HOSTILE } from "../made-results.ts";
import { verdict } from "../../histories/result.ts";
import { runReport } from "../small-runs.ts";

function html(...verdicts: readonly VerdictReport[]): string {
  const scenario = scenarioReport(runReport({ traffic: "burst: 8" }), "");
  const withVerdicts: ScenarioReport = {
    ...scenario,
    variants: [{ ...scenario.variants[0]!, verdicts }],
  };
  return String(verdictsHtml(withVerdicts, { scenario: 0, variant: 0 }));
}

test("failed verdicts are first, with their rules, their line and the command to repeat them", () => {
  const failing = verdict({
    expectation: "it fails",
    outcome: "fail",
    observed: "6*200",
    line: 16,
    proves: ["LIM-1", "LIM-2"],
    evidence: [4, 5],
    requests: ["first:5", "first:6"],
  });
  const page = html(verdict({ expectation: "it passes" }), failing);
  expect(page.indexOf("it fails")).toBeLessThan(page.indexOf("it passes"));
  for (const part of [
    "<mark>5*200</mark> 429",
    "<mark>6*200</mark>",
    "<dt>first difference</dt><dd>number 6</dd>",
    '<a href="#r-LIM-1">LIM-1</a> <a href="#r-LIM-2">LIM-2</a>',
    "scenarios/limits/small.yaml:16",
    "weir run scenarios/limits/small.yaml --seed 1",
    'data-line="16"',
    '>first:6</a> <span class="soft">(links lead to refusals)</span></dd>',
    "<dt>requests</dt><dd>first:5, <a",
  ])
    expect(page).toContain(part);
});

test("the words of verdicts are shown as text", () => {
  const sly = verdict({ expectation: HOSTILE, expected: HOSTILE, observed: `x${HOSTILE}` });
  for (const outcome of ["fail", "pass"] as const)
    expect(html({ ...sly, outcome, proves: [HOSTILE] })).not.toContain("<script");
});
