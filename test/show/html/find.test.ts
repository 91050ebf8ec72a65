import { expect, test } from "vitest";
import { findable, isFound, NOTHING_SOUGHT } from "#src/show/html/find.ts";
import { scenarioReport } from "#src/lab/report/build/report-of.ts";
import { runReport } from "../small-runs.ts";

const one = findable(
  scenarioReport(
    runReport({
      title: "Five a Second",
      matrix: "matrix: { n: [5, 8] }",
      traffic: "burst: $n",
      expect: "{ id: none, count: { status: 429 }, equals: 0, among: { atLeast: 1 } }",
    }),
    "",
  ),
);

test.each([
  [{}, true],
  [{ text: "five SECOND" }, true],
  [{ text: "limits/small" }, true],
  [{ text: "scenarios/limits" }, true],
  [{ text: "small.yaml" }, true],
  [{ text: "alice" }, true],
  [{ text: "/ORDERS" }, true],
  [{ text: "burst:" }, false],
  [{ text: "lim-1" }, true],
  [{ text: "n=8" }, true],
  [{ text: "five minutes" }, false],
  [{ outcome: "fail" }, true],
  [{ outcome: "pass" }, true],
  [{ outcome: "vacuous" }, false],
  [{ folder: "limits" }, true],
  [{ folder: "lim" }, false],
  [{ requirement: "LIM-1" }, true],
  [{ requirement: "LIM-10" }, false],
  [{ algorithm: "fixed_window" }, true],
  [{ algorithm: "gcra" }, false],
  [{ text: "five", outcome: "vacuous" }, false],
])("looking for %j finds it: %s", (sought, isHit) => {
  expect(isFound(one, { ...NOTHING_SOUGHT, ...sought })).toBe(isHit);
});
