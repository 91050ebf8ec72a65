// Whether others can read a file that holds a secret, or replace what the data folder holds.
import { statSync } from "node:fs";
import { join } from "node:path";

const OF_OTHERS = 0o077;
/** What a system's administrator hands out by a group, as mounts of secrets do: that group may read, and nobody else. */
const OF_OTHERS_OF_ROOT = 0o037;

/**
 * As PostgreSQL judges its keys: ours with mode 0600 or less, root's with 0640 or less. What another user owns and this
 * one can read has to be closed to group and others as well. Null: it is private. Throws what the system says.
 */
export function whyNotPrivate(file: string): string | null {
  const us = process.geteuid?.();
  const seen = statSync(file);
  if (us === undefined || !seen.isFile()) return null;
  const { mode, uid } = seen;
  const isOfRoot = uid === 0 && us !== 0;
  if ((mode & (isOfRoot ? OF_OTHERS_OF_ROOT : OF_OTHERS)) === 0) return null;
  const octal = (mode & 0o777).toString(8).padStart(4, "0");
  return `${file} is open to its group or to others (mode ${octal}); chmod ${isOfRoot ? "640" : "600"} ${file}`;
}

const WRITE_OF_OTHERS = 0o022;
/** Kubernetes mounts volumes as root's, for a group (`fsGroup`) that writes there. */
const WRITE_OF_OTHERS_OF_ROOT = 0o002;

/** A user who can write to a folder can replace its files, whatever their modes are. Null: private, or not there yet. */
export function whyFolderNotPrivate(folder: string): string | null {
  const us = process.geteuid?.();
  const seen = statSync(folder, { throwIfNoEntry: false });
  if (us === undefined || seen === undefined || !seen.isDirectory()) return null;
  const { mode, uid } = seen;
  const isOfRoot = uid === 0 && us !== 0;
  if ((mode & (isOfRoot ? WRITE_OF_OTHERS_OF_ROOT : WRITE_OF_OTHERS)) === 0) return null;
  const octal = (mode & 0o7777).toString(8).padStart(4, "0");
  const fix = isOfRoot
    ? `set data (--data) to a folder in it, such as ${join(folder, "weir")}`
    : `chmod go-w ${folder}`;
  return `${folder} is writable for its group or for others (mode ${octal}), who could replace the secrets in it; ${fix}`;
}
