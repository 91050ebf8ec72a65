// Draws the edge world of a seed, and finds a smaller one that fails in the same way.
import * as fc from "fast-check";
import { edgeWorld, type EdgePlace, type EdgeWorldParts } from "./arbitrary/edges.ts";
import type { RawScenario } from "./as-scenario.ts";

/** Every second world prefers small numbers and the ends of ranges. */
const settingOf = (seed: number) => ({ seed, numRuns: 1, unbiased: seed % 2 === 0 });

export const edgeWorldOf = (parts: EdgeWorldParts, seed: number, place?: EdgePlace): RawScenario =>
  fc.sample(edgeWorld(parts, place), settingOf(seed))[0]!;

/** Shrinks a world by fast-check, which makes its numbers small and its lists short. */
export async function shrinkEdgeWorld(
  parts: EdgeWorldParts,
  seed: number,
  fails: (raw: RawScenario) => Promise<boolean>,
): Promise<RawScenario> {
  const property = fc.asyncProperty(edgeWorld(parts), async (raw) => !(await fails(raw)));
  const { counterexample } = await fc.check(property, settingOf(seed));
  return counterexample?.[0] ?? edgeWorldOf(parts, seed);
}
