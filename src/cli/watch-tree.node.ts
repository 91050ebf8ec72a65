// A folder with all below it, watched. On Linux Node's own recursive watcher follows files, and loses one that an
// editor replaces by renaming another; a folder that is watched for itself reports every name that changes in it.
import { readdirSync, statSync, watch, type FSWatcher } from "node:fs";
import { join, sep } from "node:path";

interface TreeWatcher {
  readonly close: () => void;
}

interface Watched {
  readonly watcher: FSWatcher;
  readonly inode: number; // a folder that was deleted and created again has another
}

/** Large, and written by others than the user. */
const SKIPPED = /^(?:node_modules|\..+)$/;

/** `changed` gets the path of what was written, created, renamed or deleted. Throws where the root cannot be watched. */
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
      // What a new folder had in it before it was watched would never be reported.
      for (const file of follow(path)) changed(file);
    });
    watcher.on("error", () => forget(folder));
    watched.set(folder, { watcher, inode });
  };
  /** Watches the path if it is a folder that is not watched yet; the files in it and below. */
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
      // The root exists; a path below it may have been deleted, or be unreadable.
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
