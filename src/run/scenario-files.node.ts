// From what a user typed to the texts of files.
import { existsSync, globSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { TraceFileReader } from "../scenario/read/trace.ts";
import { oneLine } from "../reading/legible.ts";
import { commandLine } from "../report/command-line.ts";
import { readText, whyUnreadable } from "../reading/text-file.node.ts";

export const DEFAULT_FOLDER = "scenarios";

export interface Source {
  readonly file: string; // as results and problems name it
  readonly text: string;
}

export interface Sources {
  readonly sources: readonly Source[];
  /** One line each, of paths that lead nowhere and files that are no text. */
  readonly faults: readonly string[];
}

export function sourcesAt(paths: readonly string[]): Sources {
  const { files, faults } = filesOf(
    paths.length === 0 ? [DEFAULT_FOLDER] : paths,
    "scenario (*.yaml or *.yml)",
    /\.ya?ml$/,
  );
  const sources: Source[] = [];
  const told = [...faults];
  for (const file of files) {
    const read = readText(file);
    if ("problem" in read) told.push(oneLine(read.problem));
    else sources.push({ file, text: read.text });
  }
  return { sources, faults: told };
}

/** Whatever a scenario refers to lies in its folder or below. */
export const besideFile =
  (file: string): TraceFileReader =>
  (name) =>
    readText(shown(join(dirname(file), name)));

export const isWholeSuite = (path: string): boolean =>
  basename(path) === DEFAULT_FOLDER && isFolder(path);

/** Why a path cannot be watched, a line each. A pattern may come to match. */
export function unwatchable(paths: readonly string[]): readonly string[] {
  const whyNot = (path: string): string | null => {
    try {
      return statSync(path, { throwIfNoEntry: false }) === undefined ? missing(path) : null;
    } catch (error) {
      return whyUnreadable(error);
    }
  };
  return paths.flatMap((path) => {
    const why = isPattern(path) ? null : whyNot(path);
    return why === null ? [] : [oneLine(`${path}: ${why}`)];
  });
}

/** Weir's own scenarios are measured by its specification; those of a user are not, however their folder is called. */
export const isOwnSuite = (path: string): boolean => realPath(path) === OWN;

export const isInOwnSuite = (path: string): boolean =>
  isOwnSuite(path) || realPath(path).startsWith(`${OWN}${sep}`);

const realPath = (path: string): string => (existsSync(path) ? realpathSync(path) : resolve(path));

/** Source and compiled output lie equally deep in the package. */
const OWN = realPath(join(import.meta.dirname, "../..", DEFAULT_FOLDER));

/** Scenarios of the suite that `weir new` copies. */
export const EXAMPLES = join(OWN, "examples");

const isPattern = (path: string): boolean => /[*?[\]{}]/.test(path);

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Editors leave links beside an open file that lead nowhere. */
const isFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

export interface FoundFiles {
  readonly files: readonly string[];
  readonly faults: readonly string[];
}

/** Files stay as they are, folders are searched, patterns are matched; each file once, in order of name. */
export function filesOf(paths: readonly string[], what: string, wanted: RegExp): FoundFiles {
  const files = new Set<string>();
  const faults: string[] = [];
  for (const path of paths) {
    const found = filesAt(path, what, wanted);
    if (typeof found === "string") faults.push(oneLine(`${path}: ${found}`));
    else for (const file of found) files.add(shown(file));
  }
  return { files: [...files], faults };
}

function filesAt(path: string, what: string, wanted: RegExp): readonly string[] | string {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) {
      if (!isPattern(path)) return missing(path);
      const matches = globSync(path).filter(isFile);
      return matches.length > 0 ? matches.toSorted() : "no file matches";
    }
    if (!stat.isDirectory()) return [path];
    const inside = readdirSync(path, { recursive: true, encoding: "utf8" })
      .filter((name) => wanted.test(name))
      .map((name) => join(path, name))
      .filter(isFile)
      .toSorted();
    return inside.length > 0 ? inside : `there is no ${what} in this folder`;
  } catch (error) {
    return whyUnreadable(error);
  }
}

const missing = (path: string): string =>
  path === DEFAULT_FOLDER
    ? `there is no such folder here; "${commandLine("new limits/first")}" creates a first scenario`
    : "there is no such file or folder";

/** As short as the place allows, with forward slashes: this is what problems and results are told by. */
function shown(file: string): string {
  const fromHere = relative(process.cwd(), file);
  return (fromHere.startsWith("..") ? file : fromHere).replaceAll(sep, "/");
}
