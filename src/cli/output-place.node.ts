// Where a command saves its result is known to be good before the work: a search or a measurement takes minutes.
import { existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { whyUnreadable } from "../reading/text-file.node.ts";

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
    rmSync(probe);
    return null;
  } catch (error) {
    return `${file}: ${whyUnreadable(error)}`;
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
