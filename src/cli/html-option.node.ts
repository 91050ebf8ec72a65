// Where a page goes is known to be good before anything runs.
import { spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { whyUnreadable } from "./text-file.node.ts";

/** A page of an earlier run is never taken for this one's: it is gone before this one begins. */
export function pageFault(
  file: string,
  earlier: readonly string[] = [file, jsonBeside(file)],
): string | null {
  if (!file.endsWith(".html")) return `a page goes to a file that ends in .html, not to "${file}"`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    for (const each of earlier) rmSync(each, { force: true });
    return null;
  } catch (error) {
    return `${file}: ${whyUnreadable(error)}`;
  }
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
