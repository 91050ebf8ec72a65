/** Problems of a test file that has run, apart from its failures. Pure: takes what the run reports of it. */
import { ALLOWED_SKIPS, LONG_QUICK_FILES, LONGEST_QUICK_FILE_S } from "./jobs.ts";

/** One test file, as a run reports it. */
export interface FileRun {
  readonly path: string; // from the root of the repository, with forward slashes
  readonly isQuick: boolean; // a file of `npm test`
  readonly ownSeconds: number | null; // null: its tests did not start
  readonly emptySuites: readonly string[]; // the titles of `describe` blocks without a test
  readonly skippedTests: readonly string[]; // their titles
}

/** `isComplete`: on a machine that has every program, so that no test may be left out. */
export function fileProblems(run: FileRun, isComplete: boolean): readonly string[] {
  const { path, isQuick, ownSeconds, emptySuites, skippedTests } = run;
  const problems = emptySuites.map(
    (title) => `${path} "${title}" has no test: give it one, or delete it`,
  );
  const mostSeconds = LONG_QUICK_FILES.get(path)?.seconds ?? LONGEST_QUICK_FILE_S;
  if (isQuick && ownSeconds !== null && ownSeconds > mostSeconds)
    problems.push(
      `${path} takes ${ownSeconds.toFixed(1)} s of its own, over ${mostSeconds} s: make it quicker, split it, ` +
        `or move it to the longer job in test/gate/jobs.ts`,
    );
  if (isComplete)
    for (const title of skippedTests)
      if (!ALLOWED_SKIPS.some((skip) => skip.file === path && title.includes(skip.title)))
        problems.push(
          `${path} skips "${title}": install what it needs in .ci/run, or add it with its reason to ALLOWED_SKIPS in test/gate/jobs.ts`,
        );
  return problems;
}
