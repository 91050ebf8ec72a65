// Before anything runs, checks that a page can be saved. Afterwards opens the page in a browser.
import { spawn } from "node:child_process";
import { rmSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { isFailure } from "../kit/reading/failure.ts";
import { readText, whyUnreadable } from "../kit/reading/text-file.node.ts";
import { whyUnwritable } from "../kit/reading/folder.node.ts";

/** All other files that the command reads or writes. */
type Others = readonly (string | undefined)[];

/** Returns why the page cannot be saved under this name, or null if it can. Changes no file. */
export function pageProblem(page: string, others: Others): string | null {
  if (!page.endsWith(".html")) return `the file of a page must end in .html; got "${page}"`;
  if (isAmong(others, page))
    return `${page}: another argument names this file; choose another page`;
  try {
    return isThere(page) && statSync(page).isDirectory() ? `${page}: this is a folder` : null;
  } catch (error) {
    return `${page}: ${whyUnreadable(error)}`;
  }
}

/** Also checks the JSON file of the page. No flag names that file, so it may replace only an earlier report. */
export function runPageProblem(page: string, others: Others): string | null {
  const problem = pageProblem(page, others);
  if (problem !== null) return problem;
  const jsonFile = jsonFileOf(page);
  const why = isAmong(others, jsonFile)
    ? "another argument names that file"
    : whyNotReport(jsonFile);
  return why === null
    ? null
    : `${jsonFile}: the JSON of --html ${page} is saved here, and ${why}; choose another page`;
}

const isAmong = (files: Others, file: string): boolean =>
  files.some((each) => each !== undefined && resolve(each) === resolve(file));

const isThere = (file: string): boolean => statSync(file, { throwIfNoEntry: false }) !== undefined;

/** Matches the start of a report, and an empty file: an earlier report may have been cut off. */
const REPORT = /^\s*(?:$|\{\s*"format"\s*:\s*"weir-report\/)/;

function whyNotReport(file: string): string | null {
  if (!isThere(file)) return null;
  const read = readText(file);
  const isReport = !isFailure(read) && REPORT.test(read);
  return isReport ? null : "the existing file is no report of a run";
}

/**
 * Deletes the files of an earlier run, so that no reader takes them for results of this run. Call it after all other
 * checks, because a command with a rejected argument must delete nothing. Returns an error, or null.
 */
export function removeFiles(...files: readonly string[]): string | null {
  for (const file of files) {
    const unwritable = whyUnwritable(file);
    if (unwritable !== null) return unwritable;
  }
  for (const file of files)
    try {
      rmSync(file, { force: true });
    } catch (error) {
      return `${file}: ${whyUnreadable(error)}`;
    }
  return null;
}

export const jsonFileOf = (file: string): string => file.replace(/\.html$/, ".json");

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** An opener that still runs after this time has succeeded: some openers run as long as the browser. */
const OPENED_MS = 3_000;

/** Opens a page in the default browser. Returns a sentence if that fails. */
export async function openInBrowser(file: string): Promise<string | null> {
  const [command = "xdg-open", ...args] = OPENERS[process.platform] ?? [];
  const child = spawn(command, [...args, file], { stdio: "ignore", detached: true });
  const { promise: failure, resolve: end } = Promise.withResolvers<string | null>();
  const giveUp = setTimeout(end, OPENED_MS, null);
  child.once("error", () => end(`${command} is not installed`));
  child.once("exit", (code, signal) =>
    end(
      code === 0 ? null : `${command} ended ${signal === null ? `with ${code}` : `by ${signal}`}`,
    ),
  );
  const why = await failure;
  clearTimeout(giveUp);
  child.unref();
  return why === null ? null : `no browser could be opened (${why}): open ${file} yourself`;
}
