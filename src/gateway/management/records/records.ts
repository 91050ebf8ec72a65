// The port of the stored records. A record is a JSON document with a few columns for lookups; all types have the same
// form. All changes are made by `write`: durable when it resolves, without effect if it throws.
import type { Deliveries } from "../events/deliveries.ts";
import type { JsonObject } from "../json.ts";
import type { AuditKind, RecordBounds } from "./bounds.ts";
import type { RecordTypeName } from "./record-types.ts";

export interface Stored {
  readonly id: string;
  readonly version: number; // grows with each change, and is above every earlier version of a record with the same id
  readonly document: JsonObject;
  readonly unique: string | null; // a second value that identifies the record; null: none
  /** The stored text is invalid JSON: `document` is empty and must not be used. */
  readonly isDamaged?: true;
}

export interface Rewritten {
  readonly before: Stored;
  readonly document: JsonObject;
}

/** A change of a record; `seq` grows in the order of commits. */
export interface RecordChange {
  readonly seq: number;
  readonly family: RecordTypeName;
  readonly id: string;
}

/** A change of a record by this process. */
export interface WrittenChange extends RecordChange {
  readonly before: Stored | null; // null: created
  readonly after: Stored | null; // null: deleted
}

export interface Page {
  readonly size: number;
  readonly page: number; // counted from 1
}

export interface Listed {
  readonly total: number;
  readonly records: readonly Stored[];
}

export interface ListedIds {
  readonly total: number;
  readonly ids: readonly string[];
}

export interface WriteContext {
  readonly actor: string;
  readonly operation: string;
  readonly atUs: number;
}

/** A change of a record in the audit log. */
export interface AuditEntry extends WriteContext, RecordChange {
  readonly before: JsonObject | null; // null: created
  readonly after: JsonObject | null; // null: deleted
}

/** Values by which a record is found, in addition to its id. */
export interface FoundBy {
  /** Unique in its type, for example the hash of a key's secret, an email address, a listen path. Null: none. */
  readonly unique: string | null;
  readonly text: string | null; // searchable text in lower case
}

export interface RecordReader {
  readonly read: (family: RecordTypeName, id: string) => Promise<Stored | null>;
}

export interface RecordTransaction extends RecordReader {
  /** All records of a type, as they were before this write. If one of them changes meanwhile, the write is repeated. */
  readonly all: (family: RecordTypeName) => AsyncIterable<Stored>;
  /** The unique values of a type in pieces, as `all` but without reading documents. */
  readonly uniques: (family: RecordTypeName) => AsyncIterable<readonly string[]>;
  readonly find: (family: RecordTypeName, unique: string) => Promise<Stored | null>;
  /** Records changed after `since`, by id (null: deleted). Null: the log does not have all these changes. */
  readonly listChanged: (
    family: RecordTypeName,
    since: number,
  ) => Promise<ReadonlyMap<string, Stored | null> | null>;
  /** The number of the latest change that every read of this write includes, with all changes before it. */
  readonly latest: () => Promise<number>;
  /** Creates a record; null if the id or the unique value is taken. */
  readonly insert: (
    family: RecordTypeName,
    id: string,
    document: JsonObject,
    foundBy: FoundBy,
  ) => Promise<Stored | null>;
  /** Replaces the version that this write has read; null if the unique value is taken. */
  readonly replace: (
    family: RecordTypeName,
    before: Stored,
    document: JsonObject,
    foundBy: FoundBy,
  ) => Promise<Stored | null>;
  readonly remove: (family: RecordTypeName, before: Stored) => Promise<void>;
}

/** The state of the database, by its latest uses. */
export type RecordsStatus = "answers" | "reads only" | "away";

/** The functions for operations and gateways, without the queue of webhooks and without maintenance. */
export type ManagedRecords = Omit<
  Records,
  "deliveries" | "eraseRemains" | "onRemoteChange" | "rewrite" | "wipe"
>;

export interface Records extends RecordReader {
  /** The limits of sizes, read each time because a reload may change them. */
  readonly bounds: () => RecordBounds;
  /** Awaited between pieces of long work, so that other requests run meanwhile. */
  readonly turn: () => Promise<void>;
  /** Runs `work`, and repeats it if another write changes records that it has read. */
  readonly write: <T>(
    audited: WriteContext,
    work: (writing: RecordTransaction) => Promise<T>,
  ) => Promise<T>;
  readonly list: (family: RecordTypeName, page: Page | null) => Promise<Listed>; // a page; null: all records
  /** Users whose email address or name contains the text, ordered by address. */
  readonly searchUsers: (text: string, page: Page | null) => Promise<Listed>;
  /** The records after `last` in the list of a type, or in a search for users with a text. */
  readonly next: (
    family: RecordTypeName,
    last: Stored,
    most: number,
    text: string | null,
  ) => Promise<readonly Stored[]>;
  /** Ids in the order of `list`, without reading documents. */
  readonly ids: (family: Exclude<RecordTypeName, "users">, page: Page) => Promise<ListedIds>;
  readonly nextIds: (
    family: Exclude<RecordTypeName, "users">,
    last: string,
    most: number,
  ) => Promise<readonly string[]>;
  readonly find: (family: RecordTypeName, unique: string) => Promise<Stored | null>;
  /**
   * Stores records with the same contents in another form, without a new version. Skips records that have changed since
   * they were read. Returns how many were stored.
   */
  readonly rewrite: (family: RecordTypeName, rewritten: readonly Rewritten[]) => Promise<number>;
  /** Erases deleted and overwritten contents from the files of the database. Other uses wait. */
  readonly wipe: () => Promise<void>;
  /**
   * Erases overwritten contents from SQLite's file and write-ahead log while readers continue and writers wait. False:
   * a reader still needs the log. PostgreSQL recycles its pages and its log itself.
   */
  readonly eraseRemains: () => Promise<boolean>;
  /** Changes after `seq`, oldest first. Null: too many, or the log lacks some, so all records have to be read again. */
  readonly changesSince: (seq: number) => Promise<readonly RecordChange[] | null>;
  /** Entries of the audit log without secrets, newest first; `last`: only entries before this number. */
  readonly listAudit: (
    most: number,
    only?: AuditKind | null,
    last?: number | null,
  ) => Promise<readonly AuditEntry[]>;
  readonly latestChange: () => Promise<number>; // 0: there was no write yet
  /** Calls the listener if another gateway may have written to a shared database. */
  readonly onRemoteChange: (listener: () => void) => void;
  /** Calls the listener with the changes of each write by this process, as soon as they are durable. */
  readonly onWrite: (listener: (changes: readonly WrittenChange[]) => void) => void;
  /** "reads only": the last write has failed. */
  readonly status: () => RecordsStatus;
  readonly deliveries: Deliveries; // of webhooks; a write queues its events in its own transaction
  /** Waits for running work; later uses are rejected. */
  readonly close: () => Promise<void>;
}
