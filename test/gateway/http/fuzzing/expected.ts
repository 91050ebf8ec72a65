// What a connection should bring to the upstream, and what has arrived of it.
import { foreignHeader } from "./requests.ts";
import type { ReadRequest } from "./strict-reader.ts";

/** A request of the strict reader, on the connection with this address. */
export interface Expected {
  readonly read: ReadRequest;
  readonly isWhole: boolean;
  isDecided: boolean;
  forwarded: readonly string[] | null; // the headers that the upstream has read of it
}

/**
 * Requests that differ in headers alone are forwarded at one time, and may arrive in any order: whether each that has arrived can be
 * one of them. Those that have a place already may move to another one.
 */
export function hasPlace(
  headers: readonly string[],
  matches: readonly Expected[],
  tried = new Set<Expected>(),
): boolean {
  for (const match of matches) {
    if (tried.has(match) || foreignHeader(headers, match.read) !== null) continue;
    tried.add(match);
    if (match.forwarded !== null && !hasPlace(match.forwarded, matches, tried)) continue;
    match.forwarded = headers;
    return true;
  }
  return false;
}
