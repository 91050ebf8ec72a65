import { expect, test } from "vitest";
import { truthWarningsOf, type TruthEvidence } from "#src/studies/bench/truth-warnings.ts";
import { codeOf } from "#src/cli/bench-truth.node.ts";
import { SECOND } from "#src/kit/units.ts";

const sentinel = {
  name: "sentinel redis",
  role: "cell",
  algorithm: "sentinel",
  verdict: "within",
  inFlight: 4,
  bound: { most: 53, because: "" },
} as const;
const bucket = {
  ...sentinel,
  name: "gcra",
  algorithm: "gcra",
  bound: { most: 99, because: "" },
} as const;
const control = {
  ...bucket,
  name: "twice the rate",
  role: "control",
  verdict: "outside",
} as const;

const quiet: TruthEvidence = {
  subjects: [sentinel, bucket, control],
  late: { p99Us: 12_000 },
  busy: null,
};
const doubts = (changed: Partial<TruthEvidence>): readonly string[] =>
  truthWarningsOf({ ...quiet, ...changed }, { rate: 50, perUs: SECOND });

test("a quiet run that finds its controls wrong has no warning", () => {
  expect(doubts({})).toEqual([]);
  expect(doubts({ late: null })).toEqual([]);
});

test.each([
  [{ busy: "other processes took 40 %" }, "other processes took 40 %"],
  [{ late: { p99Us: 585_000 } }, "was sent 585 ms or more after its time"],
  [
    { subjects: [{ ...control, verdict: "within" }] },
    "the control, twice the rate, was not found to be wrong",
  ],
  [
    { subjects: [{ ...sentinel, inFlight: 32, bound: { most: 81, because: "" } }] },
    "sentinel redis had 32 admitted requests in flight at once, so that 81 are allowed instead of 50",
  ],
] satisfies readonly (readonly [Partial<TruthEvidence>, string])[])(
  "%j proves nothing",
  (changed, text) => {
    const found = doubts(changed);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(text);
  },
);

const footer = { subjects: 3, outside: 0, errors: 0 };

test.each([
  [{ footer, warnings: [] }, null, 0],
  [{ footer, warnings: ["busy"] }, null, 5],
  [{ footer: { ...footer, outside: 1 }, warnings: ["busy"] }, null, 1],
  [{ footer: { ...footer, errors: 1 }, warnings: [] }, null, 1],
  [{ footer, warnings: ["busy"] }, { how: "interrupted", why: "" }, 130],
  [{ footer, warnings: [] }, { how: "gone", why: "" }, 3],
] as const)("the exit code of %j, stopped %j, is %i", (ended, stopped, code) => {
  expect(codeOf(ended, stopped)).toBe(code);
});
