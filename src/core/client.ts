/** Whom a budget counts for. What a store in this process last found of it is a hint, never a fact. */
export interface Client {
  readonly identity: string;
  row: number;
  foundIn: object | null; // which state of which table the row is of
}

export const client = (identity: string): Client => ({ identity, row: 0, foundIn: null });

/** Budgets of an API count for everybody together (LIM-7); so do keyless requests (LIM-C12). */
export const EVERYBODY: Client = client("");
