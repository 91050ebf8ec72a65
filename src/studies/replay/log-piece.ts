// A piece of a log, as the thread that reads it hands it over: requests as columns, whose clients and targets have the
// numbers of this thread.
import type { NameTable, PackedNames } from "./names.ts";

/** Lines of one log, counted. */
export interface LineCounts {
  lines: number;
  unreadable: number;
  withoutKey: number;
  withoutEndpoint: number;
  withoutDuration: number; // requests of a log that has durations
  withoutCost: number; // requests that cost 1 therefore
  roundedCosts: number;
  notSelected: number;
}

export interface LineExample {
  readonly line: number;
  readonly text: string;
}

/** Names that the thread has numbered since its last piece. */
export interface NewNames extends PackedNames {
  readonly first: number; // of their numbers
}

/** Columns that are not needed are empty. */
export interface RequestColumns {
  readonly atUs: Float64Array;
  readonly clients: Int32Array;
  readonly targets: Int32Array;
  readonly units: Float64Array;
  readonly lastsUs: Float64Array;
}

export interface LogPiece {
  readonly counts: LineCounts;
  readonly examples: readonly LineExample[];
  readonly columns: RequestColumns;
  readonly clients: NewNames;
  readonly targets: NewNames | null; // null: targets are no names
}

/** Its numbers are those of all threads. */
export interface NumberedPiece {
  readonly piece: LogPiece;
  readonly clients: Int32Array; // by the numbers of the thread
  readonly targets: Int32Array | null;
}

/** What the numbers of one thread are in the table of all. */
export class ThreadNumbers {
  readonly #table: NameTable;
  #numbers = new Int32Array(1024);

  constructor(table: NameTable) {
    this.#table = table;
  }

  with({ first, bytes, ends }: NewNames): Int32Array {
    const count = first + ends.length;
    if (count > this.#numbers.length) {
      const larger = new Int32Array(2 * count);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    let from = 0;
    for (const end of ends) {
      this.#table.queue(bytes, from, end);
      from = end;
    }
    this.#table.takeQueued(this.#numbers.subarray(first, count));
    return this.#numbers;
  }
}
