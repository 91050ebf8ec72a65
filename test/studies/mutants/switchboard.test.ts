import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import type { NamedMutant } from "#src/studies/mutants/mutant.ts";
import { createSwitch, runUnder, watchRun } from "#src/studies/mutants/switchboard.ts";

const ANSWERS = "limiter/core/resolve/merge.ts#mostPatient";
const HANDS_ON = "limiter/core/resolve/merge.ts#fastest";
const PLAYED = "limiter/store/take.ts#take";

type Rule = (n: number) => { readonly n: number };
const storedObject = { n: 7 };

const right: Rule = (n) => {
  if (n < 0) throw new Error("below nothing");
  return n === storedObject.n ? storedObject : { n };
};
const switches = new Map(
  [ANSWERS, HANDS_ON, PLAYED].map((address) => [address, createSwitch(address, right)]),
);

const mutant = (replaces: string, by: Rule): NamedMutant => ({
  name: "area/one",
  about: "it is wrong",
  breaks: ["LIM-1"],
  replaces,
  by: (_right, n: never) => by(n),
});

test.each<[what: string, address: string, wrong: Rule, input: number, isTouched: boolean]>([
  ["answers as the right one does", ANSWERS, (n) => ({ n }), 3, false],
  ["would have answered otherwise", ANSWERS, () => ({ n: 1 }), 3, true],
  ["would have refused", ANSWERS, () => right(-1), 3, true],
  ["hands on the very same", HANDS_ON, right, 7, false],
  ["hands on another of the same content", HANDS_ON, (n) => ({ n }), 7, true],
  ["does more than to answer", PLAYED, right, 3, true],
])("a mutant that %s: %s", async (_what, address, wrong, input, isTouched) => {
  const one = mutant(address, wrong);
  const run = await watchRun([one], isDeepStrictEqual, () => switches.get(address)!(input));
  expect(run.value).toEqual({ n: input });
  expect([run.isCalledBy(one), run.isTouchedBy(one)]).toEqual([true, isTouched]);
});

test("if the right function throws, no mutant is alike", async () => {
  const one = mutant(ANSWERS, right);
  const run = await watchRun([one], isDeepStrictEqual, () => {
    expect(() => switches.get(ANSWERS)!(-1)).toThrow("below nothing");
  });
  expect(run.isTouchedBy(one)).toBe(true);
});

test("a mutant that is not called touches nothing, and none stays active after a run", async () => {
  const one = mutant(ANSWERS, () => ({ n: 1 }));
  const idle = await watchRun([one], isDeepStrictEqual, () => null);
  expect([idle.isCalledBy(one), idle.isTouchedBy(one)]).toEqual([false, false]);
  expect(await runUnder(one, () => switches.get(ANSWERS)!(3))).toEqual({ n: 1 });
  expect(switches.get(ANSWERS)!(3)).toEqual({ n: 3 });
});

test("a mutant of a function that no module has is an error", async () => {
  const lost = mutant("limiter/core/limit.ts#capacityOf", right);
  await expect(watchRun([lost], isDeepStrictEqual, () => null)).rejects.toThrow(
    "limiter/core/limit.ts#capacityOf: no loaded module has this function",
  );
});
