import { expect, test } from "vitest";
import {
  differences,
  idleFaults,
  killsOf,
  knownIn,
  matrixText,
  survivorFaults,
  trialFaults,
} from "../../../src/experiments/mutants/matrix.ts";
import type { NamedMutant } from "../../../src/experiments/mutants/mutant.ts";
import type { Trial } from "../../../src/experiments/mutants/trial.ts";

const mutant = (name: string): NamedMutant => ({
  name,
  about: "it is wrong",
  breaks: ["LIM-1"],
  replaces: "core/a.ts#f",
  by: (right) => right,
});
const MUTANTS = ["merge/a", "merge/b", "merge/c"].map(mutant);

const TRIAL: Trial = {
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

test("a mutant that nobody kills is a fault", () => {
  const killed = killsOf(MUTANTS, [TRIAL]);
  expect(survivorFaults(killed, null)).toEqual([
    "merge/c: nobody kills it (it is wrong): a scenario is missing",
  ]);
  expect(survivorFaults(killed, "scenarios/limits")).toEqual([
    "merge/c: nobody in scenarios/limits kills it (it is wrong)",
  ]);
});

test("an assertion that kills nothing is a fault, with its place", () => {
  expect(idleFaults([TRIAL])).toEqual(['scenarios/limits/one.yaml:9: "second" kills no mutant']);
});

test("a reference that fails is a fault of its file", () => {
  expect(trialFaults([{ ...TRIAL, faults: ["the reference is wrong"] }])).toEqual([
    "scenarios/limits/one.yaml: the reference is wrong",
  ]);
});

test("a matrix differs from itself in nothing, and from another by name", () => {
  const kept = matrixText([TRIAL]);
  const [first, second] = TRIAL.assertions;
  const other = matrixText([
    { ...TRIAL, assertions: [{ ...first!, killed: ["merge/a", "merge/c"] }] },
  ]);
  expect(kept).toBe("limits/one\n  first: five: merge/a merge/b\n  second:\n");
  expect(differences(kept, kept)).toEqual([]);
  expect(differences(kept, other)).toEqual([
    "limits/one / first: five: +merge/c -merge/b",
    `limits/one / ${second!.id}: gone`,
  ]);
});

test("what a kept matrix knows of a scenario is read back, by mutant", () => {
  const kept = "a/one\n  first: m/x m/y\n  then: what: m/x\nb/two\n  first: m/z\n";
  expect(knownIn(kept, "a/one")).toEqual(
    new Map([
      ["m/x", new Set(["first", "then: what"])],
      ["m/y", new Set(["first"])],
    ]),
  );
  expect(knownIn(kept, "c/three")).toEqual(new Map());
});
