// Where a command saves its result is known to be good before the work: a search or a measurement takes minutes.
import { rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { whyUnreadable } from "../reading/text-file.node.ts";
import { createFolder } from "../run/history-folder.node.ts";

/** Creates the folder of the file, and leaves an existing file as it is. Null: it can be saved there, or is not wanted. */
export function whyUnwritable(file: string | undefined): string | null {
  if (file === undefined) return null;
  const noFolder = createFolder(dirname(file));
  if (noFolder !== null) return noFolder;
  const probe = `${file}.${process.pid}.part`; // a file is written under another name, and renamed
  try {
    const there = statSync(file, { throwIfNoEntry: false });
    if (there?.isDirectory()) return `${file}: this is a folder`;
    if (there !== undefined && !there.isFile()) return null; // a pipe is no file to replace
    writeFileSync(probe, "");
    rmSync(probe);
    return null;
  } catch (error) {
    return `${file}: ${whyUnreadable(error)}`;
  }
}
