// The tables of the queue, and the migration that creates them.
import { sql, type ColumnType, type Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** A 64-bit integer, which PostgreSQL returns as a string. */
export type Int64Column = ColumnType<number | string, number, number>;

export interface DeliveryTables {
  readonly deliveries: {
    readonly row: ColumnType<number | string, never, never>;
    readonly webhook: string;
    readonly event: string;
    readonly state: string;
    readonly first_us: Int64Column;
    readonly last_us: Int64Column;
    readonly api: string | null;
    readonly key_id: string | null;
    readonly path: string | null;
    readonly meta: string;
    readonly count: Int64Column;
    readonly merging: string | null; // events with this value are merged into the delivery; null: none
    readonly due_us: Int64Column;
    readonly attempts: Int64Column;
    readonly ended_us: Int64Column | null;
    readonly status: Int64Column | null;
    readonly error: string | null;
  };
  /** How many deliveries did not fit into the queue, for each webhook. */
  readonly deliveries_lost: {
    readonly webhook: string;
    readonly count: Int64Column;
  };
}

export const deliveriesMigration = (counting: string): Migration => ({
  up: async (db: Kysely<unknown>): Promise<void> => {
    await sql`create table deliveries (
      row ${sql.raw(counting)},
      webhook text not null,
      event text not null,
      state text not null,
      first_us bigint not null,
      last_us bigint not null,
      api text,
      key_id text,
      path text,
      meta text not null,
      count bigint not null,
      merging text unique,
      due_us bigint not null,
      attempts bigint not null,
      ended_us bigint,
      status bigint,
      error text
    )`.execute(db);
    await sql`create index deliveries_of_webhook on deliveries (state, webhook, due_us)`.execute(
      db,
    );
    await sql`create index deliveries_due on deliveries (state, due_us)`.execute(db);
    await sql`create table deliveries_lost (
      webhook text primary key, count bigint not null
    )`.execute(db);
  },
});
