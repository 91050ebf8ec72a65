// One number of refusals: that of the table is that of the warning.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { LoadFigures } from "#src/studies/bench/load/load.ts";
import { refusalText } from "#src/studies/bench/refusals.ts";
import { resultOf as buildResult } from "#src/studies/bench/result-of.ts";
import { tablesOf } from "#src/studies/bench/table.ts";
import { warningsOf } from "#src/studies/bench/warnings.ts";
import { micros } from "#src/kit/units.ts";
import { countRuns, holds } from "../../runs.ts";
import { resultOf } from "./bench-results.ts";
import { suite } from "./bench-suite.ts";

interface Counts {
  readonly admitted: number;
  readonly refused: number;
}

const figuresOf = ({ admitted, refused }: Counts): LoadFigures => ({
  tookUs: micros(1_000_000),
  sent: admitted + refused,
  isCut: false,
  answers: admitted + refused,
  statuses: { 200: admitted, 429: refused },
  unanswered: 0,
  latency: { all: null, admitted: null, refused: null },
  histogram: null,
  sending: null,
  cpuUs: micros(0),
  busy: 0,
});

function textsOf(repeats: readonly Counts[], demand: number) {
  const factors = { ...suite().base, demand };
  const subject = {
    name: "cell",
    role: "cell",
    loadFactors: factors,
    factors,
    control: null,
  } as const;
  const measured = repeats.map((counts, round) => {
    const { answers } = figuresOf(counts);
    const metrics = { refused: (counts.refused / answers) * 100 };
    const repeat = { round, atSeconds: round, answers, errors: 0, metrics };
    return { subject, figures: figuresOf(counts), repeat };
  });
  const [table] = tablesOf(buildResult([subject], measured, resultOf([], [])));
  return {
    column: table!.rows[0]!.texts[table!.heads.indexOf("refused")],
    warnings: warningsOf({ keyCount: 1 }, measured),
  };
}

test("a warning has the share of refusals that the table has, whatever the repeats are", () => {
  const counts = fc.record({
    admitted: fc.integer({ min: 1, max: 30_000 }),
    refused: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 30_000 })),
  });
  let warned = 0;
  holds(
    fc.property(
      fc.array(counts, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(0.5, 2, 10),
      (repeats, demand) => {
        const { column, warnings } = textsOf(repeats, demand);
        for (const warning of warnings) {
          warned++;
          expect(warning.startsWith(`cell: ${column} were refused`)).toBe(true);
        }
      },
    ),
    countRuns(200),
  );
  expect(warned).toBeGreaterThan(10);
});

test("the share is that of all responses: no median hides a repeat that refused most", () => {
  const { column, warnings } = textsOf(
    [
      { admitted: 9_400, refused: 600 },
      { admitted: 10_000, refused: 0 },
      { admitted: 1_000, refused: 49_000 },
    ],
    0.5,
  );
  expect(column).toBe("71 %");
  expect(warnings).toEqual([
    "cell: 71 % were refused (0 % to 98 % in single repeats), although the load is below every limit",
  ]);
});

test.each([
  [0, "0 %"],
  [0.04, "below 0.1 %"],
  [0.1, "0.1 %"],
  [6, "6.0 %"],
  [61.4, "61 %"],
])("%d percent is %s", (percent, text) => {
  expect(refusalText(percent)).toBe(text);
});
