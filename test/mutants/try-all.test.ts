import { expect, test } from "vitest";
import { catalogue } from "../../src/mutants/catalogue.node.ts";
import { tryAll } from "../../src/mutants/try-all.node.ts";

const FILE = { file: "scenarios/policy-merge/rate-and-per-come-together.yaml", plays: 1 };
const NEVER = Promise.withResolvers<"stop">().promise;

// Both load the module in which they replace a function, or one that it needs, before any scenario does.
test.each([
  { name: "merge/max-rate-with-max-per", isKilled: true },
  { name: "merge/key-limit-competes", isKilled: false }, // no key of the file has a limit
])("$name is in force, and is killed: $isKilled", async ({ name, isKilled }) => {
  const found = (await catalogue())?.find((each) => each.name === name);
  const chosen = [{ name, replaces: found?.replaces ?? "" }];
  const [trial] = await tryAll([FILE], { seed: 1, isThorough: false, chosen }, () => {}, NEVER);
  expect(trial).toMatchObject({ faults: [], untouched: 0 });
  expect(trial?.assertions.some(({ killed }) => killed.includes(name))).toBe(isKilled);
});

test("whoever stops waits for no scenario", async () => {
  const settings = { seed: 1, isThorough: false, chosen: [] };
  const done: string[] = [];
  const hear = ({ scenario }: { readonly scenario: string }): void => void done.push(scenario);
  expect(await tryAll([FILE, FILE], settings, hear, Promise.resolve("stop"))).toEqual([]);
  expect(done).toEqual([]);
});
