// Files that are there after a power loss: records are synced when they are answered, and of no use without their key.
import { closeSync, fsyncSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Fails where the file exists. */
export function createLasting(file: string, text: string, mode: number): void {
  const descriptor = openSync(file, "wx", mode);
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  syncFolder(dirname(file));
}

/** Whether there was no such folder. */
export function makeLastingFolder(folder: string, mode?: number): boolean {
  const path = resolve(folder); // "new/../z" as it stands makes `new` too, which lies on no way up from `z`
  const first = mkdirSync(path, { recursive: true, mode });
  if (first === undefined) return false;
  for (let made = path; ; made = dirname(made)) {
    syncFolder(dirname(made));
    if (made === resolve(first) || made === dirname(made)) return true;
  }
}

/** One that another program may have written. */
export function syncFile(file: string): void {
  sync(file);
  syncFolder(dirname(file));
}

/** The names in it: which file of a name is there after a rename. Systems that sync no folder keep names by themselves. */
export function syncFolder(folder: string): void {
  try {
    sync(folder);
  } catch (error) {
    if (!CANNOT.has(String((error as NodeJS.ErrnoException).code))) throw error;
  }
}

const CANNOT: ReadonlySet<string> = new Set(["EISDIR", "EPERM", "EACCES", "EINVAL", "ENOTSUP"]);

function sync(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
