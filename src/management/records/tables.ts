// The tables, as one set of queries sees them on either database.
import type { ColumnType, Generated } from "kysely";
import type { DeliveryTables } from "../events/deliveries-tables.ts";
import type { Whole } from "./whole.ts";

export interface Tables extends DeliveryTables {
  readonly records: {
    readonly row: Generated<number>;
    readonly family: string;
    readonly id: string;
    readonly version: Whole;
    readonly document: string;
    readonly found_by: string | null;
    readonly text: string | null;
  };
  /** Every change of every record: for whoever follows, and for whoever asks later. */
  readonly audit: {
    readonly seq: ColumnType<number | string, never, never>;
    readonly at_us: Whole;
    readonly who: string;
    readonly what: string;
    readonly family: string;
    readonly id: string;
    readonly before: string | null; // without secrets
    readonly after: string | null;
  };
}

/** A record as it is read. */
export interface Row {
  readonly id: string;
  readonly version: number | string;
  readonly document: string;
  readonly found_by: string | null;
}
