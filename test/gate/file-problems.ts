/** Problems of a test file that has run, apart from its failures. Pure: takes what the run reports of it. */
import { ALLOWED_SKIPS, FAILS_AT, LONG_QUICK_FILE, LONGEST_QUICK_FILE_S } from "./jobs.ts";

/** One test file, as a run reports it. */
export interface FileRun {
  readonly path: string; // from the root of the repository, with forward slashes
  readonly isQuick: boolean; // a file of `npm test`
  readonly ownSeconds: number | null; // null: its tests did not start
  readonly emptySuites: readonly string[]; // the titles of `describe` blocks without a test, also of skipped ones
  readonly skippedTests: readonly string[]; // their titles
}

/** `isComplete`: on a machine that has every program, so that no test may be left out. */
export function fileProblems(run: FileRun, isComplete: boolean): readonly string[] {
  const { path, emptySuites, skippedTests } = run;
  const problems = emptySuites.map(
    (title) => `${path} "${title}" has no test: give it one, or delete it`,
  );
  if (isSlow(run, FAILS_AT)) problems.push(slownessOf(run));
  if (isComplete)
    for (const title of skippedTests)
      if (!ALLOWED_SKIPS.some((skip) => skip.file === path && title.includes(skip.title)))
        problems.push(
          `${path} skips "${title}": install what it needs in .ci/run, or add it with its reason to ALLOWED_SKIPS in test/gate/jobs.ts`,
        );
  return problems;
}

/** Files over the bound that do not fail yet, one a line. */
export const noticesOf = (run: FileRun): readonly string[] =>
  isSlow(run, LONGEST_QUICK_FILE_S) && !isSlow(run, FAILS_AT) ? [slownessOf(run)] : [];

const isSlow = ({ path, isQuick, ownSeconds }: FileRun, boundS: number): boolean =>
  isQuick && path !== LONG_QUICK_FILE && (ownSeconds ?? 0) > boundS;

const slownessOf = ({ path, ownSeconds }: FileRun): string =>
  `${path} takes ${ownSeconds!.toFixed(1)} s of its own, over ${LONGEST_QUICK_FILE_S} s: make it quicker, split it, ` +
  `or move it to the longer job in test/gate/jobs.ts`;
