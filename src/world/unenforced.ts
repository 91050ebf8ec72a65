// Checks that a record asks for and the gateway does not make (MGT-C8).
import { isObject, member, noteAt, type Place } from "./place.ts";

/** The members that ask for something: whoever has them is refused. `acting` is false for what is stored only. */
export function unenforcedIn(
  place: Place,
  names: readonly string[],
  acting: boolean,
): readonly string[] {
  const found = names.filter((name) => asks(name, member(place, name)));
  if (!acting) return found;
  for (const name of found) {
    const message = `the gateway does not enforce ${name}, so it refuses the key with 403`;
    noteAt(place, name, "CFG-UNENFORCED", message, `take ${name} away`);
  }
  return found;
}

function asks(name: string, value: unknown): boolean {
  if (Array.isArray(value))
    return value.length > 0 && !(name === "versions" && isOnlyVersion(value));
  if (isObject(value)) return Object.keys(value).length > 0;
  return value !== null && value !== false && value !== "";
}

/** Every exported key lists the one version that an API without versions has: that keeps nobody out. */
const isOnlyVersion = (versions: readonly unknown[]): boolean =>
  versions.length === 1 && versions[0] === "Default";
