import { describe, expect, test } from "vitest";
import {
  conformanceOf,
  conformanceText,
  renewConformance,
  type Conformance,
  type ConformanceRun,
} from "#src/show/conformance/conformance.ts";
import { differencesBetween } from "#src/show/conformance/differences.ts";
import { readConformance } from "#src/show/conformance/read-conformance.ts";
import { messageOf } from "../../kit/reading/message-of.ts";
import { result, verdict } from "../../histories/result.ts";

const one: ConformanceRun = { result: result(), history: "00000000000000aa" };
const twice = verdict({ expectation: "alike", examined: 2 });
const [drl, gcra] = ["drl", "gcra"].map((algorithm): ConformanceRun => ({
  result: result({
    scenario: "algorithms/two",
    variant: `algorithm=${algorithm}`,
    verdicts: [verdict(), ...(algorithm === "gcra" ? [twice, { ...twice, examined: 3 }] : [])],
  }),
  history: `00000000000000${algorithm === "drl" ? "bb" : "cc"}`,
})) as [ConformanceRun, ConformanceRun];

const report = (...played: readonly ConformanceRun[]): Conformance =>
  conformanceOf(played, "virtual", 1);
const whole = report(one, drl, gcra);

test("a report has a line for each variant, scenarios in the order of their ids, and a footer", async () => {
  await expect(conformanceText(whole)).toMatchFileSnapshot("golden/conformance.json");
});

test("a written document is read unchanged", () => {
  expect(readConformance(conformanceText(whole))).toEqual(whole);
  expect(differencesBetween(whole, whole, true)).toEqual([]);
});

const withChange = (
  played: ConformanceRun,
  more: Partial<ConformanceRun["result"]>,
  history?: string,
): ConformanceRun => ({
  result: { ...played.result, ...more },
  history: history ?? played.history,
});

test.each([
  [
    "a count",
    withChange(drl, { requests: 7, refused: 2 }),
    "algorithms/two algorithm=drl: requests 7, not 6; refused 2, not 1",
  ],
  [
    "a verdict",
    withChange(drl, { outcome: "fail", verdicts: [verdict({ outcome: "fail" })] }),
    'algorithms/two algorithm=drl: "five pass, one does not" fail 6, not pass 6',
  ],
  [
    "how much was examined",
    withChange(drl, { verdicts: [verdict({ examined: 5 })] }),
    'algorithms/two algorithm=drl: "five pass, one does not" pass 5, not pass 6',
  ],
  [
    "how many decisions are open",
    withChange(drl, { verdicts: [verdict({ open: 2 })] }),
    'algorithms/two algorithm=drl: "five pass, one does not" pass 6, 2 open, not pass 6',
  ],
  [
    "an expectation",
    withChange(drl, { verdicts: [verdict({ expectation: "five" })] }),
    'algorithms/two algorithm=drl: "five" pass 6, not not there; "five pass, one does not" not there, not pass 6',
  ],
  [
    "nothing but the history",
    withChange(drl, {}, "00000000000000dd"),
    "algorithms/two algorithm=drl: another history, with the same counts and verdicts",
  ],
])("%s that differs is named with its variant", (_what, now, difference) => {
  expect(differencesBetween(whole, report(one, now, gcra), true)).toEqual([difference]);
});

test("of two verdicts by one name the one that differs is found", () => {
  const now = withChange(gcra, { verdicts: [verdict(), twice, { ...twice, examined: 4 }] });
  expect(differencesBetween(whole, report(one, drl, now), true)).toEqual([
    'algorithms/two algorithm=gcra: "alike" pass 4, not pass 3',
  ]);
});

test("new and removed scenarios and variants are named, and those that did not run are not missed", () => {
  const added = withChange(one, { scenario: "limits/new" });
  const now = report(added, drl);
  expect(differencesBetween(whole, now, true)).toEqual([
    "algorithms/two algorithm=gcra: only in the reference",
    "limits/new: not in the reference",
    "limits/one: only in the reference",
  ]);
  expect(differencesBetween(whole, report(drl, gcra), false)).toEqual([]);
  const more = withChange(drl, { variant: "algorithm=log" });
  expect(differencesBetween(whole, report(drl, gcra, more), false)).toEqual([
    "algorithms/two algorithm=log: not in the reference",
  ]);
});

test("under another seed nothing else is compared", () => {
  expect(differencesBetween(whole, conformanceOf([one], "virtual", 7), true)).toEqual([
    "it was run with seed 7, and the reference with seed 1",
  ]);
});

test("a repeated run replaces its part of the reference, and a complete run all of it", () => {
  const now = report(withChange(one, { requests: 9 }));
  const part = renewConformance(whole, now, false);
  expect(part.scenarios.map(({ id }) => id)).toEqual(["algorithms/two", "limits/one"]);
  expect(part.scenarios[1]!.variants[0]!.requests).toBe(9);
  expect(readConformance(conformanceText(part))).toEqual(part);
  expect(renewConformance(whole, now, true)).toEqual(now);
  expect(renewConformance(null, now, false)).toEqual(now);
});

describe("a file is refused", () => {
  const text = conformanceText(whole);
  test.each([
    ["cut off in the middle", text.slice(0, 200), /^this is not JSON: /],
    ["with marks of a merge", `<<<<<<< HEAD\n${text}`, /^this is not JSON: /],
    [
      "of another format",
      text.replace("weir-conformance/2", "weir-conformance/1"),
      /no conformance/,
    ],
    ["that is a list", "[]", /no conformance/],
    ["without its footer", text.replace(/,"footer".*$/m, "}"), /without a footer: it was cut off/],
    ["without its seed", text.replace('"seed":1,', ""), /seed or scenarios are missing/],
    [
      "with a count that is none",
      text.replace('"requests":6', '"requests":"6"'),
      /^scenarios\[0\]/,
    ],
    [
      "without a line",
      text.replace(/^.*"algorithm=drl".*\n/m, ""),
      /changed by hand, or by a merge/,
    ],
    ["with an outcome changed", text.replace('"outcome":"pass"', '"outcome":"fail"'), /by hand/],
  ])("%s", (_what, changedText, problem) => {
    expect(changedText).not.toBe(text);
    expect(messageOf(readConformance(changedText))).toMatch(problem);
  });
});
