/**
 * Whom a budget counts for. A store in this process notes here where it found the client last, and takes
 * the note back when that place is no longer the client's.
 */
export interface Client {
  readonly identity: string;
  row: number;
  home: object | null; // whose row it is; null: nobody's
}

export const client = (identity: string): Client => ({ identity, row: 0, home: null });

/** Budgets of an API count for everybody together (LIM-7); so do keyless requests (LIM-C12). */
export const EVERYBODY: Client = client("");
