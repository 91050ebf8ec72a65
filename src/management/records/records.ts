// Where records lie. A record is one JSON document beside the few columns that are searched; every family has the
// same form. All writes go through `write`: durable when it resolves, and not there at all when it throws.
import type { Deliveries } from "../events/deliveries.ts";
import type { JsonObject } from "../json.ts";
import type { AuditKind, RecordBounds } from "./bounds.ts";
import type { Family } from "./family.ts";

export interface Stored {
  readonly id: string;
  readonly version: number; // one more with each change, and above all that its id has had before
  readonly document: JsonObject;
  readonly unique: string | null; // what else it is found by
  /** What it holds is no JSON: its document is empty, and nobody may take that for what it says. */
  readonly isDamaged?: true;
}

export interface Rewritten {
  readonly before: Stored;
  readonly document: JsonObject;
}

/** One change of one record, in the order in which they became true. */
export interface Change {
  readonly seq: number;
  readonly family: Family;
  readonly id: string;
}

/** One change that was made here. */
export interface WrittenChange extends Change {
  readonly before: Stored | null; // null: it was made
  readonly after: Stored | null; // null: it was deleted
}

export interface Page {
  readonly size: number;
  readonly page: number; // from 1
}

export interface Listed {
  readonly total: number;
  readonly records: readonly Stored[];
}

export interface ListedIds {
  readonly total: number;
  readonly ids: readonly string[];
}

export interface Audited {
  readonly who: string;
  readonly what: string; // the operation
  readonly atUs: number;
}

/** One change of one record, as it is remembered. */
export interface AuditEntry extends Audited, Change {
  readonly before: JsonObject | null; // null: it was made
  readonly after: JsonObject | null; // null: it was deleted
}

/** What a record is found by, beside its id. Null: by nothing else. */
export interface FoundBy {
  /** No other of its family has the same: the hash of a key's secret, an address, a listen path. */
  readonly unique: string | null;
  readonly text: string | null; // what a search looks through, in lower case
}

export interface Reading {
  readonly read: (family: Family, id: string) => Promise<Stored | null>;
}

export interface Writing extends Reading {
  /** As they were before this write, which is done over where any of them is changed meanwhile. */
  readonly all: (family: Family) => AsyncIterable<Stored>;
  /** By what else than their ids they are found, in pieces: like `all`, and no document is read. */
  readonly uniques: (family: Family) => AsyncIterable<readonly string[]>;
  readonly find: (family: Family, unique: string) => Promise<Stored | null>;
  /** Like `all`, of those alone that were changed behind the change `since`, by id. Null: no longer known. */
  readonly changed: (
    family: Family,
    since: number,
  ) => Promise<ReadonlyMap<string, Stored | null> | null>;
  /** What this write reads whole is not older than this change. */
  readonly latest: () => Promise<number>;
  /** Null where the id, or what has to be unique, is taken. */
  readonly insert: (
    family: Family,
    id: string,
    document: JsonObject,
    foundBy: FoundBy,
  ) => Promise<Stored | null>;
  /** Of the version that was read, in this write. Null as above. */
  readonly replace: (
    family: Family,
    before: Stored,
    document: JsonObject,
    foundBy: FoundBy,
  ) => Promise<Stored | null>;
  readonly remove: (family: Family, before: Stored) => Promise<void>;
}

/** How things stand with the records, as far as anybody has tried. */
export type Standing = "answers" | "reads only" | "away";

export interface Records extends Reading {
  /** Looked at again each time, because a reload may change them. */
  readonly bounds: () => RecordBounds;
  /** For a piece of work that may take its time: whoever else is served comes between two of them. */
  readonly turn: () => Promise<void>;
  /** `work` is done over where somebody else has changed meanwhile what it has read. */
  readonly write: <T>(audited: Audited, work: (writing: Writing) => Promise<T>) => Promise<T>;
  readonly list: (family: Family, page: Page | null) => Promise<Listed>; // null: all of them
  /** Users whose address or name holds the text, in the order of their addresses. */
  readonly searchUsers: (text: string, page: Page | null) => Promise<Listed>;
  /** Those that come behind `last` in the list of them all or, of users, in a search for a text. */
  readonly next: (
    family: Family,
    last: Stored,
    most: number,
    text: string | null,
  ) => Promise<readonly Stored[]>;
  /** In the order of `list`, without looking at a document. */
  readonly ids: (family: Exclude<Family, "users">, page: Page) => Promise<ListedIds>;
  readonly nextIds: (
    family: Exclude<Family, "users">,
    last: string,
    most: number,
  ) => Promise<readonly string[]>;
  readonly find: (family: Family, unique: string) => Promise<Stored | null>;
  /**
   * The same records in another form, without a new version: nobody who reads them sees a change. Those that have been
   * changed since they were read are left out. Answers how many were written.
   */
  readonly rewrite: (family: Family, rewritten: readonly Rewritten[]) => Promise<number>;
  /** What was deleted or overwritten is gone from the database's files too. Nobody else should be waiting meanwhile. */
  readonly wipe: () => Promise<void>;
  /**
   * Removes overwritten contents from the write-ahead log of SQLite; readers go on meanwhile. False: one of them needs the log
   * still. PostgreSQL recycles its own.
   */
  readonly truncateLog: () => Promise<boolean>;
  /** Oldest first, for whoever has to follow. Null: too many, or no longer known, so that all is read anew. */
  readonly changesSince: (seq: number) => Promise<readonly Change[] | null>;
  /**
   * Every change there was and every use of a token, or only these or those; newest first, without secrets. From the newest
   * on, or behind the one with the number `last`.
   */
  readonly audited: (
    most: number,
    only?: AuditKind | null,
    last?: number | null,
  ) => Promise<readonly AuditEntry[]>;
  readonly latestChange: () => Promise<number>; // 0: nothing has ever been written
  /** Called when another gateway may have written, with the database that several share. */
  readonly heard: (listener: () => void) => void;
  /** Called with what a write of this process has changed, as soon as it is durable. */
  readonly wrote: (listener: (changes: readonly WrittenChange[]) => void) => void;
  /** "reads only" from a write that failed until one works, even where nobody has tried since. */
  readonly standing: () => Standing;
  readonly deliveries: Deliveries; // to webhooks: what a write causes is queued with it
  /** When what runs is done. Whatever comes later is refused. */
  readonly close: () => Promise<void>;
}

/** Why there are no records, in one sentence: nothing that a user can cause is thrown. */
export interface Unopened {
  readonly fault: string;
  /** The database is unreachable, which may pass by itself: nothing that was configured is wrong. */
  readonly isOutage?: boolean;
}
