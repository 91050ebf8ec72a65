import { expect, test } from "vitest";
import {
  differences,
  idleProblems,
  killsOf,
  killsIn,
  matrixOf,
  matrixText,
  survivorProblems,
  trialProblems,
} from "#src/studies/mutants/matrix.ts";
import { fewestKills } from "#src/studies/mutants/fewest-kills.ts";
import type { NamedMutant } from "#src/studies/mutants/mutant.ts";
import type { MutantTrial } from "#src/studies/mutants/trial.ts";

const mutant = (name: string): NamedMutant => ({
  name,
  about: "it is wrong",
  breaks: ["LIM-1"],
  replaces: "core/a.ts#f",
  by: (right, ...args) => right(...args),
});
const MUTANTS = ["merge/a", "merge/b", "merge/c"].map(mutant);

const TRIAL: MutantTrial = {
  scenario: "limits/one",
  file: "scenarios/limits/one.yaml",
  assertions: [
    { id: "first: five", line: 7, killed: ["merge/a", "merge/b"] },
    { id: "second", line: 9, killed: [] },
  ],
  untouched: 1,
  alike: 0,
  same: 0,
  differing: 2,
  faults: [],
};

test("a mutant that no scenario kills is a problem", () => {
  const killed = killsOf(MUTANTS, [TRIAL]);
  expect(survivorProblems(killed, null)).toEqual([
    "merge/c: no scenario kills it (it is wrong); add one",
  ]);
  expect(survivorProblems(killed, "scenarios/limits")).toEqual([
    "merge/c: no scenario in scenarios/limits kills it (it is wrong)",
  ]);
});

test("an expectation that kills no mutant is a problem, with its position", () => {
  expect(idleProblems([TRIAL])).toEqual(['scenarios/limits/one.yaml:9: "second" kills no mutant']);
});

test("an original that fails is a problem of its file", () => {
  expect(trialProblems([{ ...TRIAL, faults: ["the original is wrong"] }])).toEqual([
    "scenarios/limits/one.yaml: the original is wrong",
  ]);
});

test("a matrix equals itself, and differs from another by names of mutants", () => {
  const golden = matrixText([TRIAL]);
  const [first, second] = TRIAL.assertions;
  const other = matrixText([
    { ...TRIAL, assertions: [{ ...first!, killed: ["merge/a", "merge/c"] }] },
  ]);
  expect(golden).toBe("limits/one\n  first: five: merge/a merge/b\n  second:\n");
  expect(differences(golden, golden)).toEqual([]);
  expect(differences(golden, other)).toEqual([
    "limits/one / first: five: +merge/c -merge/b",
    `limits/one / ${second!.id}: gone`,
  ]);
});

test("a golden matrix gives the expectations of a scenario by mutant", () => {
  const golden = "a/one\n  first: m/x m/y\n  then: what: m/x\nb/two\n  first / last: m/z\n";
  expect(killsIn(golden)).toEqual(
    new Map([
      [
        "a/one",
        new Map([
          ["m/x", new Set(["first", "then: what"])],
          ["m/y", new Set(["first"])],
        ]),
      ],
      ["b/two", new Map([["m/z", new Set(["first / last"])]])],
    ]),
  );
});

const RECORDED = `a/long
  first: m/often m/first
  second: m/often m/second
  third: m/third m/often
  fourth: m/third m/fourth
b/short
  only: m/often m/first m/fourth m/fifth
`;

test("the fewest pairs leave no expectation and no mutant out, and take what ends both", () => {
  const fewest = fewestKills(killsIn(RECORDED));
  const lines = matrixOf(RECORDED, fewest).split("\n");
  expect(lines).toEqual([
    "a/long",
    "  first: m/often",
    "  second: m/often m/second",
    "  third: m/third m/often",
    "  fourth: m/third",
    "b/short",
    "  only: m/first m/fourth m/fifth",
    "",
  ]);
});

test("of a matrix remains what was tried, and equals what such a run writes", () => {
  const tried = new Map([["limits/one", new Map([["merge/b", new Set(["first: five"])]])]]);
  const golden = matrixText([TRIAL]);
  const [first, second] = TRIAL.assertions;
  const own = matrixText([{ ...TRIAL, assertions: [{ ...first!, killed: ["merge/b"] }, second!] }]);
  expect(matrixOf(golden, tried)).toBe(own);
  expect(differences(matrixOf(golden, tried), own)).toEqual([]);
});
