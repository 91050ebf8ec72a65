// A few variants that stand for a suite where there is no time for all of it: each requirement once for each
// algorithm that it is shown with, as far as there is room.
import { isAcross } from "../check/across.ts";
import type { GatewayOptions } from "../core/config.ts";
import { limitOf } from "../core/limit.ts";
import { chooseAlgorithm } from "../core/select.ts";
import type { Scenario, Variant } from "../scenario/types.ts";

export interface Candidate {
  readonly scenario: Scenario;
  readonly variant: Variant;
  readonly durationUs: number;
}

/** Beside what is played it takes so long to apply and to close a world. */
const OVERHEAD_US = 500_000;

/** First whatever shows a requirement that nothing has shown yet, then whatever shows it with another algorithm. */
export function selected(candidates: readonly Candidate[], most: number): readonly Candidate[] {
  const left = candidates
    .filter(({ variant }) => variant.expectations.every(({ measure }) => !isAcross(measure)))
    .map((candidate) => ({ candidate, shows: shownBy(candidate) }));
  const covered = new Set<string>();
  const chosen = new Set<Candidate>();
  for (const what of ["id", "pair"] as const) {
    while (chosen.size < most) {
      const best = worthiest(left, (shown) => !covered.has(shown[what]));
      if (best === null) break;
      chosen.add(best.candidate);
      for (const { id, pair } of best.shows) covered.add(id).add(pair);
    }
  }
  return candidates.filter((candidate) => chosen.has(candidate));
}

interface Left {
  readonly candidate: Candidate;
  readonly shows: readonly Shown[];
}

/** Which shows the most that is new for its time, and among equals the first; null: none shows anything new. */
function worthiest(left: readonly Left[], isNew: (shown: Shown) => boolean): Left | null {
  let best: Left | null = null;
  let most = 0;
  for (const one of left) {
    const worth = one.shows.filter(isNew).length / (OVERHEAD_US + one.candidate.durationUs);
    if (worth > most) [best, most] = [one, worth];
  }
  return best;
}

interface Shown {
  readonly id: string; // of a requirement, or of a scenario
  readonly pair: string; // with an algorithm
}

/** A scenario that names no requirement shows itself. */
function shownBy({ scenario, variant: { expectations, world } }: Candidate): readonly Shown[] {
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
