// The fewest pairs of scenario and mutant that show what all of the kill matrix shows: that each expectation fails with a
// mutant, and each mutant with an expectation.
import type { KnownKills } from "./trial.ts";

type KillMatrix = ReadonlyMap<string, KnownKills>; // by scenario

/** All that a chosen pair kills remains in it: to look at less of a run saves nothing. */
export function fewestKills(kills: KillMatrix): KillMatrix {
  const seen = new Set<string>(); // mutants
  const fewest = new Map<string, Map<string, ReadonlySet<string>>>();
  for (const [scenario, known] of kills) {
    const chosen = coverOf(known, seen);
    for (const mutant of chosen) seen.add(mutant);
    fewest.set(scenario, new Map(chosen.map((mutant) => [mutant, known.get(mutant)!])));
  }
  // The rest runs with a scenario that few mutants fail: those that fail many are long.
  for (const [scenario, known] of [...kills].toSorted(([, a], [, b]) => a.size - b.size))
    for (const [mutant, expectations] of known)
      if (!seen.has(mutant)) {
        seen.add(mutant);
        fewest.get(scenario)!.set(mutant, expectations);
      }
  return fewest;
}

/** Each time the mutant that most of the remaining expectations fail with, and of equals one that no scenario has yet. */
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
