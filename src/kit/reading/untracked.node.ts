// Folders that Weir creates for itself in a user's project: their content, secrets among it, is never committed.
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createDurableFolder } from "./durable-file.node.ts";
import { createFolders } from "./folder.node.ts";
import { whyUnreadable } from "./text-file.node.ts";

/** Leaves a folder that exists unchanged, because it belongs to the user. Throws the system's error. */
export function createUntrackedFolder(folder: string, mode?: number): void {
  if (!createDurableFolder(folder, mode)) return;
  writeFileSync(join(folder, ".gitignore"), "*\n");
}

const RESULTS = join("reports", "runs");

/** The file for a result whose place no option gives. */
export const defaultFile = (name: string): string => join(RESULTS, name);

/** Creates the folder that a result is saved in. Returns a sentence if it cannot be created. */
export function createResultFolder(file: string): string | null {
  const folder = dirname(file);
  try {
    if (folder === RESULTS) createUntrackedFolder(folder);
    else createFolders(folder);
    return null;
  } catch (error) {
    return `${folder}: ${whyUnreadable(error)}`;
  }
}
