// A piece of a log as a thread returns it: requests as columns. Clients and targets have numbers of this thread only.
import type { NameTable, PackedNames } from "./names.ts";

/** The number of lines of a log, in all and by their outcomes. */
export interface LineCounts {
  lines: number;
  unreadable: number;
  withoutKey: number;
  withoutEndpoint: number;
  withoutDuration: number; // requests without a duration, in a log that has durations
  withoutCost: number; // requests whose cost is missing, so that they cost 1
  roundedCosts: number;
  notSelected: number;
}

export interface LineExample {
  readonly line: number;
  readonly text: string;
}

/** Names that the thread has numbered since its last piece. */
export interface NewNames extends PackedNames {
  readonly first: number; // the number of the first of these names
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
  readonly targets: NewNames | null; // null: targets are labels or not needed
}

/** A piece after its names were numbered in the table of all threads. */
export interface NumberedPiece {
  readonly piece: LogPiece;
  readonly clients: Int32Array; // index: a client's number in the thread; value: its number in the table
  readonly targets: Int32Array | null;
}

/** Maps the numbers of one thread to those of the table of all threads. */
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
