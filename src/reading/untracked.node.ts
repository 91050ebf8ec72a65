// Folders that Weir creates for itself in a user's project: their content, secrets among it, is never committed.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDurableFolder } from "./durable-file.node.ts";
import { whyUnreadable } from "./text-file.node.ts";

/** Leaves a folder that exists unchanged, because it belongs to the user. Throws the system's error. */
export function createUntrackedFolder(folder: string, mode?: number): void {
  if (!createDurableFolder(folder, mode)) return;
  writeFileSync(join(folder, ".gitignore"), "*\n");
}

/** The file for a result whose place no option gives. If the folder cannot be created, writing the file reports it. */
export function defaultFile(name: string): string {
  const folder = join("reports", "runs");
  try {
    createUntrackedFolder(folder);
  } catch (error) {
    whyUnreadable(error);
  }
  return join(folder, name);
}
