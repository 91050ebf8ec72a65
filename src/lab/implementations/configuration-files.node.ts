// The files of a configuration of another limiter: the one that was named, and those that it includes.
import { existsSync, globSync, statSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import { readText } from "../../kit/reading/text-file.node.ts";
import type { ConfigurationFile, Includes } from "./reading.ts";

const MOST_BYTES = 5_000_000;

export function readConfigurationFile(path: string): ConfigurationFile | Failure {
  if (existsSync(path) && statSync(path).size > MOST_BYTES)
    return new Failure(`${path} has more than 5 MB, which is no configuration of limits`);
  const text = readText(path);
  return isFailure(text) ? text : { file: path, text };
}

/** Included files are named relative to the folder of the main file. */
export const includesNextTo =
  (main: string): Includes =>
  (pattern) => {
    const path = isAbsolute(pattern) ? pattern : join(dirname(main), pattern);
    if (/[*?[]/.test(path)) return collect(globSync(path).toSorted());
    if (!existsSync(path)) return new Failure(`include ${pattern}: ${path} does not exist`);
    return collect([path]);
  };

function collect(paths: readonly string[]): readonly ConfigurationFile[] | Failure {
  const files: ConfigurationFile[] = [];
  for (const path of paths) {
    const file = readConfigurationFile(path);
    if (isFailure(file)) return file;
    files.push(file);
  }
  return files;
}
