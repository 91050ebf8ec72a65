// Checks that a record requires and the gateway does not make (MGT-C8).
import { isObject, member, noteAt, type PlacedObject } from "./place.ts";

/** The fields that require a check; a key with one is rejected. `acting`: false if they have no effect. */
export function listUnenforced(
  place: PlacedObject,
  names: readonly string[],
  acting: boolean,
): readonly string[] {
  const found = names.filter((name) => isRequested(name, member(place, name)));
  if (!acting) return found;
  for (const name of found) {
    const message = `the gateway does not enforce ${name}, so it rejects the key with 403`;
    noteAt(place, name, "CFG-UNENFORCED", message, `take ${name} away`);
  }
  return found;
}

function isRequested(name: string, value: unknown): boolean {
  if (Array.isArray(value))
    return value.length > 0 && !(name === "versions" && isOnlyVersion(value));
  if (isObject(value)) return Object.keys(value).length > 0;
  return value !== null && value !== false && value !== "";
}

/** The only version of an API without versions, which every exported key lists; it restricts no client. */
const isOnlyVersion = (versions: readonly unknown[]): boolean =>
  versions.length === 1 && versions[0] === "Default";
