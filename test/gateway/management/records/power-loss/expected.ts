// The records after all answered changes, and the values that unanswered changes may have written.

export type Value = number | null; // null: it is not there
type Owned = "keys" | "users";

export type Note =
  | { readonly started: Readonly<Record<"admin" | "dashboard", string>> }
  | { readonly requested: { readonly family: Owned; readonly id: string; readonly value: Value } }
  | { readonly answered: string }
  | { readonly keys: number }; // the key of the records has been changed, and this many exist

/** Taken in together, by one write. */
export const KEYS_OF_WORLD = 30;

/** Sealed with the value, so that a check shows whether the secret can still be unsealed. */
export const secretOf = (value: Value): string => `the secret of ${value}, which nobody guesses`;

export interface ExpectedRecord {
  readonly family: Owned;
  readonly answered: Value;
  readonly requested: Value; // the same as answered if no change is open
}

export interface ExpectedState {
  readonly secrets: Readonly<Record<"admin" | "dashboard", string>> | null; // null: nothing was answered at all
  readonly records: ReadonlyMap<string, ExpectedRecord>;
}

/** After each note in turn. */
export function stateAfter(state: ExpectedState, note: Note): ExpectedState {
  if ("started" in note) return { ...state, secrets: note.started };
  if ("keys" in note) return state;
  const records = new Map(state.records);
  if ("requested" in note) {
    const { family, id, value } = note.requested;
    const answered = records.get(id)?.answered ?? null;
    records.set(id, { family, answered, requested: value });
  } else {
    const record = records.get(note.answered)!;
    records.set(note.answered, { ...record, answered: record.requested });
  }
  return { ...state, records };
}
