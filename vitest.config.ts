import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// On a build machine the counts are also left as JSON, for the last line of .ci/run.
const counts: ["json", { outputFile: string }] = [
  "json",
  { outputFile: "reports/runs/vitest.json" },
];

// `npm run mutation` changes the code inside this process: tests that start the command would run it as
// it is. What runs longest comes last, because the first test that fails ends the run; with WEIR_QUICK it
// does not come at all, so that what only unit tests can tell is known early. WEIR_QUICK=check,core/read
// leaves it to the tests of those folders alone.
const isMutated = process.env["STRYKER_MUTATOR_WORKER"] !== undefined;
const quick = process.env["WEIR_QUICK"];
const QUICK = ["core", "store", "gateway", "oracle", "check"];
const IN_PROCESS =
  quick === undefined
    ? [...QUICK, "sim", "properties"]
    : quick === "yes"
      ? QUICK
      : quick.split(",");
const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = IN_PROCESS.findIndex((name) => moduleId.includes(`/test/${name}/`));
  return place === -1 ? IN_PROCESS.length : place;
};

class QuickFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files.toSorted((one, other) => placeOf(one) - placeOf(other)));
  }
}

const mutated = {
  include: [
    ...IN_PROCESS.map((folder) => `test/${folder}/**/*.test.ts`),
    "test/requirements.test.ts",
    ...(quick === undefined ? ["test/suite.test.ts"] : []),
  ],
  // Neither looks at what a rule says: they ask whether anything stops, and what a store weighs.
  exclude: [
    "test/core/read/fuzz*.test.ts",
    "test/store/flood.test.ts",
    "test/sim/interleave*.test.ts",
  ],
  // A property that needs all its runs to notice a change is outrun by a scenario.
  env: { WEIR_RUNS: "0.05", WEIR_ONCE: "yes" },
  // Every change gets a worker of its own, so its files may share what they import.
  isolate: false,
  setupFiles: "test/mutation-coverage.ts",
  sequence: { sequencer: QuickFirst },
};

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Many tests start the real command or run a whole suite: a busy machine is not a failure.
    testTimeout: 60_000,
    reporters: process.env["CI"] === undefined ? ["default"] : ["default", counts],
    ...(isMutated ? mutated : {}),
  },
});
