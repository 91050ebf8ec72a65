// Converts the errors of a schema to problems with complete paths.
import type { z } from "zod";
import { errorAt, type Path, type Problem } from "../../kit/reading/problems.ts";
import { MOST_SHOWN } from "./json.ts";

/** Stops when more problems are found than a response shows, so that the response can mark its list as cut. */
export const schemaProblems = (error: z.ZodError): readonly Problem[] => {
  const found: Problem[] = [];
  for (const issue of error.issues) {
    if (found.length > MOST_SHOWN) break;
    const path = issue.path as Path;
    if (issue.code === "unrecognized_keys")
      // `table` writes a line for each unknown field.
      for (const [index, line] of issue.message.split("\n").entries())
        found.push(errorAt("MGT-FIELD", [...path, issue.keys[index]!], line));
    else found.push(errorAt("MGT-FIELD", path, issue.message));
  }
  return found;
};

/** Adds problems of other checks, unless their path contains, or is inside, the path of a problem in `found`. */
export const withFurtherProblems = (
  found: readonly Problem[],
  others: readonly Problem[],
): readonly Problem[] => [
  ...found,
  ...others
    .slice(0, MOST_LOOKED)
    .filter(({ path }) => !found.some((known) => isOneInTheOther(path, known.path))),
];

/** The most problems of other checks that are compared with `found`; later ones are dropped. */
const MOST_LOOKED = 1_000;

function isOneInTheOther(one: Path, other: Path): boolean {
  const depth = Math.min(one.length, other.length);
  const isSame = (_: unknown, index: number): boolean =>
    String(one[index]) === String(other[index]);
  return depth > 0 && one.slice(0, depth).every(isSame);
}
