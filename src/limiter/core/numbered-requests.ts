// Many requests of numbered clients, which a replay of logs decides in one call.
export interface NumberedRequests {
  readonly count: number;
  readonly clients: Int32Array;
  /** The times of the requests, which are in order for each client. */
  readonly atUs: Float64Array;
}
