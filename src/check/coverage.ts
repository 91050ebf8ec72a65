// Which scenarios count for which requirement, from what they say before anything runs.
import type { Scenario } from "../scenario/types.ts";
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
