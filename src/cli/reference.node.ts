// `--reference`: compares a run with saved reference results, or replaces them.
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { Failure, isFailure } from "../kit/reading/failure.ts";
import { createFolders } from "../kit/reading/folder.node.ts";
import { commandLine } from "../kit/command-line.ts";
import { differencesBetween } from "../show/conformance/differences.ts";
import {
  conformanceOf,
  conformanceText,
  renewConformance,
  type Conformance,
} from "../show/conformance/conformance.ts";
import { readConformance } from "../show/conformance/read-conformance.ts";
import type { Result } from "../lab/scenario/verdict.ts";
import { hasOption, type Arguments } from "./arguments.ts";
import type { Drift } from "./run-report.ts";
import { many } from "../kit/reading/legible.ts";
import { readText, whyUnreadable, writeWhole } from "../kit/reading/text-file.node.ts";

export interface Reference {
  readonly file: string;
  readonly known: Conformance | null; // null if it is written for the first time
  readonly isRenewed: boolean;
  readonly renew: string; // the command that writes the file again
}

/** Flags that --reference excludes, because they select parts of scenarios or make runs unrepeatable. */
const NOT_WITH = ["only", "sample", "store"] as const;

/** Matches a file of reference results, even one with merge conflicts, and an empty file. */
const REFERENCE = /^\s*$|"weir-conformance\//;

/** Reads --reference and the file that it names. Null if the flag is not given. */
export function referenceOf(
  args: Arguments,
  seed: number,
  isWhole: boolean,
): Reference | Failure | null {
  const { operands, switches, values } = args;
  const file = values.get("reference");
  const isRenewed = switches.has("write");
  if (file === undefined)
    return isRenewed && !values.has("inconclusive")
      ? new Failure("--write needs --reference FILE or --inconclusive FILE")
      : null;
  const isReal = (values.get("driver") ?? "virtual") !== "virtual";
  const other = isReal ? "driver" : NOT_WITH.find((option) => hasOption(args, option));
  if (other !== undefined)
    return new Failure(`--reference compares whole scenarios in virtual time; remove --${other}`);
  if (isRenewed && process.env["CI"] !== undefined)
    return new Failure(
      "--write is disabled if the variable CI is set: review the reference results, then commit them",
    );
  const ofSeed = seed === 1 ? "" : ` --seed ${seed}`;
  const renewBy = (paths: readonly string[]): string =>
    commandLine(["run", ...paths, `--reference ${file}${ofSeed} --write`].join(" "));
  const renew = renewBy(operands);
  if (isRenewed && !existsSync(file)) return { file, known: null, isRenewed, renew };
  const read = readText(file);
  if (isFailure(read))
    return new Failure(
      `--reference ${read.message}; ${existsSync(file) ? "choose another file" : `create it with: ${renew}`}`,
    );
  if (!REFERENCE.test(read))
    return new Failure(
      `--reference ${file}: this file has no reference results, so it is not overwritten; choose another file`,
    );
  // A run of the whole suite replaces every result, so the present file may be broken, for example by a merge.
  if (isRenewed && isWhole) return { file, known: null, isRenewed, renew };
  const reference = readConformance(read);
  if (isFailure(reference))
    return new Failure(
      `--reference ${file}: ${reference.message}; create it again from the whole suite: ${renewBy(isWhole ? operands : [])}`,
    );
  if (isRenewed && reference.seed !== seed)
    return new Failure(
      `--reference ${file} has results of seed ${reference.seed}, so a run with seed ${seed} cannot update only some of them; add --seed ${reference.seed}`,
    );
  return { file, known: reference, isRenewed, renew };
}

/** Compares results with the reference results, or replaces these. Fails if the file cannot be written. */
export function compareWithReference(
  { file, known, isRenewed, renew }: Reference,
  results: readonly Result[],
  digests: readonly string[], // digests of their histories
  { seed, isWhole }: { readonly seed: number; readonly isWhole: boolean },
): Drift | Failure {
  const found = conformanceOf(
    results.map((result, index) => ({ result, history: digests[index]! })),
    "virtual",
    seed,
  );
  if (!isRenewed) {
    if (known === null) throw new Error(`${file} was not read`);
    return { file, differences: differencesBetween(known, found, isWhole), renew };
  }
  const renewed = renewConformance(known, found, isWhole);
  try {
    createFolders(dirname(file));
    writeWhole(file, conformanceText(renewed));
    return { file, differences: [], renew, doubt: doubtAbout(renewed, file) };
  } catch (error) {
    return new Failure(`${file}: ${whyUnreadable(error)}`);
  }
}

/** Warns of saved failures. They are saved so that later runs can be compared with known failures. */
function doubtAbout({ footer: { variants, failed } }: Conformance, file: string): string | null {
  if (failed === 0) return null;
  return `${failed} of ${many(variants, "variant")} in ${file} ${failed === 1 ? "does" : "do"} not pass`;
}
