// What SQLite says no with, and which of it is nobody's bug: the disk, the file, or another program.

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
const SENTENCES: ReadonlyMap<number, string> = new Map([
  [3, "may not be read or written"],
  [5, "is locked by another program"],
  [6, "is locked by another program"],
  [7, "needs more memory than there is"],
  [8, "is read-only"],
  [10, "cannot be read or written: the disk reports an error"],
  [11, "is damaged: put a copy of it back"],
  [13, "cannot grow: the disk is full"],
  [14, "cannot be opened"],
  [26, "is not a database of Weir"],
]);

/** What is wrong with the file, after its name; null for a fault of Weir itself. */
export function sqliteFault(error: unknown): string | null {
  if (error instanceof ThreadEnded) return "has lost a thread that works on it";
  return error instanceof Error && "errcode" in error
    ? (SENTENCES.get(Number(error.errcode) & 0xff) ?? null)
    : null;
}
