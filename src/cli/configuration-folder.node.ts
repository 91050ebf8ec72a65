// Reads a folder of configuration files: one of them is the main file, and its reader gets the others.
import { globSync, statSync } from "node:fs";
import { join } from "node:path";
import { Failure, isFailure } from "../kit/reading/failure.ts";
import { readText } from "../kit/reading/text-file.node.ts";
import type { ConfigurationFile } from "../lab/implementations/reading.ts";
import { READERS } from "../lab/implementations/readers.ts";

const MOST_FILES = 2000;
const MOST_BYTES = 5_000_000;

/** `kind`: of --kind; null: found by the files. */
export function readFolder(folder: string, kind: string | null): ConfigurationFile | Failure {
  const names = globSync("**/*.{json,yaml,yml,conf}", { cwd: folder })
    .filter((name) => !/(?:^|[/\\])(?:node_modules|\.git)[/\\]/.test(name))
    .toSorted();
  if (names.length > MOST_FILES)
    return new Failure(
      `${folder} has more than ${MOST_FILES} files of configurations; name a folder with fewer`,
    );
  const files: ConfigurationFile[] = [];
  for (const name of names) {
    const path = join(folder, name);
    const { size } = statSync(path);
    if (size > MOST_BYTES) continue;
    const text = readText(path);
    if (!isFailure(text)) files.push({ file: path, text });
  }
  const readers = READERS.filter((each) => each.readsFolders === true);
  const wanted = readers.filter((each) => kind === null || each.kind === kind);
  const found = wanted.filter((each) => files.some(each.recognizes));
  const [reader, second] = found;
  if (reader === undefined)
    return new Failure(
      `${folder} is a folder without files of ${wanted.map((each) => each.kind).join(", ") || kind}; name the main file of the configuration`,
    );
  if (second !== undefined)
    return new Failure(
      `${folder} has files of ${found.map((each) => each.kind).join(" and of ")}; --kind selects one`,
    );
  const own = files.filter(reader.recognizes);
  return { ...own[0]!, others: own.slice(1) };
}
