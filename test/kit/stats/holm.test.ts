import { expect, test } from "vitest";
import { holm } from "#src/kit/stats/holm.ts";

test.each([
  {
    // The page on the Holm-Bonferroni method in Wikipedia: at 0.05 only the first and the last are rejected.
    given: [0.01, 0.04, 0.03, 0.005],
    corrected: [0.03, 0.06, 0.06, 0.02],
  },
  {
    // pingouin's example.
    given: [0.5, 0.003, 0.32, 0.054, 0.0003],
    corrected: [0.64, 0.012, 0.64, 0.162, 0.0015],
  },
  {
    // stdlib's example of padjust.
    given: [0.319, 0.201, 0.4, 0.374, 0.113],
    corrected: [0.957, 0.804, 0.957, 0.957, 0.565],
  },
  { given: [0.7, 0.6], corrected: [1, 1] },
  { given: [0.02, 0.02], corrected: [0.04, 0.04] },
  { given: [0.04], corrected: [0.04] },
  { given: [], corrected: [] },
])("$given are corrected to $corrected", ({ given, corrected }) => {
  expect(holm(given).map((p) => Number(p.toFixed(10)))).toEqual(corrected);
});
