/** A scenario cannot run. Each problem is one line: FILE:LINE:COLUMN CODE, the problem and the correction. */
export class ScenarioError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.name = "ScenarioError";
    this.problems = problems;
  }
}

/** Accepts an integer of at least 0, as the flag --seed does. Throws a RangeError for anything else. */
export function requireSeed(seed: number): void {
  if (!Number.isSafeInteger(seed) || seed < 0)
    throw new RangeError(`seed is an integer of at least 0, not ${seed}`);
}
