// Joins the parts of one suite. The result has the same bytes as a run of the whole suite on one machine.
import { Failure } from "../../kit/reading/failure.ts";
import type { Figures } from "./metrics.ts";
import { resultOf, WHOLE, type ParetoResult } from "./result.ts";
import { cellsOf, nameOf } from "./suite.ts";

export interface PartialResult {
  readonly file: string;
  readonly result: ParetoResult;
}

/** Joins parts; a failure lists every reason why they do not fit. */
export function mergeParts(
  parts: readonly [PartialResult, ...PartialResult[]],
): ParetoResult | Failure {
  const [first, ...others] = parts;
  const mismatches = others.flatMap((part) => mismatchesOf(first, part));
  if (mismatches.length > 0) return new Failure(...mismatches);
  const names = cellsOf(first.result.suite).map(nameOf);
  const files = new Map<string, string>();
  const figures = new Map<number, readonly Figures[]>();
  const problems: string[] = [];
  for (const { file, result } of parts)
    for (const { name, runs } of result.cells) {
      const other = files.get(name);
      if (other !== undefined)
        problems.push(`${file}: cell "${name}" is in ${other} too; leave out one of the files`);
      files.set(name, file);
      figures.set(names.indexOf(name), runs);
    }
  const missing = names.filter((name) => !files.has(name));
  problems.push(...missing.map((name) => `"${name}" is in no part`));
  return problems.length > 0 ? new Failure(...problems) : resultOf(first.result, WHOLE, figures);
}

/** Why two parts do not belong to the same run of a suite. */
function mismatchesOf(first: PartialResult, { file, result }: PartialResult): readonly string[] {
  const own = first.result;
  type Field = string | number | null;
  const compareField = (what: string, theirs: Field, ours: Field): readonly string[] =>
    theirs === ours
      ? []
      : [`${file}: ${what} ${theirs ?? "unknown"}, and ${first.file} ${ours ?? "unknown"}`];
  return [
    ...compareField("is of suite", result.suite.hash, own.suite.hash),
    ...compareField("has seed", result.seed, own.seed),
    ...compareField("was run by commit", result.commit, own.commit),
  ];
}
