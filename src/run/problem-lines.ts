// The problems of a file, in lines for people.
import { formatProblem, type PositionedProblem } from "../reading/source.ts";

export interface ProblemLines {
  /** With any of them nothing may run. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

export function problemLinesOf(problems: readonly PositionedProblem[]): ProblemLines {
  const of = (wanted: PositionedProblem["severity"]): readonly string[] =>
    problems.filter(({ severity }) => severity === wanted).map(formatProblem);
  return { errors: of("error"), warnings: of("warning") };
}
