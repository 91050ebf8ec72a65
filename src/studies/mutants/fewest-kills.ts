// Chooses few pairs of scenario and mutant from the kill matrix. Each expectation that fails in the whole matrix fails
// for a chosen pair, and each mutant is killed by a chosen pair.
import type { KnownKills } from "./trial.ts";

type KillMatrix = ReadonlyMap<string, KnownKills>; // by scenario

/** Returns the chosen pairs, each with all its failing expectations: leaving some out would save no time. */
export function fewestKills(kills: KillMatrix): KillMatrix {
  const seen = new Set<string>(); // mutants that were chosen
  const fewest = new Map<string, Map<string, ReadonlySet<string>>>();
  for (const [scenario, known] of kills) {
    const chosen = coverOf(known, seen);
    for (const mutant of chosen) seen.add(mutant);
    fewest.set(scenario, new Map(chosen.map((mutant) => [mutant, known.get(mutant)!])));
  }
  // Each remaining mutant runs with the scenario that kills fewest: scenarios that kill many mutants take long.
  for (const [scenario, known] of [...kills].toSorted(([, a], [, b]) => a.size - b.size))
    for (const [mutant, expectations] of known)
      if (!seen.has(mutant)) {
        seen.add(mutant);
        fewest.get(scenario)!.set(mutant, expectations);
      }
  return fewest;
}

/** Chooses mutants until each expectation fails for one; next is the one with most new failures, then not in `seen`. */
function coverOf(known: KnownKills, seen: ReadonlySet<string>): readonly string[] {
  const open = new Set([...known.values()].flatMap((expectations) => [...expectations]));
  const chosen: string[] = [];
  while (open.size > 0) {
    const [best] = [...known].reduce((one, other) => {
      const more = countIn(other[1], open) - countIn(one[1], open);
      return more > 0 || (more === 0 && seen.has(one[0]) && !seen.has(other[0])) ? other : one;
    });
    chosen.push(best);
    for (const expectation of known.get(best)!) open.delete(expectation);
  }
  return chosen;
}

const countIn = (some: ReadonlySet<string>, others: ReadonlySet<string>): number =>
  [...some].filter((one) => others.has(one)).length;
