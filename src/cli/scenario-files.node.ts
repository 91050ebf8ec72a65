// From what a user typed to decoded scenarios, or to everything that is wrong with any of them.
import { globSync, readdirSync, statSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { decode } from "../scenario/read/decode.ts";
import { formatProblem } from "../scenario/read/source.ts";
import type { Scenario } from "../scenario/types.ts";
import { readText, whyUnreadable } from "./text-file.node.ts";

export const DEFAULT_FOLDER = "scenarios";

export interface ReadScenarios {
  readonly scenarios: readonly Scenario[];
  /** One line each; with any of them nothing may run. */
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
}

export function readScenarios(paths: readonly string[]): ReadScenarios {
  const { files, faults } = filesOf(
    paths.length === 0 ? [DEFAULT_FOLDER] : paths,
    "scenario (*.yaml)",
    /\.ya?ml$/,
  );
  const scenarios: Scenario[] = [];
  const told = [...faults];
  const warnings: string[] = [];
  for (const file of files) {
    const read = readText(file);
    if ("fault" in read) {
      told.push(read.fault);
      continue;
    }
    const { scenario, problems } = decode(file, read.text);
    for (const problem of problems)
      (problem.severity === "fault" ? told : warnings).push(formatProblem(problem));
    if (scenario !== null) scenarios.push(scenario);
  }
  return { scenarios, faults: told, warnings };
}

export const isWholeSuite = (path: string): boolean =>
  basename(path) === DEFAULT_FOLDER && isFolder(path);

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
    if (typeof found === "string") faults.push(`${path}: ${found}`);
    else for (const file of found) files.add(shown(file));
  }
  return { files: [...files], faults };
}

function filesAt(path: string, what: string, wanted: RegExp): readonly string[] | string {
  const isPattern = /[*?[\]{}]/.test(path);
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) {
      if (!isPattern) return missing(path);
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
    ? 'there is no such folder here; "weir new limits/first" writes a first scenario'
    : "there is no such file or folder";

/** As short as the place allows, with forward slashes: this is what problems and results are told by. */
function shown(file: string): string {
  const fromHere = relative(process.cwd(), file);
  return (fromHere.startsWith("..") ? file : fromHere).replaceAll(sep, "/");
}
