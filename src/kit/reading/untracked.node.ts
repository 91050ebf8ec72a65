// Creates folders in a user's project with a `.gitignore`: their content may be secret, and must not be committed.
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createDurableFolder } from "./durable-file.node.ts";
import { createFolders } from "./folder.node.ts";
import { whyUnreadable } from "./text-file.node.ts";

/** An existing folder stays unchanged, because it is the user's. Throws the system's error. */
export function createUntrackedFolder(folder: string, mode?: number): void {
  if (!createDurableFolder(folder, mode)) return;
  writeFileSync(join(folder, ".gitignore"), "*\n");
}

const RESULTS = join("reports", "runs");

/** Where a result is saved if no flag names a file. */
export const defaultFile = (name: string): string => join(RESULTS, name);

/** Creates the folder for the file of a result. Returns why the creation failed, or null. */
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
