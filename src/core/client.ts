/** Whom a budget counts for. `row` is where a store in this process last found it: a hint, never a fact. */
export interface Client {
  readonly identity: string;
  row: number;
}

export const client = (identity: string): Client => ({ identity, row: 0 });

/** Budgets of an API count for everybody together (LIM-7); so do keyless requests (LIM-C12). */
export const EVERYBODY: Client = client("");
