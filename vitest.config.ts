import { defineConfig } from "vitest/config";

// On a build machine the counts are also left as JSON, for the last line of .ci/run.
const counts: ["json", { outputFile: string }] = [
  "json",
  { outputFile: "reports/runs/vitest.json" },
];

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Many tests start the real command or run a whole suite: a busy machine is not a failure.
    testTimeout: 60_000,
    reporters: process.env["CI"] === undefined ? ["default"] : ["default", counts],
  },
});
