// What a write has to know of a whole family. It is read once, and where the write is done over only what has changed since:
// else a write beside others that change the family all the time would never end.
import type { Family } from "./records/family.ts";
import type { Stored, Writing } from "./records/records.ts";

/** By id, what `of` says of the records of a family. The same name is always the same question. */
export type Survey<T> = (
  writing: Writing,
  family: Family,
  name: string,
  of: (stored: Stored) => T | null,
) => Promise<ReadonlyMap<string, T>>;

interface Known<T> {
  readonly until: number; // the change that it is not older than
  readonly found: Map<string, T>;
}

/** Of one write, however often it is done over. */
export function surveys<T>(): Survey<T> {
  const known = new Map<string, Known<T>>();
  return async (writing, family, name, of) => {
    const until = await writing.latest();
    const before = known.get(name);
    const changed = before === undefined ? null : await writing.changed(family, before.until);
    const found = before === undefined || changed === null ? new Map<string, T>() : before.found;
    const note = (id: string, stored: Stored | null): void => {
      const said = stored && of(stored);
      if (said === null) found.delete(id);
      else found.set(id, said);
    };
    if (changed === null) for await (const stored of writing.all(family)) note(stored.id, stored);
    else for (const [id, stored] of changed) note(id, stored);
    known.set(name, { until, found });
    return found;
  };
}
