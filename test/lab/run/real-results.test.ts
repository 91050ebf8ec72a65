import { expect, test } from "vitest";
import { reportRealRun, runUntilDecided, type RealOutcome } from "#src/lab/run/real-results.ts";
import { replay } from "#src/show/result-text.ts";
import { stretchVariant } from "#src/lab/drivers/stretch.ts";
import { playVirtual } from "#src/lab/drivers/virtual.ts";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import { type Result, isLeftOpen } from "#src/lab/scenario/verdict.ts";
import { scenarioOf } from "../../show/small-runs.ts";

const SMALL = `id: limits/small
title: five a second
proves: [LIM-1]
matrix: { n: [7, 8] }
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 5, per: 1 } }
  gateway: { algorithm: sliding_log }
traffic:
  - { name: first, as: alice, send: GET /orders, every: 100ms, count: $n }
expect:
  - { id: five pass, count: { status: 200 }, equals: 5 }
`;
const scenario = scenarioOf(SMALL);
const [seven, eight] = scenario.variants;
const options = { driver: "embedded", seed: 1, stretch: 4, required: new Set<string>() };

function slowRun(variant = seven!): RealOutcome {
  const slow = stretchVariant(variant, options.stretch);
  return {
    kind: "recorded",
    variant,
    history: playVirtual(slow, plan(slow, scenario.id, 1)),
    isStoreLate: false,
  };
}

const report = (selected: readonly string[], outcomes: readonly RealOutcome[], hasReport = true) =>
  reportRealRun({ ...options, hasReport }, scenario, new Set(selected), outcomes, "its text");

test("a scenario that is stretched is explained by the stretched world", () => {
  const { results, part } = report([seven!.name], [slowRun()]);
  expect(results).toMatchObject([{ outcome: "pass", refused: 2 }]);
  const [entry] = part!.variants[0]!.refusals.entries;
  expect(entry).toMatchObject({ count: 2, first: { explained: { agrees: "yes" } } });
  expect(entry!.filledBy.length).toBeGreaterThan(0);
});

test("a variant that is only compared with is not reported, and a scenario without selected variants has no part", () => {
  const outcomes = [slowRun(), slowRun(eight)];
  expect(report([eight!.name], outcomes).part!.variants.map(({ name }) => name)).toEqual(["n=8"]);
  expect(report([], [])).toEqual({ results: [], part: null });
  expect(report([eight!.name], outcomes, false).part).toBeNull();
});

test("a variant that could not run has its reasons, and fails only if it is required", () => {
  const outcomes: readonly RealOutcome[] = [
    {
      kind: "unsupported",
      variant: seven!,
      reasons: [{ missing: "fleet", text: "one gateway is all" }],
    },
    { kind: "failed", variant: eight!, why: "it died" },
  ];
  const { results, part } = report(["n=7", "n=8"], outcomes);
  expect(results).toMatchObject([
    { outcome: "unsupported", unsupported: ["one gateway is all"] },
    { outcome: "error", verdicts: [{ observed: "it died" }] },
  ]);
  expect(part!.outcome).toBe("error");
  const required = { ...options, required: new Set(["fleet"]) };
  const [first] = reportRealRun(required, scenario, new Set(["n=7", "n=8"]), outcomes, "").results;
  const observed = "one gateway is all: use --driver virtual, or leave fleet out of --require";
  expect(first).toMatchObject({
    outcome: "error",
    unsupported: ["one gateway is all"],
    verdicts: [{ observed }],
  });
});

test("a late store fails no expectation, and leaves every decision open", () => {
  const strict = scenarioOf(SMALL.replace("equals: 5", "equals: 6"));
  const [wrong] = strict.variants;
  const reportLate = (isStoreLate: boolean) =>
    reportRealRun(
      options,
      strict,
      new Set([wrong!.name]),
      [{ ...slowRun(wrong), isStoreLate } as RealOutcome],
      "",
    ).results[0]!;
  expect(reportLate(false)).toMatchObject({ outcome: "fail", undecided: 0 });
  const late = reportLate(true);
  expect(late).toMatchObject({ outcome: "inconclusive", undecided: 7 });
  expect(late.verdicts[0]?.observed).toMatch(/^the store was late: 5/);
  expect([isLeftOpen(reportLate(false)), isLeftOpen(late)]).toEqual([false, true]);
  expect(replay({ ...late, driver: "embedded" })).toMatch(/ --driver embedded --stretch 4$/);
  // At another speed a limiter that counts whole seconds may be right.
  const { stretch: _, ...unstretched } = late;
  expect(replay({ ...unstretched, driver: "embedded" })).toMatch(/ --stretch 1$/);
});

const OPEN = 7;
const of = (outcome: Result["outcome"], undecided = 0) => {
  const [result] = report([seven!.name], [slowRun()]).results;
  return { report: { results: [{ ...result!, outcome, undecided }], part: null } };
};

test.each([
  ["what passes is run once", [of("pass")], { outcome: "pass", before: 0, by: [1] }],
  [
    "what is open is run again, slower, until it is decided",
    [of("inconclusive"), of("inconclusive", OPEN), of("pass")],
    { outcome: "pass", before: 2, by: [1, 2, 4] },
  ],
  [
    "of four runs that leave something open, the one with the least counts",
    [
      of("inconclusive", 1),
      of("inconclusive", OPEN),
      of("inconclusive", OPEN),
      of("inconclusive", OPEN),
    ],
    { outcome: "inconclusive", undecided: 1, before: 3, by: [1, 2, 4, 8] },
  ],
  [
    "where every decision is exact and a verdict stays open, there is no third run",
    [of("inconclusive"), of("inconclusive"), of("pass")],
    { outcome: "inconclusive", before: 1, by: [1, 2] },
  ],
  [
    "a failure is not run again, even with something open beside it",
    [of("fail", OPEN), of("pass")],
    { outcome: "fail", before: 0, by: [1] },
  ],
  [
    "a failure of a slower run counts",
    [of("inconclusive"), of("fail", OPEN), of("pass")],
    { outcome: "fail", before: 1, by: [1, 2] },
  ],
  [
    "unless late requests would leave it decided: then the machine was too busy",
    [of("inconclusive"), of("inconclusive"), of("inconclusive"), of("pass")],
    { outcome: "pass", before: 3, by: [1, 2, 4, 8], isDecidable: true },
  ],
] as const)("%s", async (_, runs, wantedRun) => {
  const whole = { isDecidable: false, ...wantedRun };
  const { by: wanted, before: times, isDecidable, ...rest } = whole;
  const by: number[] = [];
  const { best, before } = await runUntilDecided({
    run: (slower) => {
      by.push(slower);
      return Promise.resolve(runs[by.length - 1]!);
    },
    isOver: () => false,
    isDecidable: () => Promise.resolve(isDecidable),
  });
  expect(by).toEqual(wanted);
  expect(before).toBe(times);
  expect(best.report.results).toMatchObject([rest]);
});
