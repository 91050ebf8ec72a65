// The suites that come with Weir, and files of one's own.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { nearest } from "../reading/problems.ts";

/** Source and compiled output lie equally deep below it. */
const FOLDER = fileURLToPath(new URL("../../bench/", import.meta.url));

export const suiteNames = (): readonly string[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith(".yaml"))
    .map((file) => file.replace(/\.yaml$/, ""))
    .toSorted();

/** The file of a suite that is named, or that is a file. A sentence says that there is none. */
export function suiteFile(named: string): { readonly file: string } | { readonly fault: string } {
  if (/\.ya?ml$/.test(named)) return { file: named };
  const names = suiteNames();
  if (names.includes(named)) return { file: join(FOLDER, `${named}.yaml`) };
  const meant = nearest(named, names);
  const way =
    meant === null ? `there are ${names.join(", ")}, and FILE.yaml` : `did you mean ${meant}?`;
  return { fault: `there is no suite ${named}; ${way}` };
}
