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
  /** Creates tables. */
  readonly tables: Kysely<Tables>;
  /** Reads of one record, on a separate connection that sees committed changes only. */
  readonly lookups: Kysely<Tables>;
  /** Reads of many records, so that reads of one do not wait for them. */
  readonly scans: Kysely<Tables>;
  /** Runs all statements in one exclusive transaction, durable when it resolves. */
  readonly apply: Apply;
  /** The same for work that decides between statements. */
  readonly transact: Transact;
  /** Null: an internal error. */
  readonly failureOf: (error: unknown) => DatabaseFailure | null;
  readonly report: ReportRecords;
  /** Null: every connection works. */
  readonly lacks: () => Exclude<RecordsStatus, "answers"> | null;
  /** Calls the listener when lookups stop getting responses, while they still wait. */
  readonly onSilence: (listener: (fault: DatabaseFailure) => void) => void;
  readonly onRemoteChange: Records["onRemoteChange"];
  readonly turn: WorkTurn;
  readonly wipe: Records["wipe"];
  readonly eraseRemains: Records["eraseRemains"];
  readonly close: () => Promise<void>;
}
