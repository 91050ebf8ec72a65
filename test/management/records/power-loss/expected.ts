// What the records hold after what was answered, and what they may hold of what was asked for and not answered yet.

export type Value = number | null; // null: it is not there
export type Owned = "keys" | "users";

export type Note =
  | { readonly started: Readonly<Record<"admin" | "dashboard", string>> }
  | { readonly asked: { readonly family: Owned; readonly id: string; readonly value: Value } }
  | { readonly answered: string }
  | { readonly keys: number }; // the key of the records has been changed, and this many exist

/** Taken in together, by one write. */
export const KEYS_OF_WORLD = 30;

/** Sealed beside the value, so that it shows whether what is sealed still opens. */
export const secretOf = (value: Value): string => `the secret of ${value}, which nobody guesses`;

export interface ExpectedRecord {
  readonly family: Owned;
  readonly answered: Value;
  readonly asked: Value; // the same where nothing is open
}

export interface ExpectedState {
  readonly secrets: Readonly<Record<"admin" | "dashboard", string>> | null; // null: nothing was answered at all
  readonly records: ReadonlyMap<string, ExpectedRecord>;
}

/** After each note in turn. */
export function expectedAfter(state: ExpectedState, note: Note): ExpectedState {
  if ("started" in note) return { ...state, secrets: note.started };
  if ("keys" in note) return state;
  const records = new Map(state.records);
  if ("asked" in note) {
    const { family, id, value } = note.asked;
    const answered = records.get(id)?.answered ?? null;
    records.set(id, { family, answered, asked: value });
  } else {
    const record = records.get(note.answered)!;
    records.set(note.answered, { ...record, answered: record.asked });
  }
  return { ...state, records };
}
