import { expect, test } from "vitest";
import { catalogue } from "../../src/mutants/catalogue.node.ts";
import { tryAll } from "../../src/mutants/try-all.node.ts";

const FILE = "scenarios/policy-merge/rate-and-per-come-together.yaml";

// Both load the module in which they replace a function, or one that it needs, before any scenario does.
test.each([
  { name: "merge/max-rate-with-max-per", isKilled: true },
  { name: "merge/key-limit-competes", isKilled: false }, // no key of the file has a limit
])("$name is in force, and is killed: $isKilled", async ({ name, isKilled }) => {
  const found = (await catalogue())?.find((each) => each.name === name);
  const chosen = [{ name, replaces: found?.replaces ?? "" }];
  const [trial] = await tryAll([FILE], { seed: 1, isThorough: false, chosen }, () => {});
  expect(trial).toMatchObject({ faults: [], untouched: 0 });
  expect(trial?.assertions.some(({ killed }) => killed.includes(name))).toBe(isKilled);
});
