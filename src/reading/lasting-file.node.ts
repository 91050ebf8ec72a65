// Files that are there after a power loss: records are synced when they are answered, and of no use without their key.
import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";

/** Under its name it is whole, or not there: it is written and synced under another one. Fails where the file exists. */
export function createLasting(file: string, text: string, mode: number): void {
  const part = `${file}.${randomBytes(6).toString("hex")}.part`;
  createSynced(part, text, mode);
  try {
    linkSync(part, file); // a rename would replace a file that another start has just created
  } catch (error) {
    if (!HAS_NO_LINKS.has(codeOf(error))) throw error;
    createSynced(file, text, mode); // power that fails now may leave an empty file, which every start refuses
  } finally {
    unlinkSync(part);
  }
  syncFolder(dirname(file));
}

const HAS_NO_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

function createSynced(file: string, text: string, mode: number): void {
  const descriptor = openSync(file, "wx", mode);
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } catch (error) {
    unlinkSync(file);
    throw error;
  } finally {
    closeSync(descriptor);
  }
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
    if (!CANNOT.has(codeOf(error))) throw error;
  }
}

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code);

const CANNOT: ReadonlySet<string> = new Set(["EISDIR", "EPERM", "EACCES", "EINVAL", "ENOTSUP"]);

function sync(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
