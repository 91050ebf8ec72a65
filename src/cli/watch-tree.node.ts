// Watches a folder and everything below it. On Linux, Node's own recursive watcher loses a file that an editor replaces
// by renaming. So each folder gets a watcher, which reports every name that changes in the folder.
import { readdirSync, statSync, watch, type FSWatcher } from "node:fs";
import { join, sep } from "node:path";

interface TreeWatcher {
  readonly close: () => void;
}

interface Watched {
  readonly watcher: FSWatcher;
  readonly inode: number; // differs if a folder was deleted and created again
}

/** Large folders that users do not edit. */
const SKIPPED = /^(?:node_modules|\..+)$/;

/** Calls `changed` with each path that was written, created, renamed or deleted. Throws if `root` is unreadable. */
export function watchTree(root: string, changed: (path: string) => void): TreeWatcher {
  const watched = new Map<string, Watched>();
  const forget = (folder: string): void => {
    for (const [path, { watcher }] of watched)
      if (path === folder || path.startsWith(`${folder}${sep}`)) {
        watcher.close();
        watched.delete(path);
      }
  };
  const add = (folder: string, inode: number): void => {
    const watcher = watch(folder, (_event, name) => {
      if (name === null) return changed(folder);
      const path = join(folder, name);
      changed(path);
      // If the path is a new folder, its files are reported here: they were created before the folder was watched.
      for (const file of follow(path)) changed(file);
    });
    watcher.on("error", () => forget(folder));
    watched.set(folder, { watcher, inode });
  };
  /** Watches the path if it is a folder that is not watched yet. Returns the files in it and below. */
  const follow = (path: string): readonly string[] => {
    try {
      const inode = inodeOfFolder(path);
      if (watched.get(path)?.inode === inode) return [];
      forget(path);
      if (inode === null) return [];
      add(path, inode);
      return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
        const inner = join(path, entry.name);
        if (!entry.isDirectory()) return [inner];
        return SKIPPED.test(entry.name) ? [] : follow(inner);
      });
    } catch (error) {
      // The root has to exist; a path below it may be deleted or unreadable.
      if (path === root) throw error;
      return [];
    }
  };
  follow(root);
  return {
    close: () => {
      for (const { watcher } of watched.values()) watcher.close();
    },
  };
}

function inodeOfFolder(path: string): number | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isDirectory() === true ? stat.ino : null;
}
