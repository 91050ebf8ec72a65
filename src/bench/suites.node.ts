// The suites that are part of Weir, and the user's own files.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { nearest } from "../reading/problems.ts";

/** From source and from compiled output the relative path is the same. */
const FOLDER = fileURLToPath(new URL("../../bench/", import.meta.url));

export const suiteNames = (): readonly string[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith(".yaml"))
    .map((file) => file.replace(/\.yaml$/, ""))
    .toSorted();

/** The file of a suite, by its name or its path, or a message that there is none. */
export function suiteFile(name: string): { readonly file: string } | { readonly problem: string } {
  if (/\.ya?ml$/.test(name)) return { file: name };
  const names = suiteNames();
  if (names.includes(name)) return { file: join(FOLDER, `${name}.yaml`) };
  const near = nearest(name, names);
  const advice =
    near === null ? `there are ${names.join(", ")}, and FILE.yaml` : `did you mean ${near}?`;
  return { problem: `there is no suite ${name}; ${advice}` };
}
