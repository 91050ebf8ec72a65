import { defineConfig } from "vitest/config";

// On a build machine the counts are also left as JSON, for the last line of .ci/run.
const counts: ["json", { outputFile: string }] = [
  "json",
  { outputFile: "reports/runs/vitest.json" },
];

// `npm run mutation` changes the code inside this process: tests that start the command would run it as
// it is. A property that needs all its runs to notice a change is outrun by a scenario.
const isMutated = process.env["STRYKER_MUTATOR_WORKER"] !== undefined;
const IN_PROCESS = ["{core,store,sim,gateway,oracle,check,scenario,properties}/**/*", "suite"];

export default defineConfig({
  test: {
    include: isMutated ? IN_PROCESS.map((name) => `test/${name}.test.ts`) : ["test/**/*.test.ts"],
    // Many tests start the real command or run a whole suite: a busy machine is not a failure.
    testTimeout: 60_000,
    env: isMutated ? { WEIR_RUNS: "0.1" } : {},
    reporters: process.env["CI"] === undefined ? ["default"] : ["default", counts],
  },
});
