// Selects a few variants that represent a suite if there is no time for all of it: the sample covers as many pairs of
// a requirement and an algorithm as its size allows.
import { isAcross } from "../check/across.ts";
import type { GatewayOptions } from "../../limiter/core/config.ts";
import { limitOf } from "../../limiter/core/limit.ts";
import { chooseAlgorithm } from "../../limiter/core/select.ts";
import type { Scenario, Variant } from "../scenario/types.ts";

export interface SampleCandidate {
  readonly scenario: Scenario;
  readonly variant: Variant;
  readonly durationUs: number;
}

/** Whether verdicts stay decided if requests are late. `wrong`: late requests may cause a false failure. */
export type Rehearsed = "decided" | "open" | "wrong";

/** Time to apply and close a world, in addition to its traffic. */
const OVERHEAD_US = 500_000;

/**
 * Selects variants that show a new requirement, then those that show a requirement with a new algorithm. A variant that
 * real time leaves undecided is selected only if no other variant shows its requirement.
 */
export async function selectSample(
  candidates: readonly SampleCandidate[],
  most: number,
  rehearse: (candidate: SampleCandidate) => Promise<Rehearsed>,
): Promise<readonly SampleCandidate[]> {
  let remaining = candidates
    .filter(({ variant }) => variant.expectations.every(({ measure }) => !isAcross(measure)))
    .map((candidate) => ({ candidate, shows: requirementsShownBy(candidate) }));
  const open: RatedCandidate[] = [];
  const covered = new Set<string>();
  const chosen = new Set<SampleCandidate>();
  const choose = ({ candidate, shows }: RatedCandidate): void => {
    chosen.add(candidate);
    for (const { id, pair } of shows) covered.add(id).add(pair);
  };
  const isNew =
    (what: keyof ShownRequirement) =>
    (shown: ShownRequirement): boolean =>
      !covered.has(shown[what]);
  const chooseDecidable = async (what: keyof ShownRequirement): Promise<void> => {
    while (chosen.size < most) {
      const best = findWorthiest(remaining, isNew(what));
      if (best === null) return;
      const rehearsed = await rehearse(best.candidate);
      if (rehearsed === "decided") choose(best);
      else remaining = remaining.filter((one) => one !== best);
      if (rehearsed === "open") open.push(best);
    }
  };
  await chooseDecidable("id");
  while (chosen.size < most) {
    const best = findWorthiest(open, isNew("id"));
    if (best === null) break;
    choose(best);
  }
  await chooseDecidable("pair");
  return candidates.filter((candidate) => chosen.has(candidate));
}
interface RatedCandidate {
  readonly candidate: SampleCandidate;
  readonly shows: readonly ShownRequirement[];
}

/** The first candidate with the most new requirements per duration. Null if no candidate has a new requirement. */
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
  readonly id: string; // id of a requirement, or of a scenario without requirements
  readonly pair: string; // the id with an algorithm
}

/** The requirements that a variant shows. An expectation without requirements shows the id of its scenario. */
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

/** The configured algorithm. `drl_threshold`, which selects an algorithm by rate, is ignored. */
const algorithmOf = (options: GatewayOptions): string =>
  chooseAlgorithm({ ...options, drlThreshold: 0 }, limitOf(1, 1), 1);
