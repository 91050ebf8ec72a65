// Ends a run of vitest with the problems of its files that are no failures of tests; one of them fails the run. Slow files are named first.
import type { Reporter, TestCase, TestModule } from "vitest/node";
import { fileProblems, noticesOf, type FileRun } from "./file-problems.ts";

export class FileProblems implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    // In CI every program is installed. With names or patterns of tests the others are skipped.
    const isComplete = process.env["CI"] !== undefined;
    const runs = modules.map(runOf);
    for (const notice of runs.flatMap(noticesOf)) process.stderr.write(` SLOW  ${notice}\n`);
    const problems = runs.flatMap((run) => fileProblems(run, isComplete));
    if (problems.length === 0) return;
    for (const problem of problems) process.stderr.write(` FAIL  ${problem}\n`);
    process.exitCode = 1;
  }
}

function runOf(module: TestModule): FileRun {
  const titleOf = ({ fullName }: TestCase): string => fullName;
  return {
    path: module.relativeModuleId.replaceAll("\\", "/"),
    // A search runs properties more often.
    isQuick: module.project.name === "quick" && process.env["WEIR_RUNS"] === undefined,
    ownSeconds: module.meta().ownSeconds ?? null,
    emptySuites: [...module.children.allSuites()].flatMap((suite) =>
      [...suite.children.allTests()].length === 0 ? [suite.fullName] : [],
    ),
    skippedTests: [...module.children.allTests("skipped")].map(titleOf),
  };
}
