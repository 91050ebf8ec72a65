// How many breaches of the language each older file may still have. The number only falls.
import type { PageFinding } from "./prose.ts";

export const REMAINING = "remaining.json";

export type Remaining = Readonly<Record<string, number>>;
type Findings = ReadonlyMap<string, readonly PageFinding[]>;

/** Files with more than remain. */
export const risen = (
  remaining: Remaining,
  findings: Findings,
): readonly (readonly [path: string, count: number, most: number])[] =>
  [...findings]
    .map(([path, all]) => [path, all.length, remaining[path] ?? 0] as const)
    .filter(([, count, most]) => count > most);

/** What remains after some of it was mended. */
export const fallen = (remaining: Remaining, findings: Findings): Remaining =>
  Object.fromEntries(
    Object.entries(remaining)
      .map(([path, most]) => [path, Math.min(most, findings.get(path)?.length ?? 0)] as const)
      .filter(([, most]) => most > 0)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
