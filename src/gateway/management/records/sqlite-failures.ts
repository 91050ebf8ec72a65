// Errors of SQLite whose cause is the disk, the file or another program. All other errors are bugs of Weir.
import type { DatabaseFailure } from "./database-failure.ts";

/** A failed statement of SQLite. */
export class SqliteError extends Error {
  readonly errcode: number; // the extended result code

  constructor(message: string, errcode: number) {
    super(message);
    this.errcode = errcode;
  }
}

/** The thread ended before its reply, so it may or may not have run the statement. */
export class ThreadEnded extends Error {}

/** The failures by SQLite's primary result code. */
const FAILURES: ReadonlyMap<number, DatabaseFailure> = new Map([
  [3, { kind: "unfit", sentence: "may not be read or written" }],
  [5, { kind: "busy", sentence: "is locked by another program" }],
  [6, { kind: "busy", sentence: "is locked by another program" }],
  [7, { kind: "busy", sentence: "needs more memory than there is" }],
  [8, { kind: "read-only", sentence: "is read-only" }],
  [10, { kind: "unfit", sentence: "cannot be read or written: the disk reports an error" }],
  [11, { kind: "unfit", sentence: "is damaged: restore it from a backup" }],
  [13, { kind: "full", sentence: "cannot grow: the disk is full" }],
  [14, { kind: "unfit", sentence: "cannot be opened" }],
  [26, { kind: "unfit", sentence: "is not a database of Weir" }],
]);

/** The failure that an error means; null: the error is a bug of Weir. */
export function sqliteFailure(error: unknown): DatabaseFailure | null {
  if (error instanceof ThreadEnded)
    return { kind: "busy", sentence: "has lost a thread that works on it" };
  return error instanceof Error && "errcode" in error
    ? (FAILURES.get(Number(error.errcode) & 0xff) ?? null)
    : null;
}
