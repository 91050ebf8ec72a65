// A file that only its owner can read.
import { accessSync, chmodSync, closeSync, constants, openSync, statSync } from "node:fs";

const OWNER_ONLY = 0o600;

/**
 * Creates a missing file; SQLite gives its additional files the same mode. An existing file is not opened, because
 * closing it would release this process's locks on it.
 */
export function createPrivately(file: string): void {
  const there = statSync(file, { throwIfNoEntry: false });
  // If a folder has this name, opening it fails with the system's error.
  if (there === undefined || there.isDirectory()) closeSync(openSync(file, "a", OWNER_ONLY));
  else if ((there.mode & 0o077) !== 0) chmodSync(file, OWNER_ONLY);
  accessSync(file, constants.R_OK | constants.W_OK);
}
