// Reads the files that match paths typed by a user.
import { existsSync, globSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import { includesNextTo } from "../implementations/configuration-files.node.ts";
import { readFileOrFolder } from "../implementations/configuration-folder.node.ts";
import { readRules } from "../implementations/read-configuration.ts";
import { KINDS } from "../implementations/readers.ts";
import { rulesOfFile } from "../implementations/rules-of-file.ts";
import type { RulesReader } from "../scenario/read/rules.ts";
import type { TraceFileReader } from "../scenario/read/trace.ts";
import { oneLine } from "../../kit/reading/legible.ts";
import { commandLine } from "../../kit/command-line.ts";
import { readText, whyUnreadable } from "../../kit/reading/text-file.node.ts";

export const DEFAULT_FOLDER = "scenarios";

export interface SourceFile {
  readonly file: string; // as named in results and problems
  readonly text: string;
}

export interface SourceFiles {
  readonly sources: readonly SourceFile[];
  /** One line for each missing path and each unreadable file. */
  readonly problems: readonly string[];
}

export function sourcesAt(paths: readonly string[]): SourceFiles {
  const { files, problems: pathProblems } = findFiles(
    paths.length === 0 ? [DEFAULT_FOLDER] : paths,
    "scenario (*.yaml or *.yml)",
    /\.ya?ml$/,
  );
  const sources: SourceFile[] = [];
  const problems = [...pathProblems];
  for (const file of files) {
    const read = readText(file);
    if (isFailure(read)) problems.push(oneLine(read.message));
    else sources.push({ file, text: read });
  }
  return { sources, problems: problems };
}

/** Reads the files that a scenario refers to; they are in its folder or below. */
export const traceReaderFor =
  (file: string): TraceFileReader =>
  (name) =>
    readText(shortPath(join(dirname(file), name)));

/** Reads the configuration of another limiter that a scenario names. */
export const rulesReaderFor =
  (scenario: string): RulesReader =>
  ({ file, kind, values }) => {
    const path = isAbsolute(file) ? file : shortPath(join(dirname(scenario), file));
    const main = readFileOrFolder(path, kind);
    if (isFailure(main)) return main;
    const read = readRules(main, includesNextTo(path), { kind, values }, path);
    if (isFailure(read)) return read;
    if (read === null)
      return new Failure(
        `${path} is recognized by no reader of configurations; kind names one of ${KINDS.join(", ")}`,
      );
    return rulesOfFile(path, read);
  };

export const isWholeSuite = (path: string): boolean =>
  basename(path) === DEFAULT_FOLDER && isFolder(path);

/** Why paths cannot be watched, one line each. A pattern is no problem, because it may match files later. */
export function watchProblemsOf(paths: readonly string[]): readonly string[] {
  const problemAt = (path: string): string | null => {
    try {
      return statSync(path, { throwIfNoEntry: false }) === undefined ? missingMessage(path) : null;
    } catch (error) {
      return whyUnreadable(error);
    }
  };
  return paths.flatMap((path) => {
    const why = isPattern(path) ? null : problemAt(path);
    return why === null ? [] : [oneLine(`${path}: ${why}`)];
  });
}

/** Only Weir's own scenarios are compared with its specification, not a user's folder of the same name. */
export const isOwnSuite = (path: string): boolean => realPath(path) === OWN;

export const isInOwnSuite = (path: string): boolean =>
  isOwnSuite(path) || realPath(path).startsWith(`${OWN}${sep}`);

const realPath = (path: string): string => (existsSync(path) ? realpathSync(path) : resolve(path));

/** The folder of Weir's own scenarios. The relative path is the same from source and from compiled output. */
const OWN = realPath(join(import.meta.dirname, "../../..", DEFAULT_FOLDER));

/** Scenarios of the suite that `weir new` copies. */
export const EXAMPLES = join(OWN, "examples");

const isPattern = (path: string): boolean => /[*?[\]{}]/.test(path);

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** False for dangling links, which editors create next to an open file. */
const isFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

interface FileList {
  readonly files: readonly string[];
  readonly problems: readonly string[];
}

/** Uses files as given, searches folders and matches patterns. Each file occurs once, sorted by name. */
export function findFiles(paths: readonly string[], what: string, wanted: RegExp): FileList {
  const files = new Set<string>();
  const problems: string[] = [];
  for (const path of paths) {
    const matches = filesAt(path, what, wanted);
    if (isFailure(matches)) problems.push(oneLine(`${path}: ${matches.message}`));
    else for (const file of matches) files.add(shortPath(file));
  }
  return { files: [...files], problems };
}

function filesAt(path: string, what: string, wanted: RegExp): readonly string[] | Failure {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) {
      if (!isPattern(path)) return new Failure(missingMessage(path));
      const matches = globSync(path).filter(isFile);
      return matches.length > 0 ? matches.toSorted() : new Failure("no file matches");
    }
    if (!stat.isDirectory()) return [path];
    const inside = readdirSync(path, { recursive: true, encoding: "utf8" })
      .filter((name) => wanted.test(name))
      .map((name) => join(path, name))
      .filter(isFile)
      .toSorted();
    return inside.length > 0 ? inside : new Failure(`there is no ${what} in this folder`);
  } catch (error) {
    return new Failure(whyUnreadable(error));
  }
}

const missingMessage = (path: string): string =>
  path === DEFAULT_FOLDER
    ? `there is no such folder here; "${commandLine("new limits/first")}" creates a first scenario`
    : "there is no such file or folder";

/** The shortest path, with forward slashes, for problems and results. */
export function shortPath(file: string): string {
  const fromHere = relative(process.cwd(), file);
  return (fromHere.startsWith("..") ? file : fromHere).replaceAll(sep, "/");
}
