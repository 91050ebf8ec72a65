// Whether a file that holds a secret can be read by others.
import { statSync } from "node:fs";

const OF_OTHERS = 0o077;
/** What a system's administrator hands out by a group, as mounts of secrets do: that group may read, and nobody else. */
const OF_OTHERS_OF_ROOT = 0o037;

/**
 * As PostgreSQL judges its keys: ours with mode 0600 or less, root's with 0640 or less. What another user owns and this
 * one can read has to be closed to group and others as well. Null: it is private. Throws what the system says.
 */
export function whyNotPrivate(file: string): string | null {
  const us = process.geteuid?.();
  const { mode, uid, isPipe } = asSeen(file);
  if (us === undefined || isPipe) return null;
  const isOfRoot = uid === 0 && us !== 0;
  if ((mode & (isOfRoot ? OF_OTHERS_OF_ROOT : OF_OTHERS)) === 0) return null;
  const octal = (mode & 0o777).toString(8).padStart(4, "0");
  return `${file} is open to its group or to others (mode ${octal}); chmod ${isOfRoot ? "640" : "600"} ${file}`;
}

/** Whether users that are neither its owner nor in its group can read it. What is not there is read by nobody. */
export function isReadByOthers(file: string): boolean {
  const said = statSync(file, { throwIfNoEntry: false });
  return process.geteuid !== undefined && said?.isFile() === true && (said.mode & 0o004) !== 0;
}

function asSeen(file: string) {
  const said = statSync(file);
  return { mode: said.mode, uid: said.uid, isPipe: !said.isFile() };
}
