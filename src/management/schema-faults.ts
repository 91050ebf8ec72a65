// What a schema says against a value, as faults with whole paths.
import type { z } from "zod";
import { fault, type Path, type Problem } from "../reading/problems.ts";
import { MOST_SHOWN } from "./json.ts";

/** One more than is shown says that there are more. */
export const schemaFaults = (error: z.ZodError): readonly Problem[] => {
  const found: Problem[] = [];
  for (const issue of error.issues) {
    if (found.length > MOST_SHOWN) break;
    const path = issue.path as Path;
    if (issue.code === "unrecognized_keys")
      // One line for each, by `table`.
      for (const [index, line] of issue.message.split("\n").entries())
        found.push(fault("MGT-FIELD", [...path, issue.keys[index]!], line));
    else found.push(fault("MGT-FIELD", path, issue.message));
  }
  return found;
};

/** The schema's word comes first: what others find at the same place, inside it or around it, says the same again. */
export const besides = (
  found: readonly Problem[],
  others: readonly Problem[],
): readonly Problem[] => [
  ...found,
  ...others
    .slice(0, MOST_LOOKED)
    .filter(({ path }) => !found.some((said) => isOneInTheOther(path, said.path))),
];

/** Of what else is wrong: enough for more than is shown, wherever the schema has found something already. */
const MOST_LOOKED = 1_000;

function isOneInTheOther(one: Path, other: Path): boolean {
  const depth = Math.min(one.length, other.length);
  const isSame = (_: unknown, index: number): boolean =>
    String(one[index]) === String(other[index]);
  return depth > 0 && one.slice(0, depth).every(isSame);
}
