// Where a page goes is known to be good before anything runs.
import { spawn } from "node:child_process";
import { mkdirSync, rmSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { readText, whyUnreadable } from "../reading/text-file.node.ts";

/** Whatever else the command reads or writes. */
type Others = readonly (string | undefined)[];

/** A sentence where no page can go there. Nothing is touched. */
export function pageFault(page: string, others: Others): string | null {
  if (!page.endsWith(".html")) return `a page needs a file name that ends in .html, not "${page}"`;
  if (isAmong(others, page))
    return `${page}: another argument names this file; choose another page`;
  try {
    return isThere(page) && statSync(page).isDirectory() ? `${page}: this is a folder` : null;
  } catch (error) {
    return `${page}: ${whyUnreadable(error)}`;
  }
}

/** The same of the page of a run: nobody named the document beside it, so only one of an earlier run gives way to it. */
export function runPageFault(page: string, others: Others): string | null {
  const fault = pageFault(page, others);
  if (fault !== null) return fault;
  const beside = jsonBeside(page);
  const why = isAmong(others, beside) ? "another argument names that file" : whyNoReport(beside);
  return why === null
    ? null
    : `${beside}: the JSON of --html ${page} is saved here, and ${why}; choose another page`;
}

const isAmong = (files: Others, file: string): boolean =>
  files.some((each) => each !== undefined && resolve(each) === resolve(file));

const isThere = (file: string): boolean => statSync(file, { throwIfNoEntry: false }) !== undefined;

/** The start is enough, of one that was cut off too. */
const REPORT = /^\s*(?:$|\{\s*"format"\s*:\s*"weir-report\/)/;

function whyNoReport(file: string): string | null {
  if (!isThere(file)) return null;
  const read = readText(file);
  const isReport = "text" in read && REPORT.test(read.text);
  return isReport ? null : "the existing file is no report of a run";
}

/**
 * What an earlier run left is never taken for this one's: it is gone when this one begins to play. Whatever is refused
 * before that, such as a name that was mistyped, costs nothing.
 */
export function cleared(...files: readonly string[]): string | null {
  for (const file of files)
    try {
      mkdirSync(dirname(file), { recursive: true });
      rmSync(file, { force: true });
    } catch (error) {
      return `${file}: ${whyUnreadable(error)}`;
    }
  return null;
}

export const jsonBeside = (file: string): string => file.replace(/\.html$/, ".json");

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** Some openers stay as long as the browser does: what has not failed by then has opened it. */
const OPENED_MS = 3_000;

/** Whatever opens pages here; a sentence where nothing does. */
export async function opened(file: string): Promise<string | null> {
  const [command = "xdg-open", ...args] = OPENERS[process.platform] ?? [];
  const child = spawn(command, [...args, file], { stdio: "ignore", detached: true });
  const { promise: fault, resolve: end } = Promise.withResolvers<string | null>();
  const giveUp = setTimeout(end, OPENED_MS, null);
  child.once("error", () => end(`${command} is not installed`));
  child.once("exit", (code, signal) =>
    end(
      code === 0 ? null : `${command} ended ${signal === null ? `with ${code}` : `by ${signal}`}`,
    ),
  );
  const why = await fault;
  clearTimeout(giveUp);
  child.unref();
  return why === null ? null : `no browser could be opened (${why}): open ${file} yourself`;
}
