import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import type { NamedMutant } from "../../../src/experiments/mutants/mutant.ts";
import { switched, under, watched } from "../../../src/experiments/mutants/switchboard.ts";

const ANSWERS = "core/resolve/merge.ts#mostPatient";
const HANDS_ON = "core/resolve/merge.ts#fastest";
const PLAYED = "store/take.ts#take";

type Rule = (n: number) => { readonly n: number };
const kept = { n: 7 };

const right: Rule = (n) => {
  if (n < 0) throw new Error("below nothing");
  return n === kept.n ? kept : { n };
};
const stands = new Map(
  [ANSWERS, HANDS_ON, PLAYED].map((address) => [address, switched(address, right)]),
);

const mutant = (replaces: string, by: Rule): NamedMutant => ({
  name: "area/one",
  about: "it is wrong",
  breaks: ["LIM-1"],
  replaces,
  by: () => by,
});

test.each<[what: string, address: string, wrong: Rule, asked: number, isTouched: boolean]>([
  ["answers as the right one does", ANSWERS, (n) => ({ n }), 3, false],
  ["would have answered otherwise", ANSWERS, () => ({ n: 1 }), 3, true],
  ["would have refused", ANSWERS, () => right(-1), 3, true],
  ["hands on the very same", HANDS_ON, right, 7, false],
  ["hands on another of the same content", HANDS_ON, (n) => ({ n }), 7, true],
  ["does more than to answer", PLAYED, right, 3, true],
])("a mutant that %s: %s", async (_what, address, wrong, asked, isTouched) => {
  const one = mutant(address, wrong);
  const told = await watched([one], isDeepStrictEqual, () => stands.get(address)!(asked));
  expect(told.value).toEqual({ n: asked });
  expect([told.isCalledBy(one), told.isTouchedBy(one)]).toEqual([true, isTouched]);
});

test("where the right one refuses nobody is alike", async () => {
  const one = mutant(ANSWERS, right);
  const told = await watched([one], isDeepStrictEqual, () => {
    expect(() => stands.get(ANSWERS)!(-1)).toThrow("below nothing");
  });
  expect(told.isTouchedBy(one)).toBe(true);
});

test("who is not called touches nothing, and nobody is in force behind a run", async () => {
  const one = mutant(ANSWERS, () => ({ n: 1 }));
  const idle = await watched([one], isDeepStrictEqual, () => null);
  expect([idle.isCalledBy(one), idle.isTouchedBy(one)]).toEqual([false, false]);
  expect(await under(one, () => stands.get(ANSWERS)!(3))).toEqual({ n: 1 });
  expect(stands.get(ANSWERS)!(3)).toEqual({ n: 3 });
});

test("a mutant of a function that nothing has loaded is told", async () => {
  const lost = mutant("core/limit.ts#capacityOf", right);
  await expect(watched([lost], isDeepStrictEqual, () => null)).rejects.toThrow(
    "core/limit.ts#capacityOf: nothing that was loaded has this function",
  );
});
