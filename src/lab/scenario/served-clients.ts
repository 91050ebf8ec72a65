// What each client got, as results have it.

/** Clients with the same number are the same one, in whichever flow. */
export interface ClientServed {
  readonly client: number;
  readonly requests: number;
  readonly attempts: number;
  readonly admitted: number; // requests
  readonly gaveUp: number; // requests that no attempt got admitted
  readonly servedShare: number; // of its requests
  readonly successUs: number | null; // the median from when a request was due until its admission; null: never
}

export interface ServedClients {
  readonly clients: number; // that sent at least one request
  readonly distribution: Readonly<Record<ServedMeasure, ClientQuantiles>>;
  readonly worst: readonly ClientServed[]; // the smallest share first, then the longest time to success
}

type ServedMeasure = "requests" | "attempts" | "gaveUp" | "servedShare" | "successUs";

/** By nearest rank: values of clients. */
export interface ClientQuantiles {
  readonly least: number | null; // null: never
  readonly p10: number | null;
  readonly median: number | null;
  readonly p90: number | null;
  readonly most: number | null;
}
