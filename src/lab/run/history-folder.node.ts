// `--history`: saves histories, one file for each variant.
import { dirname, join } from "node:path";
import { writeHistory } from "../scenario/history/write.ts";
import type { History } from "../scenario/history.ts";
import { createFolders } from "../../kit/reading/folder.node.ts";
import { whyUnreadable, writeWhole } from "../../kit/reading/text-file.node.ts";

export interface HistoryFolder {
  /** Returns a sentence if the history cannot be saved, else null. */
  readonly save: (history: History) => string | null;
}

export function historyFolder(folder: string | undefined): HistoryFolder {
  if (folder === undefined) return { save: () => null };
  const usedNames = new Set<string>();
  return {
    save: (history) => {
      const file = join(folder, fileName(history.header, usedNames));
      try {
        createFolders(dirname(file));
        writeWhole(file, writeHistory(history));
        return null;
      } catch (error) {
        return `${file}: ${whyUnreadable(error)}`;
      }
    },
  };
}

const LONGEST = 120;

/** Builds a path such as "limits/first/algorithm=drl+order=2.ndjson". A "_" replaces each unsafe character. */
function fileName({ scenario, variant }: History["header"], taken: Set<string>): string {
  const words = variant.replaceAll(" ", "+").replaceAll(/[^A-Za-z0-9=+.,_-]/g, "_");
  const base = variant === "" ? scenario : `${scenario}/${words.slice(0, LONGEST)}`;
  let name = base;
  for (let again = 2; taken.has(name); again++) name = `${base}-${again}`;
  taken.add(name);
  return `${name}.ndjson`;
}
