import type { ColumnType } from "kysely";

/** A whole number of 64 bits comes as text from one of the databases. */
export type Whole = ColumnType<number | string, number, number>;
