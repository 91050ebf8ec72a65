// How each client was served, as a part of results.

/** A client with the same number in several flows is one client. */
export interface ClientServed {
  readonly client: number;
  readonly requests: number;
  readonly attempts: number;
  readonly admitted: number; // admitted requests
  readonly gaveUp: number; // requests without an admitted attempt
  readonly servedShare: number; // share of its requests that were admitted
  readonly successUs: number | null; // median time from when a request was due to its admission; null: never
}

export interface ServedClients {
  readonly clients: number; // clients that sent at least one request
  readonly distribution: Readonly<Record<ServedMeasure, ClientQuantiles>>;
  readonly worst: readonly ClientServed[]; // the smallest share first, then the longest time to admission
}

type ServedMeasure = "requests" | "attempts" | "gaveUp" | "servedShare" | "successUs";

/** Quantiles over the clients by nearest rank, so each is the value of one client. */
export interface ClientQuantiles {
  readonly least: number | null; // null: the client was never admitted
  readonly p10: number | null;
  readonly median: number | null;
  readonly p90: number | null;
  readonly most: number | null;
}
