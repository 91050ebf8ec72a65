// Which endpoint limit a request meets (EPT-1, EPT-3, EPT-6, EPT-C1). Matching is linear in the path and
// knows no backtracking: each literal piece takes its first place after the one before it.
import type { EndpointLimit, Pattern } from "../config.ts";

export function matchesPattern(pattern: Pattern, path: string): boolean {
  const pieces = pattern.pieces;
  const first = pieces[0]!;
  if (pieces.length === 1) return path === first;
  const last = pieces[pieces.length - 1]!;
  const end = path.length - last.length;
  if (end < first.length || !path.startsWith(first) || !path.endsWith(last)) return false;
  let from = first.length;
  for (let i = 1; i < pieces.length - 1; i++) {
    const piece = pieces[i]!;
    const found = path.indexOf(piece, from);
    if (found < 0 || found + piece.length > end) return false;
    from = found + piece.length;
  }
  return true;
}

export interface EndpointTable {
  /** Index of the first limit that matches, -1 where none does. The method in any case (EPT-C1). */
  find(method: string, path: string): number;
}

interface MethodTable {
  readonly exact: Map<string, number>;
  readonly wild: { readonly index: number; readonly pattern: Pattern }[];
}

/**
 * Exact paths are looked up; wildcards are tried in order, and only those that stand before the exact
 * hit, so that the order of evaluation stays that of the list (EPT-3).
 */
export function endpointTable(limits: readonly EndpointLimit[]): EndpointTable {
  const methods = new Map<string, MethodTable>();
  for (const [index, { method, pattern }] of limits.entries()) {
    const name = method.toUpperCase();
    let table = methods.get(name);
    if (table === undefined) methods.set(name, (table = { exact: new Map(), wild: [] }));
    const path = pattern.pieces[0]!;
    if (pattern.pieces.length > 1) table.wild.push({ index, pattern });
    else if (!table.exact.has(path)) table.exact.set(path, index);
  }
  return {
    find(method, path) {
      const table = methods.get(method) ?? methods.get(method.toUpperCase());
      if (table === undefined) return -1;
      const exact = table.exact.get(path) ?? -1;
      for (const { index, pattern } of table.wild) {
        if (exact >= 0 && index > exact) break;
        if (matchesPattern(pattern, path)) return index;
      }
      return exact;
    },
  };
}
