import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  coverage,
  coverageProblems,
  pathProblems,
  listReachedPaths,
} from "#src/lab/check/coverage.ts";
import { BECAUSE, WITHOUT_STORE } from "#src/limiter/core/because.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";
import type { Requirement } from "#src/limiter/spec/requirements.ts";
import { REQUIREMENTS } from "#src/limiter/spec/requirements.ts";

const root = join(import.meta.dirname, "..");
const scenarios = readdirSync(join(root, "scenarios"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => `scenarios/${name}`)
  .flatMap((file) => decode(file, readFileSync(join(root, file), "utf8")).scenario ?? []);

test("a scenario proves each built requirement, and no planned one", () => {
  expect(coverageProblems(coverage(REQUIREMENTS, scenarios))).toEqual([]);
});

const requirement = (id: string, state: Requirement["state"]): Requirement => ({
  id,
  tier: "required",
  section: "Limits",
  text: "A window admits rate requests.",
  state,
});

const [proof] = scenarios;

test("a built requirement without a scenario is an error, and so is a planned one with a scenario", () => {
  const proved = proof?.proves[0] ?? "";
  const one = (id: string, state: Requirement["state"]): readonly string[] =>
    coverageProblems(coverage([requirement(id, state)], proof === undefined ? [] : [proof]));
  expect(one(proved, "built")).toEqual([]);
  expect(one("LIM-99", "planned")).toEqual([]);
  expect(one("LIM-99", "built").join()).toMatch(/^LIM-99 \(required\) is built, but no scenario/);
  expect(one(proved, "planned").join()).toMatch(/is planned, but .+ proves it/);
});

test("a scenario cannot prove what there is not", () => {
  const file = "scenarios/policy-merge/highest-effective-rate-wins.yaml";
  const text = readFileSync(join(root, file), "utf8").replace("LIM-5", "LIM-99");
  const faults = decode(file, text).problems.filter(({ severity }) => severity === "error");
  expect(faults.map(({ code }) => code)).toEqual(["SCN-REQUIREMENT"]);
});

test("a way to a limit counts where a budget that decided carries it, with or without the store", () => {
  const marks = listReachedPaths([["LIM-7"], ["LIM-6"], ["LIM-6", "LIM-C6"]], "ALG-C8", [
    {
      scenario: "a",
      decidedBy: [
        { scope: "api", because: ["LIM-7"] },
        { scope: "key-api", because: ["LIM-6", "LIM-C6", "ALG-C8"] },
      ],
    },
    { scenario: "b", decidedBy: [{ scope: "api", because: ["LIM-7"] }] },
  ]);
  expect(marks).toEqual([
    { ids: "LIM-7", scenarios: ["a", "b"] },
    { ids: "LIM-6", scenarios: [] },
    { ids: "LIM-6 LIM-C6", scenarios: ["a"] },
    { ids: "ALG-C8", scenarios: ["a"] },
  ]);
  expect(pathProblems(marks).join()).toMatch(
    /^the core limits requests because of LIM-6, but no scenario/,
  );
});

test("every way to a limit that the core knows names requirements that there are", () => {
  const ids = new Set(REQUIREMENTS.map(({ id }) => id));
  const cited = [...Object.values(BECAUSE).flat(), WITHOUT_STORE];
  expect(cited.filter((id) => !ids.has(id))).toEqual([]);
});
