/**
 * Whom a budget counts for. A store in this process notes here where it found the client last, and takes
 * the note back when that place is no longer the client's.
 */
export interface Client {
  readonly identity: string;
  /** Whom its quota counts for, where that is somebody else: limits may go by the address, a quota never does (LIM-C17). */
  readonly owner: Client | null;
  row: number;
  home: object | null; // whose row it is; null: nobody's
}

export const client = (identity: string, owner: Client | null = null): Client => ({
  identity,
  owner,
  row: 0,
  home: null,
});

/** Budgets of an API count for everybody together (LIM-7); so do keyless requests (LIM-C12). */
export const EVERYBODY: Client = client("");

/** Where a request comes from, as far as a budget may go by that (LIM-C17). */
export interface Sender {
  readonly address: string; // after trusted proxies; empty: unknown
  /** Null where the request has no such header, or an empty one. The name in lower case. */
  readonly header: (name: string) => string | null;
}

export const UNKNOWN_SENDER: Sender = { address: "", header: () => null };
