// Converts the errors of a schema to problems with complete paths.
import type { z } from "zod";
import { errorAt, type Path, type Problem } from "../../kit/reading/problems.ts";
import { MOST_SHOWN } from "./json.ts";

/** Returns one problem more than is shown, so that the list ends with a sign that it is cut. */
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

/** Adds problems of other checks, except at places where the schema has found a problem: they would repeat it. */
export const withFurtherProblems = (
  found: readonly Problem[],
  others: readonly Problem[],
): readonly Problem[] => [
  ...found,
  ...others
    .slice(0, MOST_LOOKED)
    .filter(({ path }) => !found.some((known) => isOneInTheOther(path, known.path))),
];

/** The most further problems that are compared: enough even if the schema has found some at the same places. */
const MOST_LOOKED = 1_000;

function isOneInTheOther(one: Path, other: Path): boolean {
  const depth = Math.min(one.length, other.length);
  const isSame = (_: unknown, index: number): boolean =>
    String(one[index]) === String(other[index]);
  return depth > 0 && one.slice(0, depth).every(isSame);
}
