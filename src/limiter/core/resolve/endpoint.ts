// Finds the endpoint limit that a request meets (EPT-1, EPT-3, EPT-6, EPT-C1, EPT-C7). Matching is linear in the path
// and never backtracks: each literal piece matches at the first position after the previous piece.
import type { EndpointLimit, GatewayOptions, PathPattern } from "../config.ts";

export function matchesPattern(pattern: PathPattern, path: string): boolean {
  const pieces = pattern.pieces;
  const first = pieces[0]!;
  if (pieces.length === 1) return path === first;
  const last = pieces[pieces.length - 1]!;
  const end = path.length - last.length;
  if (end < first.length || !path.startsWith(first) || !path.endsWith(last)) return false;
  let from = first.length;
  for (let i = 1; i < pieces.length - 1; i++) {
    const piece = pieces[i]!;
    const position = indexOfPiece(pattern, i, path, from);
    if (position < 0 || position + piece.length > end) return false;
    from = position + piece.length;
  }
  return true;
}

/** Characters of the longest piece that `indexOf` searches: its time may grow with the product of both lengths. */
const LONGEST_SEARCHED = 64;

/** `indexOf` for a piece, in time that grows with the sum of both lengths (Knuth, Morris, Pratt). */
function indexOfPiece(pattern: PathPattern, index: number, path: string, from: number): number {
  const piece = pattern.pieces[index]!;
  if (path.length - from < piece.length) return -1;
  if (piece.length <= LONGEST_SEARCHED) return path.indexOf(piece, from);
  const borders = bordersAt(pattern, index);
  let matched = 0;
  for (let at = from; at < path.length; at++) {
    const letter = path.charCodeAt(at);
    while (matched > 0 && piece.charCodeAt(matched) !== letter) matched = borders[matched - 1]!;
    if (piece.charCodeAt(matched) === letter) matched++;
    if (matched === piece.length) return at - piece.length + 1;
  }
  return -1;
}

/** Borders of pieces, built once, because every path of an API is compared with the same patterns. */
const BORDERS = new WeakMap<PathPattern, Map<number, Int32Array>>();

function bordersAt(pattern: PathPattern, index: number): Int32Array {
  let all = BORDERS.get(pattern);
  if (all === undefined) BORDERS.set(pattern, (all = new Map()));
  let borders = all.get(index);
  if (borders === undefined) all.set(index, (borders = buildBorders(pattern.pieces[index]!)));
  return borders;
}

/** For each prefix of a piece, the length of its longest proper prefix that is also its suffix. */
function buildBorders(piece: string): Int32Array {
  const borders = new Int32Array(piece.length);
  let border = 0;
  for (let at = 1; at < piece.length; at++) {
    const letter = piece.charCodeAt(at);
    while (border > 0 && piece.charCodeAt(border) !== letter) border = borders[border - 1]!;
    if (piece.charCodeAt(border) === letter) border++;
    borders[at] = border;
  }
  return borders;
}

// ---------------------------------------------------------------- which paths are the same (EPT-C7)

export type Matching = Pick<GatewayOptions, "normalizePath" | "endpointMatching">;

export const EXACT_MATCHING: Matching = {
  normalizePath: true,
  endpointMatching: {
    letterCase: "exact",
    trailingSlash: "exact",
    pathParameters: "exact",
    head: "exact",
  },
};

/** Writes the hex digits of percent escapes in capitals, so that equal escapes are equal strings (RFC 3986, 6.2.2). */
export const withCapitalDigits = (path: string): string =>
  path.replaceAll(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase());

export const withoutParameters = (path: string): string => path.replaceAll(/;[^/]*/g, "");

const inSmallLetters = (text: string): string =>
  text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** The pattern of an entry, changed in the same way as the paths of requests before they are compared. */
export function comparablePattern(
  pattern: PathPattern,
  { normalizePath, endpointMatching: { letterCase, pathParameters } }: Matching,
): PathPattern {
  let pieces: readonly string[] = pattern.pieces;
  if (normalizePath) pieces = pieces.map(withCapitalDigits);
  if (pathParameters === "same") pieces = piecesWithoutParameters(pieces);
  if (letterCase === "same") pieces = pieces.map(inSmallLetters);
  return { text: pattern.text, pieces };
}

const JOINT = "\0"; // no path contains it

/** Drops the path parameters of the pieces, and the wildcards within parameters. */
const piecesWithoutParameters = (pieces: readonly string[]): readonly string[] =>
  withoutParameters(pieces.join(JOINT)).split(JOINT);

/** The method in capitals; GET for HEAD if `head` is `same`, because HEAD requests the headers of GET. */
export const comparableMethod = (
  method: string,
  { endpointMatching: { head } }: Matching,
): string => {
  const name = method.toUpperCase();
  return head === "same" && name === "HEAD" ? "GET" : name;
};

const comparablePath = (path: string, { endpointMatching: { letterCase } }: Matching): string =>
  letterCase === "same" ? inSmallLetters(path) : path;

/** Removes the last slash of a path, or adds one if the path has none; null for the root, which has no other form. */
const otherForm = (path: string): string | null =>
  path === "/" || path === "" ? null : path.endsWith("/") ? path.slice(0, -1) : `${path}/`;

export const isSamePath = (pattern: PathPattern, path: string, matching: Matching): boolean => {
  const comparable = comparablePattern(pattern, matching);
  const requested = comparablePath(path, matching);
  if (matchesPattern(comparable, requested)) return true;
  const otherPath =
    matching.endpointMatching.trailingSlash === "same" ? otherForm(requested) : null;
  return otherPath !== null && matchesPattern(comparable, otherPath);
};

// ---------------------------------------------------------------- a list of entries

export interface EndpointTable {
  /** Index of the first limit that matches; -1: none. The method may be in any case (EPT-C1). */
  find(method: string, path: string): number;
}

interface MethodTable {
  readonly exact: Map<string, number>;
  readonly wild: { readonly index: number; readonly pattern: PathPattern }[];
}

/**
 * Exact paths are looked up. Wildcards are tried in order, but only those listed before the exact match, so that the
 * first match of the list wins (EPT-3).
 */
export function endpointTable(limits: readonly EndpointLimit[], matching: Matching): EndpointTable {
  const { trailingSlash, head } = matching.endpointMatching;
  const methods = new Map<string, MethodTable>();
  for (const [index, limit] of limits.entries()) {
    const name = comparableMethod(limit.method, matching);
    const pattern = comparablePattern(limit.pattern, matching);
    let table = methods.get(name);
    if (table === undefined) methods.set(name, (table = { exact: new Map(), wild: [] }));
    const path = pattern.pieces[0]!;
    if (pattern.pieces.length > 1) table.wild.push({ index, pattern });
    else if (!table.exact.has(path)) table.exact.set(path, index);
  }
  if (head === "same" && methods.has("GET")) methods.set("HEAD", methods.get("GET")!);
  return {
    find(method, path) {
      const table = methods.get(method) ?? methods.get(method.toUpperCase());
      if (table === undefined) return -1;
      const requested = comparablePath(path, matching);
      const index = findFirst(table, requested);
      if (trailingSlash === "exact" || index === 0) return index;
      const otherPath = otherForm(requested);
      const alike = otherPath === null ? -1 : findFirst(table, otherPath);
      return index < 0 || (alike >= 0 && alike < index) ? alike : index;
    },
  };
}

function findFirst({ exact: byPath, wild }: MethodTable, path: string): number {
  const exact = byPath.get(path) ?? -1;
  for (const { index, pattern } of wild) {
    if (exact >= 0 && index > exact) break;
    if (matchesPattern(pattern, path)) return index;
  }
  return exact;
}
