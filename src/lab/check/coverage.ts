// Lists which scenarios prove each requirement according to their files, and which limits decided requests in runs.
import type { Scenario } from "../scenario/types.ts";
import type { Result } from "../scenario/verdict.ts";
import type { Requirement } from "../../limiter/spec/requirements.ts";

export interface RequirementCoverage {
  readonly requirement: Requirement;
  readonly scenarios: readonly string[];
  readonly variants: number;
}

export function coverage(
  requirements: readonly Requirement[],
  scenarios: readonly Pick<Scenario, "id" | "variants">[],
): readonly RequirementCoverage[] {
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

/** Differences between the requirements' states and the scenarios, as sentences. */
export function coverageProblems(covers: readonly RequirementCoverage[]): readonly string[] {
  return covers.flatMap(({ requirement: { id, tier, state }, scenarios }) => {
    const [first] = scenarios;
    if (state === "planned" && first !== undefined)
      return [`${id} is planned, but ${first} proves it: make it built`];
    if (state === "built" && first === undefined)
      return [`${id} (${tier}) is built, but no scenario proves it: write one, or make it planned`];
    return [];
  });
}

/** Requirements that the core names as the reason of a limit, and the scenarios in which such a limit decided. */
export interface LimitPath {
  readonly ids: string; // requirement ids, separated by spaces
  readonly scenarios: readonly string[];
}

/** A path for each of `marks`, and for `withoutStore`: the id that the core appends if the store is unreachable. */
export function listReachedPaths(
  marks: readonly (readonly string[])[],
  withoutStore: string,
  results: readonly Pick<Result, "scenario" | "decidedBy">[],
): readonly LimitPath[] {
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

export const pathProblems = (marks: readonly LimitPath[]): readonly string[] =>
  marks.flatMap(({ ids, scenarios }) =>
    scenarios.length === 0
      ? [
          `the core limits requests because of ${ids}, but no scenario has a request that such a limit decides`,
        ]
      : [],
  );
