// Folders that Weir makes for itself in a user's project: what it keeps there, secrets among it, is not committed.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeLastingFolder } from "./lasting-file.node.ts";
import { whyUnreadable } from "./text-file.node.ts";

/** A folder that was there already is its owner's, and stays as it is. Throws what the system says. */
export function makeUntracked(folder: string, mode?: number): void {
  if (!makeLastingFolder(folder, mode)) return;
  writeFileSync(join(folder, ".gitignore"), "*\n");
}

/** Where a result goes that no option gives a place. If there can be no such folder, writing the file says so. */
export function defaultFile(name: string): string {
  const folder = join("reports", "runs");
  try {
    makeUntracked(folder);
  } catch (error) {
    whyUnreadable(error);
  }
  return join(folder, name);
}
