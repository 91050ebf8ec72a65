// The outcome of a run for each requirement: the worst verdict among the expectations that prove it.
import type { Requirement } from "../../limiter/spec/requirements.ts";
import { worst, type Outcome, type Result } from "../scenario/verdict.ts";

export interface RequirementResult {
  readonly requirement: Requirement;
  /** Null if no variant that ran proves it. */
  readonly outcome: Outcome | null;
  readonly scenarios: readonly string[];
  readonly variants: number;
}

interface Tally {
  outcome: Outcome;
  readonly scenarios: Set<string>;
  readonly variants: Set<Result>;
}

/** In the order of the requirements. Variants that a driver does not support are ignored. */
export function groupByRequirement(
  requirements: readonly Requirement[],
  results: readonly Result[],
): readonly RequirementResult[] {
  const tallies = new Map<string, Tally>();
  for (const result of results) {
    if (result.outcome === "unsupported") continue;
    for (const { proves, outcome } of result.verdicts)
      for (const id of proves) {
        const tally = tallies.get(id) ?? { outcome, scenarios: new Set(), variants: new Set() };
        tally.outcome = worst([tally.outcome, outcome]);
        tally.scenarios.add(result.scenario);
        tally.variants.add(result);
        tallies.set(id, tally);
      }
  }
  return requirements.map((requirement) => {
    const tally = tallies.get(requirement.id);
    return {
      requirement,
      outcome: tally?.outcome ?? null,
      scenarios: [...(tally?.scenarios ?? [])],
      variants: tally?.variants.size ?? 0,
    };
  });
}
