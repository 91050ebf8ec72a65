// The tables, with the column types of both databases.
import type { ColumnType, Generated } from "kysely";
import type { DeliveryTables, Int64Column } from "../events/deliveries-tables.ts";

export interface Tables extends DeliveryTables {
  readonly records: {
    readonly row: Generated<number>;
    readonly family: string;
    readonly id: string;
    readonly version: Int64Column;
    readonly document: string;
    readonly found_by: string | null;
    readonly text: string | null;
  };
  /** Every change of every record, for gateways and audits. `who` is the actor, `what` the operation. */
  readonly audit: Readonly<Record<"who" | "what" | "family" | "id", string>> & {
    readonly seq: ColumnType<number | string, never, never>;
    readonly at_us: Int64Column;
    readonly before: string | null; // without secrets
    readonly after: string | null;
  };
}

/** The columns that are selected of a record. */
export interface RecordRow {
  readonly id: string;
  readonly version: number | string;
  readonly document: string;
  readonly found_by: string | null;
}
