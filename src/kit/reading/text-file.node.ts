import {
  closeSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { Failure } from "./failure.ts";

/** Reads a text file. A failure names the file and why it cannot be read. */
export function readText(file: string): string | Failure {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    return new Failure(`${file}: ${whyUnreadable(error)}`);
  }
  if (bytes.includes(0)) return new Failure(`${file}: this is a binary file`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return new Failure(`${file}: this is not UTF-8 text`);
    throw error;
  }
}

/**
 * Writes a temporary file and renames it, so that the file is complete or unchanged: a truncated file may look
 * complete. A pipe, a terminal or a link is written directly.
 */
export function writeWhole(file: string, text: string | Iterable<string>): void {
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === false) {
    writeChunks(file, text);
    return;
  }
  const part = `${file}.${process.pid}.part`;
  try {
    writeChunks(part, text);
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

function writeChunks(file: string, text: string | Iterable<string>): void {
  if (typeof text === "string") {
    writeFileSync(file, text);
    return;
  }
  const handle = openSync(file, "w");
  try {
    for (const chunk of text) writeSync(handle, chunk);
  } finally {
    closeSync(handle);
  }
}

/** The reason of a system error in words. Throws every other error, because such an error is a bug. */
export function whyUnreadable(error: unknown): string {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  switch (code) {
    case "ENOENT":
      return "there is no such file or folder";
    case "EACCES":
    case "EPERM":
      return "no permission";
    case "EISDIR":
    case "ERR_FS_EISDIR":
      return "this is a folder";
    case "ENOTDIR":
      return "a part of the path is not a folder";
    case "EEXIST":
      return "a file of this name exists already";
    case "ELOOP":
      return "the links lead in a circle";
    case "ENAMETOOLONG":
      return "the name is too long";
    case "EFBIG":
      return "a file may not become so large here";
    case "EDQUOT":
    case "ENOSPC":
      return "no space is left";
    case "EROFS":
      return "this place cannot be written to";
    case undefined:
    default:
      throw error;
  }
}
