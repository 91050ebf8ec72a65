// Makes folders, and finds out before the work whether something can be saved: a search or a measurement takes minutes.
import { existsSync, mkdirSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { whyUnreadable } from "./text-file.node.ts";

/**
 * Creates a folder and those that it is in. Returns the created ones, outermost first, and throws the system's error.
 * One attempt for each part of the path: Node's `recursive` tries for ever if the system reports a missing folder, as
 * below /proc, and no signal ends it.
 */
export function createFolders(folder: string, mode?: number): readonly string[] {
  const missing: string[] = [];
  // Unresolved, "new/../z" would also create `new`, which is no parent of `z`.
  for (let path = resolve(folder); !isFolder(path) && path !== dirname(path); path = dirname(path))
    missing.unshift(path);
  return missing.filter((path) => createOne(path, mode));
}

function createOne(path: string, mode: number | undefined): boolean {
  try {
    mkdirSync(path, { mode });
    return true;
  } catch (error) {
    if (isFolder(path)) return false; // another process has created it
    throw asUnwritable(error);
  }
}

export const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Its folder exists, so a missing one is how some file systems report that they take no new names. */
const asUnwritable = (error: unknown): unknown =>
  error instanceof Error && "code" in error && error.code === "ENOENT"
    ? Object.assign(error, { code: "EROFS" })
    : error;

/** Returns a sentence if the folder cannot be created. */
export function createFolder(folder: string): string | null {
  try {
    createFolders(folder);
    return null;
  } catch (error) {
    return `${folder}: ${whyUnreadable(error)}`;
  }
}

/**
 * Leaves nothing behind: a run that is interrupted has saved nothing. Null: the file can be saved there, or none is wanted.
 */
export function whyUnwritable(file: string | undefined): string | null {
  if (file === undefined) return null;
  const folder = findFolder(dirname(file));
  const probe = join(folder, `${basename(file)}.${process.pid}.part`); // a file is written under another name, too
  try {
    const there = statSync(file, { throwIfNoEntry: false });
    if (there?.isDirectory()) return `${file}: this is a folder`;
    if (there !== undefined && !there.isFile()) return null; // a pipe is no file to replace
    if (!statSync(folder).isDirectory()) return `${folder}: a part of the path is not a folder`;
    writeFileSync(probe, "");
    unlinkSync(probe);
    return null;
  } catch (error) {
    return `${file}: ${whyUnreadable(asUnwritable(error))}`;
  }
}

/** The same of a folder for several files. */
export function whyNoFolder(folder: string): string | null {
  if (existsSync(folder) && !statSync(folder).isDirectory())
    return `${folder}: a file of this name exists already`;
  const problem = whyUnwritable(join(folder, "file"));
  return problem === null ? null : `${folder}: ${problem.slice(problem.indexOf(": ") + 2)}`;
}

/** The nearest that exists: the others are created when there is something to save. */
const findFolder = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : findFolder(dirname(folder));
