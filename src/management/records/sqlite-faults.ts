// What SQLite says no with, and which of it is nobody's bug: the disk, the file, or another program.
import type { DatabaseFault } from "./database-fault.ts";

/** A statement that SQLite has not done. */
export class SqliteError extends Error {
  readonly errcode: number; // its extended result code

  constructor(message: string, errcode: number) {
    super(message);
    this.errcode = errcode;
  }
}

/** What was asked of somebody who is gone: nobody knows whether it was done. */
export class ThreadEnded extends Error {}

/** Result codes, without what extends them. */
const FAULTS: ReadonlyMap<number, DatabaseFault> = new Map([
  [3, { kind: "unfit", sentence: "may not be read or written" }],
  [5, { kind: "busy", sentence: "is locked by another program" }],
  [6, { kind: "busy", sentence: "is locked by another program" }],
  [7, { kind: "busy", sentence: "needs more memory than there is" }],
  [8, { kind: "read-only", sentence: "is read-only" }],
  [10, { kind: "unfit", sentence: "cannot be read or written: the disk reports an error" }],
  [11, { kind: "unfit", sentence: "is damaged: put a copy of it back" }],
  [13, { kind: "full", sentence: "cannot grow: the disk is full" }],
  [14, { kind: "unfit", sentence: "cannot be opened" }],
  [26, { kind: "unfit", sentence: "is not a database of Weir" }],
]);

/** Null for an error that SQLite has no part in. */
export function sqliteFault(error: unknown): DatabaseFault | null {
  if (error instanceof ThreadEnded)
    return { kind: "busy", sentence: "has lost a thread that works on it" };
  return error instanceof Error && "errcode" in error
    ? (FAULTS.get(Number(error.errcode) & 0xff) ?? null)
    : null;
}
