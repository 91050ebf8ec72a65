// The requests of a run as columns, as the worker sends them to a page. Pages import it without the code that runs.

/** The values of the column `answer` in `RequestMarks` are positions in this list. */
export const MARK_ANSWERS = ["admitted", "delayed", "refused", "rejected", "lost"] as const;

/** The requests of one variant in the order of their times, as columns. */
export interface RequestMarks {
  readonly flows: readonly string[];
  readonly atUs: Float64Array<ArrayBuffer>;
  readonly rows: Uint32Array<ArrayBuffer>; // rows of the history
  readonly flow: Uint16Array<ArrayBuffer>;
  readonly status: Uint16Array<ArrayBuffer>;
  readonly answer: Uint8Array<ArrayBuffer>;
  readonly endUs: number;
  /** How many later requests the page omits. */
  readonly leftOut: number;
}
