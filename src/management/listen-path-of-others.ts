// Whose requests an API would get. The gateway gives a request to the API with the longest listen path that the request's
// path starts with: an API below another one takes requests from it, and one above it gets what is meant for it and
// misspelt, or comes while it is inactive.
import { withoutParameters } from "../core/resolve/endpoint.ts";

export interface Listening {
  readonly listenPath: string;
  readonly isOwn: boolean;
}

/** Whether an API at `listenPath` would get none but requests that nobody or only its owner has got before. */
export function isFreeFor(listenPath: string, apis: Iterable<Listening>): boolean {
  const place = segmentsOf(listenPath);
  let depth = -1; // of the nearest above it
  let isOwnAbove = true;
  for (const { listenPath: other, isOwn } of apis) {
    const there = segmentsOf(other);
    if (!isOwn && isBelow(there, place)) return false;
    if (there.length < depth || !isBelow(place, there)) continue;
    isOwnAbove = isOwn && (isOwnAbove || there.length > depth);
    depth = there.length;
  }
  return isOwnAbove;
}

/** It is there, or further down. */
const isBelow = (place: readonly string[], top: readonly string[]): boolean =>
  place.length >= top.length && top.every((segment, index) => segment === place[index]);

/**
 * Spellings that any server may take for one path are one here, whatever this gateway matches now: letters in either
 * case, escapes, parameters.
 */
const segmentsOf = (path: string): readonly string[] =>
  withoutParameters(unescaped(path))
    .toLowerCase()
    .split("/")
    .filter((segment) => segment !== "");

/** A letter in UTF-8, by its form, or else one byte. */
const LETTER =
  /%[cd][0-9a-f]%[89ab][0-9a-f]|%e[0-9a-f](?:%[89ab][0-9a-f]){2}|%f[0-7](?:%[89ab][0-9a-f]){3}|%[0-9a-f]{2}/gi;

/** Letter by letter: bytes that are none stay escaped, and no other escape with them. */
const unescaped = (path: string): string => path.replaceAll(LETTER, letterOf);

function letterOf(escaped: string): string {
  try {
    return decodeURIComponent(escaped);
  } catch (error) {
    if (error instanceof URIError) return escaped; // bytes that are no letter
    throw error;
  }
}
