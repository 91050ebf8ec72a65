// Compares what survived `npm run mutation` so far with mutation-survivors.yaml: a change that no test notices needs its
// reason there, and a change that a test notices has no row.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compareWithReport, readSurvivors, type MutationReport } from "./mutation-survivors.ts";

const root = join(import.meta.dirname, "..");
const report = JSON.parse(
  readFileSync(join(root, "reports/runs/mutation/mutation.json"), "utf8"),
) as MutationReport;
const survivors = readSurvivors(readFileSync(join(root, "test/mutation-survivors.yaml"), "utf8"));
const problems = compareWithReport(survivors, report);
console.log(
  problems.length === 0 ? "every survivor is listed, with its reason" : problems.join("\n"),
);
process.exitCode = problems.length === 0 ? 0 : 1;
