/**
 * The client that a budget counts. A local store caches in `row` and `home` where it last found the client, and clears
 * both when another client gets that row.
 */
export interface Client {
  readonly identity: string;
  /** The client for quotas, if it is another one: limits may count by address, quotas never do (LIM-C17). Else null. */
  readonly owner: Client | null;
  row: number;
  home: object | null; // the table that `row` belongs to; null: no row yet
}

export const client = (identity: string, owner: Client | null = null): Client => ({
  identity,
  owner,
  row: 0,
  home: null,
});

/** One object, reused for the client of each request. A store copies the identity and caches nothing in the object. */
export interface PassingClient extends Client {
  identity: string;
}

const NOWHERE = {};

export const passingClient = (): PassingClient => ({ ...client(""), home: NOWHERE });

export const isPassing = ({ home }: Client): boolean => home === NOWHERE;

/** All clients together: for a budget of an API (LIM-7), and for keyless requests (LIM-C12). */
export const ALL_CLIENTS: Client = client("");

/** The properties of a request's sender by which a budget may count (LIM-C17). */
export interface Sender {
  readonly address: string; // as trusted proxies report it; empty: unknown
  /** `name` is in lower case. Null if the request has no such header, or an empty one. */
  readonly header: (name: string) => string | null;
}

export const UNKNOWN_SENDER: Sender = { address: "", header: () => null };
