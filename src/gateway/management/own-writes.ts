// Keys that this gateway has written: their contents without reading the database, and whether another gateway has
// changed them since.
import type { Stored, WrittenChange } from "./records/records.ts";

interface OwnWrites {
  /** Notes an own write. False if another gateway has changed the key since, or may have. */
  readonly note: (change: WrittenChange) => boolean;
  /** Notes a change by any gateway. False if the key has to be read from the database. */
  readonly follow: (id: string, seq: number) => boolean;
  readonly startOver: (seq: number) => void;
  /** Undefined: the database has to be read. Null: there is no such key. */
  readonly byHash: (hash: string) => Stored | null | undefined;
  readonly byId: (id: string) => Stored | null | undefined;
}

interface OwnWrite {
  readonly seq: number;
  readonly hash: string | null; // of its credential; for a deleted key, of the last credential
  readonly stored: Stored | null; // null: deleted
}

const MOST_STORED = 1_000; // keys; each may be as large as the largest record
const MOST_SEQS = 10_000;

/** `followedSeq` returns the latest change that this gateway has followed. */
export function ownWrites(followedSeq: () => number): OwnWrites {
  const stored = new Map<string, OwnWrite>(); // by id of the key, oldest first
  const ids = new Map<string, string>(); // ids of keys, by hash
  const seqs = new Map<string, number>(); // numbers of own writes, by id of the key, oldest first
  const followed = new Map<string, number>(); // number of the last followed change, by id of the key, oldest first

  const drop = (id: string): void => {
    const hash = stored.get(id)?.hash ?? null;
    if (hash !== null && ids.get(hash) === id) ids.delete(hash);
    stored.delete(id);
  };

  const byId: OwnWrites["byId"] = (id) => stored.get(id)?.stored;

  return {
    note: ({ id, seq, before, after }) => {
      // The database may report the change before the write itself returns.
      if (seq <= followedSeq() && followed.get(id) !== seq) return false;
      if (seq < (seqs.get(id) ?? 0)) return false;
      drop(id);
      const hash = (after ?? before)?.unique ?? null;
      stored.set(id, { seq, hash, stored: after });
      if (hash !== null) ids.set(hash, id);
      for (const [oldest] of stored) {
        if (stored.size <= MOST_STORED) break;
        drop(oldest);
      }
      put(seqs, id, seq);
      return true;
    },
    follow: (id, seq) => {
      put(followed, id, seq);
      if ((seqs.get(id) ?? 0) >= seq) return true;
      seqs.delete(id);
      drop(id);
      return false;
    },
    startOver: (seq) => {
      followed.clear();
      for (const [id, own] of seqs) {
        if (own > seq) continue;
        seqs.delete(id);
        drop(id);
      }
    },
    byId,
    byHash: (hash) => {
      const id = ids.get(hash);
      return id === undefined ? undefined : byId(id);
    },
  };
}

function put(into: Map<string, number>, id: string, seq: number): void {
  into.delete(id);
  into.set(id, seq);
  if (into.size > MOST_SEQS) into.delete(into.keys().next().value!);
}
