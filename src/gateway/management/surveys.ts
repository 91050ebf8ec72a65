// Reads a whole record type for a write, once; if the write repeats, only changed records are read again. Otherwise a write
// during constant changes of that type would never end.
import type { RecordTypeName } from "./records/record-types.ts";
import type { Stored, RecordTransaction } from "./records/records.ts";

/** The values of `of` for the records of a type, by id. The same name requires the same `of`. */
export type Survey<T> = (
  writing: RecordTransaction,
  family: RecordTypeName,
  name: string,
  of: (stored: Stored) => T | null,
) => Promise<ReadonlyMap<string, T>>;

interface Known<T> {
  readonly until: number; // the change that it is not older than
  readonly found: Map<string, T>;
}

/** For one write with all its repetitions. */
export function surveys<T>(): Survey<T> {
  const known = new Map<string, Known<T>>();
  return async (writing, family, name, of) => {
    const until = await writing.latest();
    const before = known.get(name);
    const changed = before === undefined ? null : await writing.listChanged(family, before.until);
    const found = before === undefined || changed === null ? new Map<string, T>() : before.found;
    const note = (id: string, stored: Stored | null): void => {
      const value = stored && of(stored);
      if (value === null) found.delete(id);
      else found.set(id, value);
    };
    if (changed === null) for await (const stored of writing.all(family)) note(stored.id, stored);
    else for (const [id, stored] of changed) note(id, stored);
    known.set(name, { until, found });
    return found;
  };
}
