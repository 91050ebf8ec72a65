import { defineConfig } from "vitest/config";

// On a build machine the counts are also left as JSON, for the last line of .ci/run.
const counts: ["json", { outputFile: string }] = [
  "json",
  { outputFile: "reports/runs/vitest.json" },
];

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    reporters: process.env["CI"] === undefined ? ["default"] : ["default", counts],
  },
});
