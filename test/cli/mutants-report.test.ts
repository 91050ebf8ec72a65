import { expect, test } from "vitest";
import { EXIT } from "#src/cli/exit.ts";
import { reportMutants } from "#src/cli/mutants-report.ts";
import type { NamedMutant } from "#src/studies/mutants/mutant.ts";
import type { MutantTrial } from "#src/studies/mutants/trial.ts";
import { plainTerminal } from "./weir.ts";

const mutant = (name: string): NamedMutant => ({
  name,
  about: "it is wrong",
  breaks: ["LIM-1"],
  replaces: "core/a.ts#f",
  by: (right, ...args) => right(...args),
});

const TRIAL: MutantTrial = {
  scenario: "limits/one",
  file: "scenarios/limits/one.yaml",
  assertions: [
    { id: "first", line: 7, killed: ["merge/a", "merge/b"] },
    { id: "second", line: 9, killed: ["merge/a"] },
  ],
  untouched: 0,
  alike: 0,
  same: 0,
  differing: 2,
  faults: [],
};

/** Two lines of the matrix differ from these trials. */
const MATRIX = "limits/one\n  first: merge/a\n";
const DIFFERING = [
  "kill matrix: limits/one / first: +merge/b",
  "kill matrix: limits/one / second: new",
];

const RUN = {
  chosen: ["merge/a", "merge/b"].map(mutant),
  trials: [TRIAL],
  matrix: MATRIX,
  seed: 1,
  ms: 1_000,
  within: null,
  isOwn: true,
  isWhole: true,
  writes: false,
};

function report(run: Partial<typeof RUN>, isJson = false) {
  const lines: string[] = [];
  const code = reportMutants({ ...RUN, ...run }, isJson, plainTerminal(lines));
  return { code, lines };
}

test("a difference from the kill matrix is an error", () => {
  const { code, lines } = report({});
  expect(code).toBe(EXIT.failed);
  expect(lines.slice(2)).toEqual([
    ...DIFFERING,
    "2 of 2 mutants killed, 2 errors",
    "2 passed, 2 failed, 0 skipped",
  ]);
});

test("a difference that is written to the kill matrix is printed, and no error", () => {
  const { code, lines } = report({ writes: true });
  expect(code).toBe(EXIT.passed);
  expect(lines.slice(2)).toEqual([
    ...DIFFERING.map((line) => `written ${line}`),
    "2 of 2 mutants killed, 0 errors",
    "2 passed, 0 failed, 0 skipped",
  ]);
});

test("every other problem is an error of a run that writes, too", () => {
  const [first] = TRIAL.assertions;
  const { code, lines } = report({
    writes: true,
    chosen: [...RUN.chosen, mutant("merge/c")],
    trials: [
      {
        ...TRIAL,
        assertions: [first!, { id: "second", line: 9, killed: [] }],
        faults: ["the original is wrong"],
      },
    ],
  });
  expect(code).toBe(EXIT.failed);
  expect(lines.slice(-5)).toEqual([
    "scenarios/limits/one.yaml: the original is wrong",
    "merge/c: no scenario kills it (it is wrong); add one",
    'scenarios/limits/one.yaml:9: "second" kills no mutant',
    "2 of 3 mutants killed, 3 errors",
    "2 passed, 3 failed, 0 skipped",
  ]);
});

test("a document has what was written apart from the errors", () => {
  const documentOf = (run: Partial<typeof RUN>): unknown => JSON.parse(report(run, true).lines[0]!);
  expect(documentOf({})).toMatchObject({ written: [], faults: DIFFERING });
  expect(documentOf({ writes: true })).toMatchObject({ written: DIFFERING, faults: [] });
});
