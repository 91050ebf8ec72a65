// Checks that a record asks for and the gateway does not make (MGT-C8).
import { isObject, member, noteAt, type Place } from "./place.ts";

/** The members that ask for something: whoever has them is refused. `acting` is false for what is stored only. */
export function unenforcedIn(
  place: Place,
  names: readonly string[],
  acting: boolean,
): readonly string[] {
  const found = names.filter((name) => asks(member(place, name)));
  if (!acting) return found;
  for (const name of found) {
    const message = `the gateway does not enforce ${name}, so it refuses the key with 403`;
    noteAt(place, name, "CFG-UNENFORCED", message, `take ${name} away`);
  }
  return found;
}

function asks(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isObject(value)) return Object.keys(value).length > 0;
  return value !== null && value !== false && value !== "";
}
