// Tests whether other users can read a file with a secret, or replace files in the data folder.
import { statSync } from "node:fs";
import { join } from "node:path";

const FORBIDDEN_MODE = 0o077;
/** Forbids less for files of root: their group may read them. Administrators and mounted secrets share files so. */
const FORBIDDEN_MODE_OF_ROOT = 0o037;

/**
 * Why a file is not private, by PostgreSQL's rule for its keys; null: it is private. Mode 0600 or less is required, for
 * files of root 0640 or less. Throws the system's error.
 */
export function findPrivacyProblem(file: string): string | null {
  const us = process.geteuid?.();
  const stats = statSync(file);
  if (us === undefined || !stats.isFile()) return null;
  const { mode, uid } = stats;
  const isOfRoot = uid === 0 && us !== 0;
  if ((mode & (isOfRoot ? FORBIDDEN_MODE_OF_ROOT : FORBIDDEN_MODE)) === 0) return null;
  const octal = (mode & 0o777).toString(8).padStart(4, "0");
  return `${file} is open to its group or to others (mode ${octal}); chmod ${isOfRoot ? "640" : "600"} ${file}`;
}

const FORBIDDEN_WRITE = 0o022;
/** Lets the group of a root folder write: Kubernetes volumes belong to root, and their group is `fsGroup`. */
const FORBIDDEN_WRITE_OF_ROOT = 0o002;

/** Why a folder is not private: a user who can write to it can replace any file in it. Null: private, or missing. */
export function findFolderPrivacyProblem(folder: string): string | null {
  const us = process.geteuid?.();
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (us === undefined || stats === undefined || !stats.isDirectory()) return null;
  const { mode, uid } = stats;
  const isOfRoot = uid === 0 && us !== 0;
  if ((mode & (isOfRoot ? FORBIDDEN_WRITE_OF_ROOT : FORBIDDEN_WRITE)) === 0) return null;
  const octal = (mode & 0o7777).toString(8).padStart(4, "0");
  const fix = isOfRoot
    ? `set data (--data) to a folder in it, such as ${join(folder, "weir")}`
    : `chmod go-w ${folder}`;
  return `${folder} is writable for its group or for others (mode ${octal}), so other users could replace the secrets in it; ${fix}`;
}
