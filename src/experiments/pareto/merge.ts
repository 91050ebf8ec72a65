// Parts of one whole, played apart, put together: what comes out is what one machine would have written.
import type { Figures } from "./metrics.ts";
import { resultOf, WHOLE, type ParetoResult } from "./result.ts";
import { cellsOf, nameOf } from "./suite.ts";

export interface Part {
  readonly file: string;
  readonly result: ParetoResult;
}

/** Or everything that is in the way of it. */
export function merged(parts: readonly [Part, ...Part[]]): ParetoResult | readonly string[] {
  const [first, ...others] = parts;
  const strangers = others.flatMap((part) => strangeness(first, part));
  if (strangers.length > 0) return strangers;
  const names = cellsOf(first.result.suite).map(nameOf);
  const files = new Map<string, string>();
  const figures = new Map<number, readonly Figures[]>();
  const faults: string[] = [];
  for (const { file, result } of parts)
    for (const { name, runs } of result.cells) {
      const known = files.get(name);
      if (known !== undefined) faults.push(`${file}: "${name}" is in ${known} too`);
      files.set(name, file);
      figures.set(names.indexOf(name), runs);
    }
  const missing = names.filter((name) => !files.has(name));
  faults.push(...missing.map((name) => `"${name}" is in no part`));
  return faults.length > 0 ? faults : resultOf(first.result, WHOLE, figures);
}

/** What keeps a part from belonging to the same whole. */
export function strangeness(first: Part, { file, result }: Part): readonly string[] {
  const own = first.result;
  type Said = string | number | null;
  const said = (what: string, theirs: Said, ours: Said): readonly string[] =>
    theirs === ours
      ? []
      : [`${file}: ${what} ${theirs ?? "unknown"}, and ${first.file} ${ours ?? "unknown"}`];
  return [
    ...said("is of suite", result.suite.hash, own.suite.hash),
    ...said("has seed", result.seed, own.seed),
    ...said("was played by commit", result.commit, own.commit),
  ];
}
