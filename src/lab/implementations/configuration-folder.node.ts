// Reads a folder of configuration files: one of them is the main file, and its reader gets the others.
import { existsSync, globSync, statSync } from "node:fs";
import { join } from "node:path";
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import { readText } from "../../kit/reading/text-file.node.ts";
import { readConfigurationFile } from "./configuration-files.node.ts";
import type { ConfigurationFile } from "./reading.ts";
import { READERS } from "./readers.ts";

const MOST_FILES = 2000;
const MOST_BYTES = 5_000_000;

/** Whether a file of a folder may be a configuration, by its name. */
export const isOfFolder = (name: string): boolean =>
  /\.(?:json|ya?ml|toml|conf)$/.test(name) && !/(?:^|[/\\])(?:node_modules|\.git)[/\\]/.test(name);

/** Reads a file, or the main file of a folder with all others. `kind`: of the program; null: found by the files. */
export const readFileOrFolder = (path: string, kind: string | null): ConfigurationFile | Failure =>
  existsSync(path) && statSync(path).isDirectory()
    ? readFolder(path, kind)
    : readConfigurationFile(path);

function readFolder(folder: string, kind: string | null): ConfigurationFile | Failure {
  const names = globSync("**/*", { cwd: folder }).filter(isOfFolder).toSorted();
  const files: ConfigurationFile[] = [];
  for (const name of names.slice(0, MOST_FILES + 1)) {
    const path = join(folder, name);
    const { size } = statSync(path);
    if (size > MOST_BYTES) continue;
    const text = readText(path);
    if (!isFailure(text)) files.push({ file: path, text });
  }
  return selectMain(files, folder, kind);
}

/** The first file that the one reader of a folder recognizes, with all others. */
export function selectMain(
  files: readonly ConfigurationFile[],
  folder: string,
  kind: string | null,
): ConfigurationFile | Failure {
  if (files.length > MOST_FILES)
    return new Failure(
      `${folder} has more than ${MOST_FILES} files of configurations; name a folder with fewer`,
    );
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
  const main = files.find(reader.recognizes)!;
  return { ...main, others: files.filter((each) => each !== main) };
}
