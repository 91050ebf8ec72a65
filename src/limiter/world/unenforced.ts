// Finds the checks that a record requires but that the gateway does not make (MGT-C8).
import { isObject, member, noteAt, type PlacedObject } from "./place.ts";

/** The fields that require an unsupported check. Reports each, unless `acting` is false: they have no effect. */
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

/** True for "Default" alone: every exported key lists it for an API without versions, and it restricts no client. */
const isOnlyVersion = (versions: readonly unknown[]): boolean =>
  versions.length === 1 && versions[0] === "Default";
