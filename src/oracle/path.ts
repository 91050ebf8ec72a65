// EPT-C1 and EPT-C7 by hand: a path is put into its one spelling, then held against a pattern piece by
// piece, trying every way in which a wildcard could stretch.
import type { ApiDefinition, EndpointLimit, Pattern } from "../core/config.ts";

const UNRESERVED = /^[A-Za-z0-9\-._~]$/;

/** Null for a path that is answered 400. */
export function normalised(sent: string): string | null {
  const path = sent.replace(/[?#].*/s, "");
  if (/%2f|%5c|%00|\\|\0/i.test(path)) return null;
  if (/%(?![0-9a-f]{2})/i.test(path)) return null; // no two parsers agree on a broken escape
  const decoded = path.replaceAll(/%([0-9a-f]{2})/gi, (escape, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return UNRESERVED.test(character) ? character : escape;
  });
  const segments = decoded.split("/").filter((segment) => segment !== "");
  const kept: string[] = [];
  for (const segment of segments) {
    if (segment === "..") kept.pop();
    else if (segment !== ".") kept.push(segment);
  }
  const last = segments.at(-1);
  const isFolder = decoded.endsWith("/") || last === "." || last === "..";
  return `/${kept.join("/")}${isFolder && kept.length > 0 ? "/" : ""}`;
}

/** The API with the longest listen path that the path lies under. */
export function apiFor(path: string, apis: Iterable<ApiDefinition>): ApiDefinition | null {
  let found: ApiDefinition | null = null;
  for (const api of apis) {
    if (
      api.active &&
      isUnder(path, api.listenPath) &&
      api.listenPath.length > (found?.listenPath.length ?? 0)
    )
      found = api;
  }
  return found;
}

const isUnder = (path: string, listenPath: string): boolean =>
  listenPath === "/" || path === listenPath || path.startsWith(`${listenPath}/`);

export function withoutListenPath(path: string, listenPath: string): string {
  const rest = listenPath === "/" ? path : path.slice(listenPath.length);
  return rest === "" ? "/" : rest;
}

/** The first entry that speaks of this method and path (EPT-3, EPT-6: the order is the configuration's). */
export const endpointFor = (
  entries: readonly EndpointLimit[],
  method: string,
  path: string,
): EndpointLimit | null =>
  entries.find((entry) => entry.method === method.toUpperCase() && matches(entry.pattern, path)) ??
  null;

export const matches = ({ pieces }: Pattern, path: string): boolean => {
  const [first = "", ...rest] = pieces;
  return path.startsWith(first) && stretches(rest, path.slice(first.length));
};

/** Each of `pieces` has a wildcard in front of it; the last one must reach the end. */
function stretches(pieces: readonly string[], path: string): boolean {
  const [piece, ...rest] = pieces;
  if (piece === undefined) return path === "";
  if (rest.length === 0) return path.endsWith(piece);
  for (let skipped = 0; skipped <= path.length; skipped++) {
    if (path.startsWith(piece, skipped) && stretches(rest, path.slice(skipped + piece.length)))
      return true;
  }
  return false;
}
