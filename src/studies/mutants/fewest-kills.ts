// Finds the fewest pairs of scenario and mutant with which each expectation fails once, and each mutant is killed once,
// as in the whole kill matrix.
import type { KnownKills } from "./trial.ts";

type KillMatrix = ReadonlyMap<string, KnownKills>; // by scenario

/** Returns the chosen pairs with all their kills: leaving out expectations would save no time. */
export function fewestKills(kills: KillMatrix): KillMatrix {
  const seen = new Set<string>(); // mutants that were chosen
  const fewest = new Map<string, Map<string, ReadonlySet<string>>>();
  for (const [scenario, known] of kills) {
    const chosen = coverOf(known, seen);
    for (const mutant of chosen) seen.add(mutant);
    fewest.set(scenario, new Map(chosen.map((mutant) => [mutant, known.get(mutant)!])));
  }
  // Other mutants run with a scenario that few mutants fail, because scenarios that many fail are long.
  for (const [scenario, known] of [...kills].toSorted(([, a], [, b]) => a.size - b.size))
    for (const [mutant, expectations] of known)
      if (!seen.has(mutant)) {
        seen.add(mutant);
        fewest.get(scenario)!.set(mutant, expectations);
      }
  return fewest;
}

/** Chooses mutants so that each expectation fails for one, the most effective first; of equals, one not in `seen`. */
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
