// The port of the stored records. A record is one JSON document with a few columns for lookups, in the same form for
// every record type. All writes go through `write`: durable when it resolves, without effect if it throws.
import type { Deliveries } from "../events/deliveries.ts";
import type { JsonObject } from "../json.ts";
import type { AuditKind, RecordBounds } from "./bounds.ts";
import type { RecordTypeName } from "./record-types.ts";

export interface Stored {
  readonly id: string;
  readonly version: number; // rises with each change, and exceeds every earlier version under the same id
  readonly document: JsonObject;
  readonly unique: string | null; // the second value that identifies it
  /** The stored text is not valid JSON: `document` is empty and must not be used. */
  readonly isDamaged?: true;
}

export interface Rewritten {
  readonly before: Stored;
  readonly document: JsonObject;
}

/** One change of one record, in commit order. */
export interface RecordChange {
  readonly seq: number;
  readonly family: RecordTypeName;
  readonly id: string;
}

/** One change by this process. */
export interface WrittenChange extends RecordChange {
  readonly before: Stored | null; // null: created
  readonly after: Stored | null; // null: deleted
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

export interface WriteContext {
  readonly actor: string;
  readonly operation: string;
  readonly atUs: number;
}

/** One change of one record in the audit log. */
export interface AuditEntry extends WriteContext, RecordChange {
  readonly before: JsonObject | null; // null: created
  readonly after: JsonObject | null; // null: deleted
}

/** Values that find a record other than by its id. */
export interface FoundBy {
  /** Unique in its record type: the hash of a key's secret, an email address, a listen path. Null: none. */
  readonly unique: string | null;
  readonly text: string | null; // searchable text in lower case
}

export interface RecordReader {
  readonly read: (family: RecordTypeName, id: string) => Promise<Stored | null>;
}

export interface RecordTransaction extends RecordReader {
  /** As they were before this write, which is repeated if one of them changes meanwhile. */
  readonly all: (family: RecordTypeName) => AsyncIterable<Stored>;
  /** The unique values, in pieces: like `all`, without reading documents. */
  readonly uniques: (family: RecordTypeName) => AsyncIterable<readonly string[]>;
  readonly find: (family: RecordTypeName, unique: string) => Promise<Stored | null>;
  /** Like `all`, but only records changed after the change `since`, by id. Null: the log does not reach back to it. */
  readonly listChanged: (
    family: RecordTypeName,
    since: number,
  ) => Promise<ReadonlyMap<string, Stored | null> | null>;
  /** A change number that all records read by this write include. */
  readonly latest: () => Promise<number>;
  /** Null if the id or the unique value is taken. */
  readonly insert: (
    family: RecordTypeName,
    id: string,
    document: JsonObject,
    foundBy: FoundBy,
  ) => Promise<Stored | null>;
  /** Replaces the version that this write has read. Null as above. */
  readonly replace: (
    family: RecordTypeName,
    before: Stored,
    document: JsonObject,
    foundBy: FoundBy,
  ) => Promise<Stored | null>;
  readonly remove: (family: RecordTypeName, before: Stored) => Promise<void>;
}

/** The state of the database, as of its latest uses. */
export type RecordsStatus = "answers" | "reads only" | "away";

/** What operations and gateways use: not the queue of webhooks, and nothing that maintains a database. */
export type ManagedRecords = Omit<
  Records,
  "deliveries" | "eraseRemains" | "onRemoteChange" | "rewrite" | "wipe"
>;

export interface Records extends RecordReader {
  /** Read for each use, because a reload may change them. */
  readonly bounds: () => RecordBounds;
  /** Awaited between pieces of large work, so that other requests run meanwhile. */
  readonly turn: () => Promise<void>;
  /** `work` is repeated if another write changes the records that it has read. */
  readonly write: <T>(
    audited: WriteContext,
    work: (writing: RecordTransaction) => Promise<T>,
  ) => Promise<T>;
  readonly list: (family: RecordTypeName, page: Page | null) => Promise<Listed>; // null: all of them
  /** Users whose email address or name contains the text, ordered by address. */
  readonly searchUsers: (text: string, page: Page | null) => Promise<Listed>;
  /** The records after `last` in the list of a type or, for users, in a search for a text. */
  readonly next: (
    family: RecordTypeName,
    last: Stored,
    most: number,
    text: string | null,
  ) => Promise<readonly Stored[]>;
  /** In the order of `list`, without reading documents. */
  readonly ids: (family: Exclude<RecordTypeName, "users">, page: Page) => Promise<ListedIds>;
  readonly nextIds: (
    family: Exclude<RecordTypeName, "users">,
    last: string,
    most: number,
  ) => Promise<readonly string[]>;
  readonly find: (family: RecordTypeName, unique: string) => Promise<Stored | null>;
  /**
   * Stores the same contents in another form, without a new version. Records that have changed since they were read are
   * skipped. Returns how many were written.
   */
  readonly rewrite: (family: RecordTypeName, rewritten: readonly Rewritten[]) => Promise<number>;
  /** Erases deleted and overwritten contents from the files of the database. Blocks other uses meanwhile. */
  readonly wipe: () => Promise<void>;
  /**
   * Removes overwritten contents from the file and the write-ahead log of SQLite while readers continue; writers wait.
   * False: a reader still needs the log. PostgreSQL recycles its own pages and log.
   */
  readonly eraseRemains: () => Promise<boolean>;
  /** Oldest first. Null: too many, or no longer in the log, so that all records have to be read again. */
  readonly changesSince: (seq: number) => Promise<readonly RecordChange[] | null>;
  /** Newest first, without secrets, from the newest entry or from the one before the number `last`. */
  readonly listAudit: (
    most: number,
    only?: AuditKind | null,
    last?: number | null,
  ) => Promise<readonly AuditEntry[]>;
  readonly latestChange: () => Promise<number>; // 0: no write yet
  /** Calls the listener when another gateway may have written to a shared database. */
  readonly onRemoteChange: (listener: () => void) => void;
  /** Calls the listener with the changes of each write of this process, as soon as it is durable. */
  readonly onWrite: (listener: (changes: readonly WrittenChange[]) => void) => void;
  /** "reads only" from a failed write until one succeeds. */
  readonly status: () => RecordsStatus;
  readonly deliveries: Deliveries; // of webhooks: a write queues its events in the same transaction
  /** Waits for running work. Later uses are rejected. */
  readonly close: () => Promise<void>;
}
