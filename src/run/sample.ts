// A few variants that represent a suite if there is no time for all of it: each requirement once for each
// algorithm that it is shown with, as far as the sample reaches.
import { isAcross } from "../check/across.ts";
import type { GatewayOptions } from "../core/config.ts";
import { limitOf } from "../core/limit.ts";
import { chooseAlgorithm } from "../core/select.ts";
import type { Scenario, Variant } from "../scenario/types.ts";

export interface SampleCandidate {
  readonly scenario: Scenario;
  readonly variant: Variant;
  readonly durationUs: number;
}

/** The time to apply and close a world, in addition to its traffic. */
const OVERHEAD_US = 500_000;

/** First variants that show a new requirement, then those that show one with another algorithm. */
export function selectSample(
  candidates: readonly SampleCandidate[],
  most: number,
): readonly SampleCandidate[] {
  const remaining = candidates
    .filter(({ variant }) => variant.expectations.every(({ measure }) => !isAcross(measure)))
    .map((candidate) => ({ candidate, shows: requirementsShownBy(candidate) }));
  const covered = new Set<string>();
  const chosen = new Set<SampleCandidate>();
  for (const what of ["id", "pair"] as const) {
    while (chosen.size < most) {
      const best = findWorthiest(remaining, (shown) => !covered.has(shown[what]));
      if (best === null) break;
      chosen.add(best.candidate);
      for (const { id, pair } of best.shows) covered.add(id).add(pair);
    }
  }
  return candidates.filter((candidate) => chosen.has(candidate));
}

interface RatedCandidate {
  readonly candidate: SampleCandidate;
  readonly shows: readonly ShownRequirement[];
}

/** The candidate that shows the most new requirements for its time, and among equals the first; null: none shows a new one. */
function findWorthiest(
  left: readonly RatedCandidate[],
  isNew: (shown: ShownRequirement) => boolean,
): RatedCandidate | null {
  let best: RatedCandidate | null = null;
  let most = 0;
  for (const one of left) {
    const worth = one.shows.filter(isNew).length / (OVERHEAD_US + one.candidate.durationUs);
    if (worth > most) [best, most] = [one, worth];
  }
  return best;
}

interface ShownRequirement {
  readonly id: string; // of a requirement, or of a scenario
  readonly pair: string; // with an algorithm
}

/** A scenario without requirements shows itself. */
function requirementsShownBy({
  scenario,
  variant: { expectations, world },
}: SampleCandidate): readonly ShownRequirement[] {
  const algorithm =
    world.configuration === null ? "none" : algorithmOf(world.configuration.options);
  const ids = new Set(
    expectations.flatMap(({ proves }) => (proves.length > 0 ? proves : [scenario.id])),
  );
  return [...ids].map((id) => ({ id, pair: `${id} ${algorithm}` }));
}

/** For any rate: `drl_threshold` chooses by each limit. */
const algorithmOf = (options: GatewayOptions): string =>
  chooseAlgorithm({ ...options, drlThreshold: 0 }, limitOf(1, 1), 1);
