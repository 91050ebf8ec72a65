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
