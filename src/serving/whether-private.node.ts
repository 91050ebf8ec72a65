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
  const seen = statSync(file);
  if (us === undefined || !seen.isFile()) return null;
  const { mode, uid } = seen;
  const isOfRoot = uid === 0 && us !== 0;
  if ((mode & (isOfRoot ? OF_OTHERS_OF_ROOT : OF_OTHERS)) === 0) return null;
  const octal = (mode & 0o777).toString(8).padStart(4, "0");
  return `${file} is open to its group or to others (mode ${octal}); chmod ${isOfRoot ? "640" : "600"} ${file}`;
}
