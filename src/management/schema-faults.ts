// What a schema says against a value, as faults with whole paths.
import type { z } from "zod";
import { fault, type Path, type Problem } from "../core/problems.ts";

export const schemaFaults = (error: z.ZodError): readonly Problem[] =>
  error.issues.flatMap((issue) => {
    const path = issue.path as Path;
    if (issue.code !== "unrecognized_keys") return [fault("MGT-FIELD", path, issue.message)];
    const lines = issue.message.split("\n"); // one for each, by `table`
    return issue.keys.map((name, index) => fault("MGT-FIELD", [...path, name], lines[index]!));
  });

/** The schema's word comes first: what others find at the same place, inside it or around it, says the same again. */
export const besides = (
  found: readonly Problem[],
  others: readonly Problem[],
): readonly Problem[] => [
  ...found,
  ...others.filter(({ path }) => !found.some((said) => isOneInTheOther(path, said.path))),
];

function isOneInTheOther(one: Path, other: Path): boolean {
  const depth = Math.min(one.length, other.length);
  const isSame = (_: unknown, index: number): boolean =>
    String(one[index]) === String(other[index]);
  return depth > 0 && one.slice(0, depth).every(isSame);
}
