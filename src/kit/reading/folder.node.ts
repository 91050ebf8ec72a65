// Creates folders, and tests early whether a result can be saved, because a search or a measurement takes minutes.
import { existsSync, mkdirSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { whyUnreadable } from "./text-file.node.ts";

/**
 * Creates a folder and its missing parents. Returns the created ones, outermost first, and throws the system's error.
 * Each folder is tried once: Node's `recursive` tries for ever if the system reports a missing folder, as in /proc, and
 * no signal ends that.
 */
export function createFolders(folder: string, mode?: number): readonly string[] {
  const missing: string[] = [];
  // Without `resolve`, "new/../z" would also create `new`, which is no parent of `z`.
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

/** Turns ENOENT into EROFS: in an existing folder, ENOENT means that the file system accepts no new names. */
const asUnwritable = (error: unknown): unknown =>
  error instanceof Error && "code" in error && error.code === "ENOENT"
    ? Object.assign(error, { code: "EROFS" })
    : error;

/** Creates a folder. Returns the problem as a sentence; null: none. */
export function createFolder(folder: string): string | null {
  try {
    createFolders(folder);
    return null;
  } catch (error) {
    return `${folder}: ${whyUnreadable(error)}`;
  }
}

/** Why the file cannot be saved; null if it can, or if `file` is undefined. Creates and deletes a file as a test. */
export function whyUnwritable(file: string | undefined): string | null {
  if (file === undefined) return null;
  const folder = findFolder(dirname(file));
  const probe = join(folder, `${basename(file)}.${process.pid}.part`); // files are saved under such a name first
  try {
    const there = statSync(file, { throwIfNoEntry: false });
    if (there?.isDirectory()) return `${file}: this is a folder`;
    if (there !== undefined && !there.isFile()) return null; // a pipe, which is written directly
    if (!statSync(folder).isDirectory()) return `${folder}: a part of the path is not a folder`;
    writeFileSync(probe, "");
    unlinkSync(probe);
    return null;
  } catch (error) {
    return `${file}: ${whyUnreadable(asUnwritable(error))}`;
  }
}

/** Why files cannot be saved in this folder; null: they can. */
export function whyNoFolder(folder: string): string | null {
  if (existsSync(folder) && !statSync(folder).isDirectory())
    return `${folder}: a file of this name exists already`;
  const problem = whyUnwritable(join(folder, "file"));
  return problem === null ? null : `${folder}: ${problem.slice(problem.indexOf(": ") + 2)}`;
}

/** The folder or its nearest existing parent: missing folders are created only when a file is saved. */
const findFolder = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : findFolder(dirname(folder));
