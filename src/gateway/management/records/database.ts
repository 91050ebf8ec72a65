// The operations in which PostgreSQL and SQLite differ.
import type { Kysely } from "kysely";
import type { Apply } from "./apply.ts";
import type { ReportRecords } from "./damaged.ts";
import type { DatabaseFailure } from "./database-failure.ts";
import type { Dialect } from "./migrations.ts";
import type { WorkTurn } from "./read.ts";
import type { Records, RecordsStatus } from "./records.ts";
import type { Tables } from "./tables.ts";
import type { Transact } from "./write.ts";

export interface Database {
  readonly dialect: Dialect;
  /** A connection that also creates tables. */
  readonly tables: Kysely<Tables>;
  /** A separate connection for reading single records; it sees only committed changes. */
  readonly lookups: Kysely<Tables>;
  /** A connection for reading many records, so that lookups do not wait for long reads. */
  readonly scans: Kysely<Tables>;
  /** Runs statements in one exclusive transaction. Resolves when the transaction is durable. */
  readonly apply: Apply;
  /** Runs work in an exclusive transaction; the work sees each reply before its next statement. */
  readonly transact: Transact;
  /** The failure of the database; null: the error is an internal one. */
  readonly failureOf: (error: unknown) => DatabaseFailure | null;
  readonly report: ReportRecords;
  /** The status if a connection does not work; null: all connections work. */
  readonly lacks: () => Exclude<RecordsStatus, "answers"> | null;
  /** Calls the listener while lookups wait and none gets a response. */
  readonly onSilence: (listener: (fault: DatabaseFailure) => void) => void;
  readonly onRemoteChange: Records["onRemoteChange"];
  readonly turn: WorkTurn;
  readonly wipe: Records["wipe"];
  readonly eraseRemains: Records["eraseRemains"];
  readonly close: () => Promise<void>;
}
