// How often a property is tried, and from which seed. The seed is fixed outside CI, so that a change is all that a run differs by; in
// CI it is the commit's (vitest.config.ts), so that each commit tries other inputs and one commit the same ones again. A search for
// counterexamples sets WEIR_RUNS (a factor) and WEIR_SEED.
import * as fc from "fast-check";
import { rng } from "../src/chance/rng.ts";

const FACTOR = Number(process.env["WEIR_RUNS"] ?? 1);
export const SEED = Number(process.env["WEIR_SEED"] ?? 1);

/** fast-check prints the seed, the path and the shrunken counterexample of a property that does not hold. */
export function holds<Values>(
  property: fc.IProperty<Values>,
  runs: number,
  more: fc.Parameters<Values> = {},
): void {
  fc.assert(property, { ...runsOf(runs), ...more });
}

/** The same for one whose answers come from elsewhere. */
export async function holdsLater<Values>(
  property: fc.IAsyncProperty<Values>,
  runs: number,
): Promise<void> {
  await fc.assert(property, runsOf(runs));
}

const runsOf = (runs: number): { readonly seed: number; readonly numRuns: number } => ({
  seed: SEED,
  numRuns: Math.max(1, Math.round(runs * FACTOR)),
});

/** What a test counts in all its runs, as expected of fewer of them, whose counts scatter more. More runs have at least that. */
export const inRuns = (count: number): number =>
  FACTOR < 1 ? Math.floor((count * FACTOR) / 3) : count;

/** More runs take longer, and no property tests a duration. */
export const PATIENT = { timeout: 600_000 * Math.max(1, FACTOR) };

/**
 * For a test of very many things of one kind: true for this share of them. Each commit tries others, and a search (WEIR_RUNS)
 * more of them or all.
 */
export function sampler(share: number, name: string): () => boolean {
  const random = rng(SEED, name);
  return () => random.next() < share * FACTOR;
}

/**
 * Draws in rounds, numbered from 0, until at least `floor` things were examined: no floor then depends on the seed. A
 * generator that hardly examines anything fails after `mostRounds`.
 */
export async function drawUntil(
  floor: number,
  examined: () => number,
  draw: (round: number) => void | Promise<void>,
  mostRounds: number = 50,
): Promise<void> {
  const enough = Math.ceil(floor * Math.min(1, FACTOR));
  for (let round = 0; round === 0 || examined() < enough; round++) {
    if (round === mostRounds)
      throw new Error(`${examined()} of ${enough} examined in ${round} rounds: draw others`);
    await draw(round);
  }
}

/** A property of inputs that are drawn until it has examined at least `floor` things: `runs` inputs in each round. */
export const holdsUntil = <Values>(
  floor: number,
  examined: () => number,
  property: fc.IRawProperty<Values>,
  runs: number,
): Promise<void> =>
  drawUntil(floor, examined, async (round) => {
    await fc.assert(property, { ...runsOf(runs), seed: SEED + round * BETWEEN_ROUNDS });
  });

const BETWEEN_ROUNDS = 1_000_003; // other rounds than those of the seeds that follow
