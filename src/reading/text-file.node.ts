import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

export type TextFile = { readonly text: string } | { readonly fault: string };

/** A file as text, or one sentence that says why it is none. */
export function readText(file: string): TextFile {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    return { fault: `${file}: ${whyUnreadable(error)}` };
  }
  if (bytes.includes(0)) return { fault: `${file}: this is not a text file` };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch (error) {
    if (error instanceof TypeError) return { fault: `${file}: this is not UTF-8 text` };
    throw error;
  }
}

/** All of it or nothing, because what was cut off may look whole: it is written beside, and then put in its place. */
export function writeWhole(file: string, text: string): void {
  const beside = `${file}.${process.pid}.part`;
  try {
    writeFileSync(beside, text);
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/** The system's reasons in words; anything else is not the user's doing. */
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
