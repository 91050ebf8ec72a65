// What is wrong with a file, in lines for people.
import { formatProblem, type PositionedProblem } from "../reading/source.ts";

export interface Told {
  /** With any of them nothing may run. */
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
}

export function toldOf(problems: readonly PositionedProblem[]): Told {
  const of = (wanted: PositionedProblem["severity"]): readonly string[] =>
    problems.filter(({ severity }) => severity === wanted).map(formatProblem);
  return { faults: of("error"), warnings: of("warning") };
}
