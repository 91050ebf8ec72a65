// A file that nobody but its owner reads.
import { accessSync, chmodSync, closeSync, constants, openSync, statSync } from "node:fs";

const OWNER_ONLY = 0o600;

/**
 * Made where it is missing. What SQLite makes beside it has the same mode. One that is there is not opened: to close
 * it again would end the locks that this process may have on it.
 */
export function createPrivately(file: string): void {
  const there = statSync(file, { throwIfNoEntry: false });
  // A folder says itself that it is one.
  if (there === undefined || there.isDirectory()) closeSync(openSync(file, "a", OWNER_ONLY));
  else if ((there.mode & 0o077) !== 0) chmodSync(file, OWNER_ONLY);
  accessSync(file, constants.R_OK | constants.W_OK);
}
