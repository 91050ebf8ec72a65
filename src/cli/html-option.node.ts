// Where a page goes is known to be good before anything runs.
import { spawn } from "node:child_process";
import { mkdirSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { whyUnreadable } from "./text-file.node.ts";

/** A sentence where no page can go there. Nothing is touched. */
export function pageFault(page: string): string | null {
  if (!page.endsWith(".html")) return `a page goes to a file that ends in .html, not to "${page}"`;
  try {
    const isFolder = statSync(page, { throwIfNoEntry: false })?.isDirectory() ?? false;
    return isFolder ? `${page}: this is a folder` : null;
  } catch (error) {
    return `${page}: ${whyUnreadable(error)}`;
  }
}

/** What an earlier run left is never taken for this one's: it is gone before this one begins. */
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

/** Whatever opens pages here; a sentence where nothing does. */
export async function opened(file: string): Promise<string | null> {
  const [command = "xdg-open", ...args] = OPENERS[process.platform] ?? [];
  const child = spawn(command, [...args, file], { stdio: "ignore", detached: true });
  const fault = await new Promise<string | null>((resolve) => {
    child.once("spawn", () => resolve(null));
    child.once("error", () => resolve(`${command} is not here: open ${file} yourself`));
  });
  child.unref();
  return fault;
}
