// What `weir implementations run` and `prove` share: required results, and a file for each implementation that ran.
import { dirname, join } from "node:path";
import { checkout } from "../studies/bench/resources/machine.node.ts";
import { argumentOf, type Implementation } from "../lab/implementations/catalogue.node.ts";
import { Failure } from "../kit/reading/failure.ts";
import { writeWhole, whyUnreadable } from "../kit/reading/text-file.node.ts";
import { createFolder, whyUnwritable } from "../kit/reading/folder.node.ts";
import type { Arguments } from "./arguments.ts";
import { versionOfWeir } from "./version.node.ts";

export const DEFAULT_OUT = join("reports", "implementations");

/** The folder of proofs, below the folder of results. */
export const PROOFS = "proofs";

export const listIn = (values: Arguments["values"], name: string): readonly string[] =>
  (values.get(name) ?? "").split(",").filter((each) => each !== "");

export function resolveRequired(
  values: Arguments["values"],
  implementations: readonly Implementation[],
): readonly string[] | Failure {
  const ids: string[] = [];
  for (const name of listIn(values, "require")) {
    const named = implementations.filter((each) => name === "all" || isNamed(each, name));
    if (named.length === 0)
      return new Failure(
        `--require ${name}: this run has no such implementation; add it to the command, or write --require all`,
      );
    ids.push(...named.map(({ id }) => id));
  }
  return ids;
}

/** Whether `name` is the implementation's id or path, or a folder that the id or path begins with. */
const isNamed = (implementation: Implementation, name: string): boolean =>
  [implementation.id, argumentOf(implementation)].some(
    (each) => each === name || each.startsWith(`${name}/`),
  );

interface ImplementationResult {
  readonly id: string;
  readonly missing: string | null; // why it did not run
}

/** One sentence for each required implementation that did not run. `required` has ids. */
export const absentIn = (
  results: readonly ImplementationResult[],
  required: readonly string[],
): readonly string[] =>
  results
    .filter(({ id, missing }) => missing !== null && required.includes(id))
    .map(({ id, missing }) => `${id} is required, and ${missing}`);

/** The version of Weir and the date, for saved results. */
export function describeOrigin(): {
  readonly weir: string;
  readonly commit: string | null;
  readonly date: string;
} {
  const { commit, changed } = checkout();
  return {
    weir: versionOfWeir(),
    commit: changed ? `${commit} and changes` : commit,
    date: new Date().toISOString(),
  };
}

/** Why results cannot be saved in the folder; null if they can. Called before anything runs. */
export const whyUnsavable = (folder: string): string | null =>
  whyUnwritable(join(folder, "results.json"));

/** Saves one file for each implementation that ran; returns the problems. */
export const saveResults = <T extends ImplementationResult>(
  results: readonly T[],
  folder: string,
  documentOf: (result: T) => unknown,
): readonly string[] =>
  results
    .filter(({ missing }) => missing === null)
    .flatMap((result) => {
      const file = join(folder, `${result.id}.json`);
      const noFolder = createFolder(dirname(file));
      if (noFolder !== null) return [noFolder];
      try {
        writeWhole(file, `${JSON.stringify(documentOf(result), null, 1)}\n`);
        return [];
      } catch (error) {
        return [`${file}: ${whyUnreadable(error)}`];
      }
    });
