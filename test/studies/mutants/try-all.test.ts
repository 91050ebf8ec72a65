import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { catalogue } from "#src/studies/mutants/catalogue.node.ts";
import type { KnownKills } from "#src/studies/mutants/trial.ts";
import type { TrialFile } from "#src/studies/mutants/trial-worker.node.ts";
import { tryAll } from "#src/studies/mutants/try-all.node.ts";

const file = "scenarios/policy-merge/rate-and-per-come-together.yaml";
const FILE: TrialFile = {
  file,
  text: readFileSync(file, "utf8"),
  traces: new Map(),
  knownKills: null,
};
const NEVER = Promise.withResolvers<"stop">().promise;

// Both load the module in which they replace a function, or one that it needs, before any scenario does.
test.each([
  { name: "merge/max-rate-with-max-per", isKilled: true },
  { name: "merge/key-limit-competes", isKilled: false }, // no key of the file has a limit
])("$name is in force, and is killed: $isKilled", async ({ name, isKilled }) => {
  const found = (await catalogue())?.find((each) => each.name === name);
  const chosen = [{ name, replaces: found?.replaces ?? "" }];
  const [trial] = await tryAll(
    [{ file: FILE, size: 1 }],
    { seed: 1, isThorough: false, chosen },
    () => {},
    NEVER,
  );
  expect(trial).toMatchObject({ faults: [], untouched: 0 });
  expect(trial?.assertions.some(({ killed }) => killed.includes(name))).toBe(isKilled);
});

test("with known kills only those are tried", async () => {
  const name = "merge/max-rate-with-max-per";
  const found = (await catalogue())?.find((each) => each.name === name);
  const settings = { seed: 1, isThorough: false, chosen: [{ name, replaces: found!.replaces }] };
  const by = async (knownKills: KnownKills | null): Promise<readonly string[]> => {
    const [trial] = await tryAll(
      [{ file: { ...FILE, knownKills }, size: 1 }],
      settings,
      () => {},
      NEVER,
    );
    return trial!.assertions.flatMap(({ id, killed }) => (killed.length > 0 ? [id] : []));
  };
  const all = await by(null);
  expect(all.length).toBeGreaterThan(1);
  expect(await by(new Map([[name, new Set([all[1]!])]]))).toEqual([all[1]]);
  expect(await by(new Map())).toEqual([]);
});

test("a stop waits for no scenario", async () => {
  const settings = { seed: 1, isThorough: false, chosen: [] };
  const done: string[] = [];
  const onDone = ({ scenario }: { readonly scenario: string }): void => void done.push(scenario);
  const files = [{ file: FILE, size: 1 }];
  expect(await tryAll(files, settings, onDone, Promise.resolve("stop"))).toEqual([]);
  expect(done).toEqual([]);
});
