// A disk with the guarantees of POSIX: synced data survives a power loss, and unsynced data may survive. A sync of a file
// covers its content, one of a folder covers the names in it.
import type { Rng } from "#src/kit/chance/rng.ts";
import type { DiskOperation } from "./disk-log.ts";

export interface DiskImage {
  readonly folders: readonly string[]; // each after its parent
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** Which unsynced changes survive. */
export interface Loss {
  readonly changeSurvival: number; // the chance of each
  readonly nameSurvival: number;
  /** Each sector of a write survives or is lost by itself. */
  readonly isTorn: boolean;
  /** A file may keep its new length although the write that extended it is lost. */
  readonly isLong: boolean;
  /** Lost bytes become earlier content of the disk; otherwise zeros. */
  readonly isGarbage: boolean;
}

export const NOTHING_LOST: Loss = {
  changeSurvival: 1,
  nameSurvival: 1,
  isTorn: false,
  isLong: false,
  isGarbage: false,
};

const SECTOR_BYTES = 512;
const CHANCES = [0, 0.1, 0.5, 0.9, 1] as const;

export const lossBy = (random: Rng): Loss => ({
  changeSurvival: CHANCES[random.int(CHANCES.length)]!,
  nameSurvival: CHANCES[random.int(CHANCES.length)]!,
  isTorn: random.int(2) === 0,
  isLong: random.int(2) === 0,
  isGarbage: random.int(2) === 0,
});

type Change =
  | { readonly offset: number; readonly bytes: Uint8Array }
  | { readonly truncatedTo: number };

interface DiskFile {
  synced: Content;
  pending: Change[];
}

type Named = DiskFile | "folder";

/** One step of a file system: a rename is both of its names or none. */
interface NameChange {
  readonly folders: readonly string[]; // whose syncs make it last
  readonly names: readonly (readonly [path: string, named: Named | null])[];
}

/** Bytes that grow, without being copied for each write. */
class Content {
  length = 0;
  #bytes = new Uint8Array(0);

  write(offset: number, bytes: Uint8Array): void {
    this.resize(Math.max(this.length, offset + bytes.length));
    this.#bytes.set(bytes, offset);
  }

  resize(length: number): void {
    if (length > this.#bytes.length) {
      const grown = new Uint8Array(length * 2);
      grown.set(this.#bytes.subarray(0, this.length));
      this.#bytes = grown;
    }
    if (length < this.length) this.#bytes.fill(0, length, this.length);
    this.length = length;
  }

  apply(change: Change): void {
    if ("bytes" in change) this.write(change.offset, change.bytes);
    else this.resize(change.truncatedTo);
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.length);
  }

  copy(): Content {
    const copied = new Content();
    copied.write(0, this.#bytes.subarray(0, this.length));
    return copied;
  }
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/"));

/** `root` is there from the beginning, and stays. */
export class Disk {
  readonly #root: string;
  readonly #inodes = new Map<number, DiskFile>();
  readonly #seen = new Map<string, Named>(); // by the processes that run
  readonly #syncedNames = new Map<string, Named>();
  #pendingNames: NameChange[] = [];

  constructor(root: string) {
    this.#root = root;
  }

  apply(operation: DiskOperation): void {
    switch (operation.kind) {
      case "create": {
        const file: DiskFile = { synced: new Content(), pending: [] };
        this.#inodes.set(operation.inode, file);
        this.#rename([[operation.path, file]]);
        break;
      }
      case "write":
        this.#fileOf(operation.inode).pending.push(operation);
        break;
      case "truncate":
        this.#fileOf(operation.inode).pending.push({ truncatedTo: operation.length });
        break;
      case "sync": {
        const file = this.#fileOf(operation.inode);
        for (const change of file.pending) file.synced.apply(change);
        file.pending = [];
        break;
      }
      case "sync folder":
        this.#syncFolder(operation.path);
        break;
      case "make folder":
        this.#rename([[operation.path, "folder"]]);
        break;
      case "unlink":
      case "remove folder":
        this.#rename([[operation.path, null]]);
        break;
      case "rename":
        this.#rename([
          [operation.from, null],
          [operation.to, this.#entryOf(operation.from)],
        ]);
        break;
      case "link":
        this.#rename([[operation.to, this.#entryOf(operation.from)]]);
        break;
      case "note":
        break;
    }
  }

  /** The disk after the power loss. */
  image(random: Rng, loss: Loss): DiskImage {
    const names = new Map(this.#syncedNames);
    for (const change of this.#pendingNames)
      if (random.next() < loss.nameSurvival) setNames(names, change);
    const folders: string[] = [];
    const files = new Map<string, Uint8Array>();
    // A folder precedes its content, because its path is the beginning of theirs.
    for (const path of [...names.keys()].toSorted()) {
      const within = folderOf(path);
      if (within !== this.#root && !folders.includes(within)) continue;
      const named = names.get(path)!;
      if (named === "folder") folders.push(path);
      else files.set(path, contentAfter(named, random, loss));
    }
    return { folders, files };
  }

  #fileOf(inode: number): DiskFile {
    const file = this.#inodes.get(inode);
    if (file === undefined) throw new Error(`inode ${inode} was there before the log began`);
    return file;
  }

  #entryOf(path: string): Named {
    const named = this.#seen.get(path);
    if (named === undefined) throw new Error(`${path} was there before the log began`);
    return named;
  }

  #rename(names: NameChange["names"]): void {
    const change = { folders: names.map(([path]) => folderOf(path)), names };
    setNames(this.#seen, change);
    this.#pendingNames.push(change);
  }

  #syncFolder(path: string): void {
    const still: NameChange[] = [];
    for (const change of this.#pendingNames)
      if (change.folders.includes(path)) setNames(this.#syncedNames, change);
      else still.push(change);
    this.#pendingNames = still;
  }
}

function setNames(all: Map<string, Named>, { names }: NameChange): void {
  for (const [path, named] of names)
    if (named === null) all.delete(path);
    else all.set(path, named);
}

function contentAfter({ synced, pending }: DiskFile, random: Rng, loss: Loss): Uint8Array {
  const content = synced.copy();
  for (const change of pending) {
    const isSurviving = (): boolean => random.next() < loss.changeSurvival;
    if (!("bytes" in change) || !loss.isTorn) {
      if (isSurviving()) content.apply(change);
      else if ("bytes" in change) lose(content, change.offset, change.bytes.length, random, loss);
      continue;
    }
    for (let from = 0; from < change.bytes.length;) {
      const offset = change.offset + from;
      const length = SECTOR_BYTES - (offset % SECTOR_BYTES);
      const bytes = change.bytes.subarray(from, from + length);
      if (isSurviving()) content.write(offset, bytes);
      else lose(content, offset, bytes.length, random, loss);
      from += length;
    }
  }
  return content.bytes();
}

/** Only where the file ended: what a write does not touch stays as it is. */
function lose(
  content: Content,
  offset: number,
  length: number,
  random: Rng,
  { isLong, isGarbage }: Loss,
): void {
  const end = offset + length;
  const before = content.length;
  if (!isLong || end <= before) return;
  content.resize(end);
  if (!isGarbage) return;
  const from = Math.max(offset, before);
  content.write(
    from,
    Uint8Array.from({ length: end - from }, () => random.int(256)),
  );
}
