// Where PostgreSQL and SQLite differ.
import type { Kysely } from "kysely";
import type { Apply } from "./apply.ts";
import type { TellOfRecords } from "./damaged.ts";
import type { DatabaseFault } from "./database-fault.ts";
import type { Dialect } from "./migrations.ts";
import type { Turn } from "./read.ts";
import type { Records, Standing } from "./records.ts";
import type { Tables } from "./tables.ts";
import type { Transact } from "./write.ts";

export interface Database {
  readonly dialect: Dialect;
  /** Where tables are made. */
  readonly tables: Kysely<Tables>;
  /** Reads of one record: on a connection of its own, where nothing is seen before it is durable. */
  readonly lookups: Kysely<Tables>;
  /** Reads of many: so that nobody waits behind them. */
  readonly scans: Kysely<Tables>;
  /** All that is said in one transaction, durable when it resolves, while nobody else writes. */
  readonly apply: Apply;
  /** The same for what has to look before it goes on. */
  readonly transact: Transact;
  /** Null for a fault of Weir itself. */
  readonly faultOf: (error: unknown) => DatabaseFault | null;
  readonly tell: TellOfRecords;
  /** Null: all that it needs to work is there. */
  readonly lacks: () => Exclude<Standing, "answers"> | null;
  /** Calls the listener when lookups get no response any more, while they still wait for one. */
  readonly onSilence: (listener: (fault: DatabaseFault) => void) => void;
  readonly heard: Records["heard"];
  readonly turn: Turn;
  readonly wipe: Records["wipe"];
  readonly truncateLog: Records["truncateLog"];
  readonly close: () => Promise<void>;
}
