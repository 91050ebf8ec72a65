// Many requests in turn, of clients that have numbers: what a replay of logs decides at once.
export interface NumberedRequests {
  readonly count: number;
  readonly clients: Int32Array;
  /** Those of each client are in the order of their times. */
  readonly atUs: Float64Array;
}
