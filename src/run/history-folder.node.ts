// `--history`: saves histories, one file a variant.
import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeHistory } from "../scenario/history/write.ts";
import type { History } from "../scenario/history.ts";
import { whyUnreadable, writeWhole } from "../reading/text-file.node.ts";

export interface HistoryFolder {
  /** Returns a sentence if the history cannot be saved. */
  readonly save: (history: History) => string | null;
}

export function historyFolder(folder: string | undefined): HistoryFolder {
  if (folder === undefined) return { save: () => null };
  const usedNames = new Set<string>();
  return {
    save: (history) => {
      const file = join(folder, fileName(history.header, usedNames));
      try {
        mkdirSync(dirname(file), { recursive: true });
        writeWhole(file, writeHistory(history));
        return null;
      } catch (error) {
        return `${file}: ${whyUnreadable(error)}`;
      }
    },
  };
}

/** Called before anything runs. Returns a sentence if the folder cannot be created. */
export function createFolder(folder: string): string | null {
  try {
    createFolders(folder);
    return null;
  } catch (error) {
    return `${folder}: ${whyUnreadable(error)}`;
  }
}

/** One folder after the other: `recursive` tries forever if the system reports a missing folder, as below /proc. */
function createFolders(folder: string): void {
  if (isFolder(folder)) return;
  if (!existsSync(dirname(folder))) createFolders(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another run may have created it first.
    if (!isFolder(folder)) throw error;
  }
}

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();

const LONGEST = 120;

/** "limits/first/algorithm=drl+order=2.ndjson": characters that a file system may reject become "_". */
function fileName({ scenario, variant }: History["header"], taken: Set<string>): string {
  const words = variant.replaceAll(" ", "+").replaceAll(/[^A-Za-z0-9=+.,_-]/g, "_");
  const base = variant === "" ? scenario : `${scenario}/${words.slice(0, LONGEST)}`;
  let name = base;
  for (let again = 2; taken.has(name); again++) name = `${base}-${again}`;
  taken.add(name);
  return `${name}.ndjson`;
}
