// Files that survive a power loss.
import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { createFolders } from "./folder.node.ts";

/** Writes and syncs the file under another name first, so that it is complete or missing. Throws if the file exists. */
export function createDurable(file: string, text: string, mode: number): void {
  const part = `${file}.${randomBytes(6).toString("hex")}.part`;
  createSynced(part, text, mode);
  try {
    linkSync(part, file); // unlike a rename, this does not replace a file that another process has just created
  } catch (error) {
    if (!HAS_NO_LINKS.has(codeOf(error))) throw error;
    createSynced(file, text, mode); // a power loss here may leave an empty file, which later starts reject
  } finally {
    unlinkSync(part);
  }
  syncFolder(dirname(file));
}

const HAS_NO_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

function createSynced(file: string, text: string, mode: number): void {
  const descriptor = openSync(file, "wx", mode);
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } catch (error) {
    unlinkSync(file);
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** Creates a folder durably. Returns whether the folder was missing. */
export function createDurableFolder(folder: string, mode?: number): boolean {
  const created = createFolders(folder, mode);
  for (const path of created.toReversed()) syncFolder(dirname(path));
  return created.length > 0;
}

/** Syncs a file that another program may have written. */
export function syncFile(file: string): void {
  sync(file);
  syncFolder(dirname(file));
}

/** Syncs the names in a folder, for example after a rename. A system without this operation syncs them itself. */
export function syncFolder(folder: string): void {
  try {
    sync(folder);
  } catch (error) {
    if (!CANNOT.has(codeOf(error))) throw error;
  }
}

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code);

const CANNOT: ReadonlySet<string> = new Set(["EISDIR", "EPERM", "EACCES", "EINVAL", "ENOTSUP"]);

function sync(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
