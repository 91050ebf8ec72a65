// Which scenarios count for which requirement, from what they say before anything runs.
import type { Scenario } from "../scenario/types.ts";
import type { Result } from "../scenario/verdict.ts";
import type { Requirement } from "../spec/requirement.ts";

export interface Cover {
  readonly requirement: Requirement;
  readonly scenarios: readonly string[];
  readonly variants: number;
}

export function coverage(
  requirements: readonly Requirement[],
  scenarios: readonly Pick<Scenario, "id" | "variants">[],
): readonly Cover[] {
  return requirements.map((requirement) => {
    const proving = scenarios
      .map(({ id, variants }) => ({
        id,
        variants: variants.filter(({ expectations }) =>
          expectations.some(({ proves }) => proves.includes(requirement.id)),
        ).length,
      }))
      .filter(({ variants }) => variants > 0);
    return {
      requirement,
      scenarios: proving.map(({ id }) => id),
      variants: proving.reduce((total, { variants }) => total + variants, 0),
    };
  });
}

/** What the requirements claim and the scenarios do not bear out, in sentences. */
export function coverageFaults(covers: readonly Cover[]): readonly string[] {
  return covers.flatMap(({ requirement: { id, tier, state }, scenarios }) => {
    const [first] = scenarios;
    if (state === "planned" && first !== undefined)
      return [`${id} is planned, but ${first} proves it: make it built`];
    if (state === "built" && first === undefined)
      return [`${id} (${tier}) is built, but no scenario proves it: write one, or make it planned`];
    return [];
  });
}

/** One way to a limit that the core knows, and the scenarios in which it decided a request. */
export interface Mark {
  readonly ids: string; // as a budget carries them
  readonly scenarios: readonly string[];
}

/** `withoutStore` stands behind the ids of any other mark. */
export function marksReached(
  marks: readonly (readonly string[])[],
  withoutStore: string,
  results: readonly Pick<Result, "scenario" | "decidedBy">[],
): readonly Mark[] {
  const reached = new Map(
    [...marks.map((ids) => ids.join(" ")), withoutStore].map((ids) => [ids, new Set<string>()]),
  );
  for (const { scenario, decidedBy } of results)
    for (const { because } of decidedBy) {
      const ids = because.join(" ");
      const isFallback = ids.endsWith(` ${withoutStore}`);
      if (isFallback) reached.get(withoutStore)!.add(scenario);
      reached.get(isFallback ? ids.slice(0, -withoutStore.length - 1) : ids)?.add(scenario);
    }
  return [...reached].map(([ids, scenarios]) => ({ ids, scenarios: [...scenarios] }));
}

export const markFaults = (marks: readonly Mark[]): readonly string[] =>
  marks.flatMap(({ ids, scenarios }) =>
    scenarios.length === 0
      ? [
          `the core limits requests because of ${ids}, and in no scenario does such a limit decide one`,
        ]
      : [],
  );
